import { bridgeRole } from "../core/config/bridge-faults.ts";
import { admitRoles } from "./admission.ts";
import { sendingTo, targetOf } from "./broker-bridge.ts";
import type { BrokerStack } from "./broker-stack.ts";
import type { Neighbourhood } from "./neighbourhood.ts";

/** Bridges that end here and run in another account: their roles may send to what they end at. In one account their own leave is enough. */
export const admitBridges = (stack: BrokerStack, neighbourhood: Neighbourhood): void => {
  const { slice, own, of } = neighbourhood;
  const foreign = (slice.jmsBridges ?? []).filter(
    ({ owner, target }) => target.broker === slice.broker && of(owner).place.account !== own.place.account,
  );
  for (const [arn, bridges] of Map.groupBy(foreign, ({ target }) => targetOf(neighbourhood, target).arn)) {
    const roleArns = bridges.map(({ owner, name }) => of(owner).roleArn(bridgeRole(slice.network, owner, name)));
    const { destination } = bridges[0]?.target ?? {};
    const place = destination?.kind === "topic" ? stack.topic(destination.name).topic : stack.house.ingress;
    place.addToResourcePolicy(admitRoles({ actions: sendingTo(arn).actions, resource: arn, roleArns }));
  }
};
