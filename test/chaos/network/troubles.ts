import { isFifoName } from "../../../core/destination/fifo.ts";
import type { WireMessage } from "../../../core/message/message.ts";
import type { RestingCopy } from "../../../core/ports.ts";
import { mortalControl } from "../../support/histories/mortal-control.ts";
import type { MemoryQueues } from "../../support/memory/queues.ts";
import { calm, type Disturbance, type Taker } from "../../support/simulator/disturbance.ts";
import { bodiesIn, cellOf, isOrdered } from "../cells.ts";
import type { Fates } from "../fates.ts";
import type { Ledger } from "../ledger.ts";
import { nobodyReached } from "../reached.ts";
import { dispatchTroubles } from "./dispatch-troubles.ts";
import { readerAt } from "./naming.ts";
import { orderedWindows } from "./ordered-windows.ts";

/** What stands in the dead letters since SQS gave up on it, and the queue it came from. */
export interface GivenUp extends WireMessage {
  readonly source: string;
}

export interface NetworkTroubles extends Disturbance {
  /** Dead letters that a plain move task takes back where they came from: it knows queues, not us. */
  moveBack(queues: MemoryQueues): void;
}

/** One in so many calls. */
const [rare, often, usual] = [36, 12, 3];
const [second, minute] = [1_000, 60_000];

/** What goes wrong in and around brokers. `reached`: by what some target accepted, or may have, or of which there are two copies. */
export const networkTroubles = (
  fates: Fates,
  ledger: Pick<Ledger, "opened">,
  now: () => number,
  reached = nobodyReached(),
): NetworkTroubles => {
  const windows = orderedWindows(ledger, now);
  const givenUp: GivenUp[] = [];
  let atOnce = 1;
  const bodiesOf = (copies: readonly RestingCopy[]): readonly string[] => copies.flatMap(({ body }) => bodiesIn(body));

  return {
    ...calm,
    invocation: dispatchTroubles(fates, windows, reached, now),
    control: mortalControl(fates),
    handlers: (copies) => {
      const areTwo = fates.strikes("two live handlers", "batch", often, copies);
      if (areTwo) windows.comesAgain(bodiesOf(copies));
      atOnce = areTwo ? 2 : 1;
      return atOnce;
    },
    batchSize: () => (fates.draw("batch") < 0.5 ? 10 : 1 + Math.floor(fates.draw("batch") * 9)),
    received: (queues, arn, copies, by) => {
      for (const copy of copies) {
        if (copy.receiveCount > 1) fates.struck("redelivery", by, copy);
        // SQS gives no copy of a FIFO queue twice.
        const isTwin = !isFifoName(arn) && fates.strikes("doubled copy", by, often, copy);
        if (isTwin) queues.twin(arn, copy.receipt);
        if (isTwin) reached.note(bodiesOf([copy]));
        const isOut = fates.strikes("visibility runs out", by, by === "door" ? rare : often, copy);
        if (isOut) queues.changeVisibility(arn, copy.receipt, 0);
        if ((isTwin || isOut) && !consumersTake(arn, by)) windows.comesAgain(bodiesOf([copy]));
        else if (isTwin || isOut) windows.opened("delivered-again", bodiesOf([copy]), readerAt(arn, copy));
      }
      if (copies.length > 1 && copies.some(({ receiveCount }) => receiveCount > 1) && copies.some(({ receiveCount }) => receiveCount === 1))
        fates.struck("re-split batch", by, copies);
    },
    died: (queues, arn, copies) => {
      if (isFifoName(arn)) return; // what was given up and moved back would be out of order
      const deadLetters = arn.replace(/(spanmq-[a-z0-9]+-[a-z0-9]+)-.*/, "$1-sys-dead-letters");
      for (const copy of copies) {
        if (!fates.strikes("given up by SQS", "batch", usual, copy)) continue;
        queues.remove(arn, copy.receipt);
        const { body, attributes } = copy;
        if (arn.endsWith("-sys-ingress"))
          for (const one of bodiesOf([copy])) for (const reader of reached.by(one)) windows.opened("moved-by-hand", [one], reader);
        queues.send(deadLetters, { body, attributes });
        givenUp.push({ source: arn, body, attributes });
      }
    },
    deletes: (copy, by) => {
      const isLost = fates.strikes("redelivery after delete", by, often, copy);
      if (isLost && by === "door") windows.comesAgain(bodiesOf([copy]));
      if (isLost && by === "consumer") windows.opened("delivered-again", bodiesOf([copy]), readerAt("", copy));
      return !isLost;
    },
    skew: (work, about) => {
      const isBeside = work === "batch" && atOnce > 1; // where clocks matter most
      const isSeldom = isBeside || work === "pass";
      if (!fates.strikes("clock jumps", work, isSeldom ? usual : often, about)) return 0;
      const most = isBeside || fates.draw("by minutes") < 0.5 ? 2 * minute : 4 * second;
      return Math.round((2 * fates.draw("by") - 1) * most);
    },
    weathered: (how, port, about) => {
      fates.struck(`peer ${how}`, port, about);
      // SNS tries again; FIFO targets drop that.
      if (how === "accepts and says nothing" && port === "delivery by SNS")
        windows.comesAgain(bodiesIn(about).filter((body) => !isOrdered(cellOf(body))));
    },
    moveBack: (queues) => moveBack(queues, givenUp, fates),
  };
};

/** What else passes take from is a gone consumer's, or waits for a link, whose receiver drops what comes twice. */
const consumersTake = (arn: string, by: Taker): boolean => by === "consumer" || (by === "pass" && /:spanmq-\w+-\w+-q-/.test(arn));

/** The message is a new one for SQS. */
const moveBack = (queues: MemoryQueues, givenUp: GivenUp[], fates: Fates): void => {
  for (const arn of queues.arns().filter((one) => one.endsWith("-sys-dead-letters"))) {
    for (const copy of queues.receive(arn, 1_000, 0) ?? []) {
      const index = givenUp.findIndex(
        ({ body, attributes }) => body === copy.body && JSON.stringify(attributes) === JSON.stringify(copy.attributes),
      );
      const [found] = index < 0 ? [] : givenUp.splice(index, 1);
      if (!found) continue;
      queues.send(found.source, copy);
      queues.remove(arn, copy.receipt);
      fates.struck("moved back by a plain task", "dead letters", copy);
    }
  }
};
