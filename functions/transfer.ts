import middy from "@middy/core";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { toTransportRecord } from "../aws/event-records.ts";
import type { BridgePorts } from "../core/jms-bridge/ports.ts";
import { retry } from "../core/jms-bridge/retry.ts";
import { transfer } from "../core/jms-bridge/transfer.ts";
import type { ConsumedContext } from "../core/message/decode.ts";
import type { Returns } from "../core/ports.ts";
import { answerBatch, type ComesAgain } from "./batch.ts";
import type { TransferObserver } from "./observe-transfer.ts";
import { jsonText } from "./parse.ts";
import { reserveOf } from "./reserve.ts";

export interface TransferPorts extends Omit<BridgePorts, "source"> {
  /** The broker's keys may change while the function lives. */
  sourceNow(): Promise<ConsumedContext>;
  readonly returns: Returns;
  /** The queue that brings orders; every other one is the source. */
  readonly ordersArn: string;
}

const orderText = jsonText.pipe(z.object({ attempt: z.string() }));

/** SQS batch of the source → transfer → partial batch response; orders → retry, one after the other. */
export const transferHandler = (ports: TransferPorts, observer: TransferObserver, clock: () => number) =>
  middy<SQSEvent, SQSBatchResponse>().handler(async (event, context: Context) => {
    const bridgePorts: BridgePorts = { ...ports, source: await ports.sourceNow() };
    const isOrders = event.Records[0]?.eventSourceARN === ports.ordersArn;
    const mayContinue = () => context.getRemainingTimeInMillis() > reserveOf(ports);
    const again = isOrders
      ? await retryAll(bridgePorts, event.Records, clock, mayContinue)
      : await transferAll(bridgePorts, event.Records, observer, clock());
    return answerBatch(ports.returns, event, again);
  });

const transferAll = async (
  ports: BridgePorts,
  records: readonly SQSRecord[],
  observer: TransferObserver,
  now: number,
): Promise<readonly ComesAgain[]> => {
  const copies = records.map((record) => ({ ...toTransportRecord(record), receipt: record.receiptHandle }));
  const outcomes = await transfer(ports, copies, now);
  observer.transferred(ports.bridge.name, outcomes);
  return outcomes.flatMap(({ ref, again }) => (again === undefined ? [] : [{ ref, seconds: again }]));
};

/** What isn't an order is nobody's: it is deleted. */
const retryAll = async (
  ports: BridgePorts,
  records: readonly SQSRecord[],
  clock: () => number,
  mayContinue: () => boolean,
): Promise<readonly ComesAgain[]> => {
  const again: ComesAgain[] = [];
  for (const { ref, body, sentAt, receiveCount } of records.map(toTransportRecord)) {
    const order = orderText.safeParse(body).data;
    const seconds = order && (await retry(ports, { order, sentAt, receiveCount }, clock, mayContinue));
    if (seconds !== undefined) again.push({ ref, seconds });
  }
  return again;
};
