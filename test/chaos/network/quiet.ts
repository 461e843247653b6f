import type { SimulatedNetwork } from "../../support/simulator/network.ts";
import { bodiesIn } from "../cells.ts";

const minute = 60_000;

/** Bodies of all that stands in queues, one for each copy. */
export const standingIn = ({ cloud: { queues } }: SimulatedNetwork, isNobodys: (arn: string) => boolean = () => false): string[] =>
  queues
    .arns()
    .filter((arn) => !arn.endsWith("sys-control") && !isNobodys(arn))
    .flatMap((arn) => queues.peek(arn).flatMap(({ body }) => bodiesIn(body)));

/** Lets the network run until no queue holds a message, forty minutes at most; answers what is left. */
export const untilQuiet = async (net: SimulatedNetwork, isNobodys: (arn: string) => boolean): Promise<string[]> => {
  for (let turn = 0; turn < 8; turn += 1) {
    await net.run(5 * minute);
    if (standingIn(net, isNobodys).length === 0) break;
  }
  return standingIn(net, isNobodys);
};
