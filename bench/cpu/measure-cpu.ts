import type { Context } from "aws-lambda";
import { dispatchHandler } from "../../functions/dispatch.ts";
import { median } from "../median.ts";
import { batch } from "../world/queues.ts";
import { atInbound, atIngress, type Case } from "./cases.ts";
import { stubPorts } from "./stub-ports.ts";

/** CPU time of dispatch for messages that come by one door: the handler whole, its ports stubs, log lines left out. */
export interface DoorCpu {
  readonly door: "ingress" | "inbound";
  /** As deployed; without, a signature is a constant and every signature is taken for good. */
  readonly signatures: boolean;
  /** Milliseconds of CPU for 1,000 messages, the median of some rounds. */
  readonly msPerThousand: number;
}

const rounds = 9;

export const measureCpu = async (messages: number, say: (line: string) => void): Promise<readonly DoorCpu[]> => {
  const measured: DoorCpu[] = [];
  for (const [door, caseOf] of [
    ["ingress", atIngress],
    ["inbound", atInbound],
  ] as const) {
    for (const signatures of [true, false]) {
      say(`measuring CPU of dispatch: ${door}, ${signatures ? "with" : "without"} signatures`);
      measured.push({ door, signatures, msPerThousand: await cpuOf(caseOf(signatures), messages) });
    }
  }
  return measured;
};

const unhurried = { getRemainingTimeInMillis: () => 60_000 } as Context;

const cpuOf = async ({ stubbed, event }: Case, messages: number): Promise<number> => {
  const handler = dispatchHandler(stubPorts(stubbed), { dispatched: () => {}, controlled: () => {}, passed: () => {} }, Date.now);
  const run = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let handled = 0; handled < messages; handled += batch) await handler(event, unhurried);
    const { user, system } = process.cpuUsage(before); // microseconds
    return (user + system) / messages;
  };
  for (let warmUp = 0; warmUp < 2; warmUp += 1) await run(); // until the code is compiled
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await run());
  return median(times);
};
