import type { SimulatedNetwork } from "../../support/simulator/network.ts";
import { bodiesIn } from "../cells.ts";

const minute = 60_000;

/** Lets the network run until no queue holds a message, forty minutes at most; answers what is left. */
export const untilQuiet = async ({ run, cloud: { queues } }: SimulatedNetwork, isNobodys: (arn: string) => boolean): Promise<string[]> => {
  const left = () =>
    queues
      .arns()
      .filter((arn) => !arn.endsWith("sys-control") && !isNobodys(arn))
      .flatMap((arn) => queues.peek(arn).flatMap(({ body }) => bodiesIn(body)));
  for (let turn = 0; turn < 8; turn += 1) {
    await run(5 * minute);
    if (left().length === 0) break;
  }
  return left();
};
