import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamoPeerDemand } from "../../../aws/peer-demand.ts";
import { whereaboutsOf } from "../../../aws/whereabouts.ts";
import { sha256 } from "../../support/hash.ts";
import type { FaultName } from "../../support/hostile/faults.ts";
import { type Hostile, hostile } from "../../support/hostile/hostile.ts";
import { seed } from "../../support/hostile/seed.ts";
import { useEmulators, useEmulatorWorlds } from "../../support/worlds/emulator-world.ts";
import { brainOn, emulatedDynamo, makeBrainTable, tableAudits, tableBrains } from "../../support/worlds/tables.ts";
import { eu, networkSeenFrom, us } from "../../support/worlds/world.ts";
import { auditContract } from "../contracts/audit.ts";
import { brainContract } from "../contracts/brain.ts";
import { countersContract } from "../contracts/counters.ts";
import { eventsContract } from "../contracts/events.ts";
import { orderContract } from "../contracts/order.ts";
import { peerDemandContract } from "../contracts/peer-demand.ts";
import { probesContract } from "../contracts/probes.ts";
import { resourcesContract } from "../contracts/resources.ts";
import { restContract } from "../contracts/rest.ts";
import { subscriptionsContract } from "../contracts/subscriptions.ts";
import { targetsContract } from "../contracts/targets.ts";

interface Weather {
  /** What the contract holds under. */
  readonly under: readonly FaultName[];
  /** What AWS would refuse and these adapters never ask for. */
  readonly never?: readonly FaultName[];
}

/**
 * A contract suite once more, behind the layer; each call succeeds within the SDK's attempts, as contracts of single calls take for granted.
 * Lost answers are left out where a repeated call is a second message by nature: what holds then is in answers.test.ts.
 */
const again = ({ under, never = [] }: Weather, contract: (name: string, layer: Hostile) => unknown) =>
  describe(`behind hostile ports, seed ${seed}:`, () => {
    const layer = hostile({ seed, sparesLastAttempt: true });
    beforeAll(() => layer.ask(Object.fromEntries([...under.map((fault) => [fault, 0.05]), ...never.map((fault) => [fault, 1])])));
    afterAll(() => layer.calm());
    contract("", layer);
    test([...under.map((fault) => `${fault} struck`), ...never.map((fault) => `no ${fault} were provoked`)].join(", "), () => {
      expect(layer.unfired()).toEqual(never);
    });
  });

again({ under: ["throttling", "lost-answers"] }, (name, layer) => brainContract(`${name}DynamoDB`, tableBrains(useEmulators(layer))));

again({ under: ["throttling", "lost-answers"] }, (name, layer) => auditContract(`${name}DynamoDB`, tableAudits(useEmulators(layer))));

again({ under: ["throttling"] }, (name, layer) => countersContract(`${name}DynamoDB`, tableBrains(useEmulators(layer))));

again({ under: ["throttling", "lost-answers"] }, (name, layer) => {
  const emulators = useEmulators(layer);
  let opened = 0;
  peerDemandContract(`${name}DynamoDB`, async () => {
    const where = whereaboutsOf(networkSeenFrom(us, `n${++opened}`), sha256);
    const table = where.brokerOf(eu)?.brainTable ?? "";
    const dynamo = emulatedDynamo(emulators());
    await makeBrainTable(emulatedDynamo(emulators().direct), table);
    const peers = dynamoPeerDemand(
      async () => where,
      () => dynamo,
    );
    return { published: brainOn(dynamo, table, () => 1), peers };
  });
});

again({ under: ["throttling", "lost-answers"] }, (name, layer) => resourcesContract(`${name}AWS resources`, useEmulatorWorlds(layer)));

again({ under: ["throttling"], never: ["empty-bodies", "fifo-delays", "eleventh-attributes"] }, (name, layer) =>
  eventsContract(`${name}AWS events`, useEmulatorWorlds(layer)),
);

// One attempt each: nothing to strike that it would spare.
again({ under: [], never: ["empty-bodies"] }, (name, layer) => probesContract(`${name}AWS probes`, useEmulatorWorlds(layer)));

again({ under: ["throttling"], never: ["bad-receipts"] }, (name, layer) => restContract(`${name}SQS queues`, useEmulatorWorlds(layer)));

again({ under: ["throttling"], never: ["missing-endpoints", "deleted-names"] }, (name, layer) =>
  subscriptionsContract(`${name}AWS subscriptions`, useEmulatorWorlds(layer)),
);

again({ under: ["throttling"], never: ["fifo-delays", "fifo-names", "fifo-endpoints"] }, (name, layer) =>
  orderContract(`${name}SQS queues and SNS topics (on fauxqs)`, useEmulatorWorlds(layer)),
);

// A refusal of a repeated hand-over is silence, so that throttling alone can turn "missing" into it: answers.test.ts.
again({ under: [], never: ["empty-bodies", "fifo-delays"] }, (name, layer) =>
  targetsContract(`${name}SQS and SNS targets`, useEmulatorWorlds(layer)),
);
