import { once as emitted } from "node:events";
import type { SQSRecord } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { makeKey, signerOf } from "../../aws/keys.ts";
import { memoryStore, type OnceInLambdaOptions, onceInLambda } from "../../client/index.ts";
import { destinationOf } from "../../core/destination/destination.ts";
import { encodeBridged, encodeMessage } from "../../core/message/encode.ts";
import type { Signer, WireMessage } from "../../core/message/message.ts";
import { aSqsRecord } from "../functions/an-event.ts";
import { aMessage, aRecord } from "../support/a-message.ts";
import { sliceOf } from "../support/a-slice.ts";
import { sha256 } from "../support/hash.ts";
import { emulatorEnvironment, useEmulators } from "../support/worlds/emulator-world.ts";
import { brainOn, emulatedDynamo, makeBrainTable } from "../support/worlds/tables.ts";
import { us } from "../support/worlds/world.ts";

const queue = "arn:aws:sqs:us-east-1:000000000000:jobs";
const record = (ref: string, arn = queue) => aSqsRecord({ ...aRecord({ body: ref }), ref }, arn);
const ofGroup = (group: string, ref: string): SQSRecord => {
  const one = record(ref, `${queue}.fifo`);
  return { ...one, attributes: { ...one.attributes, MessageGroupId: group } };
};
const failing = (...refs: readonly string[]) => ({ batchItemFailures: refs.map((itemIdentifier) => ({ itemIdentifier })) });

/** A guarded function that fails on some bodies, as long as they are among them. */
const guarding = (options: Partial<OnceInLambdaOptions> = {}) => {
  const handled: string[] = [];
  const problems: Error[] = [];
  const broken = new Set<string>();
  const handle = onceInLambda(
    async ({ body }) => {
      handled.push(body);
      if (broken.has(body)) throw new Error(`${body} fails`);
    },
    { store: memoryStore(), handlerTimeout: 60_000, onProblem: (problem) => void problems.push(problem), ...options },
  );
  return { handle: (...Records: readonly SQSRecord[]) => handle({ Records: [...Records] }), handled, problems, broken };
};

describe("a Lambda function that runs once for each message", () => {
  test("answers a batch with what comes again: what threw, and says why", async () => {
    const { handle, broken, problems, handled } = guarding();
    broken.add("b");
    expect(await handle(record("a"), record("b"), record("c"))).toEqual(failing("b"));
    expect(problems).toMatchObject([{ message: `message b of ${queue} comes again`, cause: { message: "b fails" } }]);
    broken.clear();
    expect(await handle(record("a"), record("b"), record("c"))).toEqual(failing());
    expect(handled).toEqual(["a", "b", "c", "b"]);
  });

  test("tells the function's log why, where nobody else asked to be told", async () => {
    const told = emitted(process, "warning");
    const fail = () => Promise.reject(new Error("b fails"));
    await onceInLambda(fail, { store: memoryStore(), handlerTimeout: 60_000 })({ Records: [record("b")] });
    expect(await told).toMatchObject([{ message: `message b of ${queue} comes again`, detail: expect.stringContaining("b fails") }]);
  });

  test("lets come again what another function is at", async () => {
    const store = memoryStore();
    const going = Promise.withResolvers<void>();
    const busy = onceInLambda(() => going.promise, { store, handlerTimeout: 60_000 })({ Records: [record("a")] });
    const { handle, handled } = guarding({ store });
    expect(await handle(record("a"), record("b"))).toEqual(failing("a"));
    going.resolve();
    expect([await busy, await handle(record("a")), handled]).toEqual([failing(), failing(), ["b"]]);
  });

  test("runs a record once that a batch holds twice, and names it once where it fails", async () => {
    const { handle, handled, broken } = guarding();
    expect([await handle(record("a"), record("a")), handled]).toEqual([failing(), ["a"]]);
    broken.add("b");
    expect(await handle(record("b"), record("b"))).toEqual(failing("b"));
  });

  test("takes equal ids of two queues for two messages, unless they share a scope", async () => {
    const other = record("a", `${queue}-2`);
    const apart = guarding();
    await apart.handle(record("a"), other);
    expect(apart.handled).toEqual(["a", "a"]);
    const shared = guarding({ scope: "jobs" });
    await shared.handle(record("a"));
    await shared.handle(other);
    expect(shared.handled).toEqual(["a"]);
  });

  test("C06 keeps the order of a FIFO group: after one that fails the rest of its group comes back untouched", async () => {
    const { handle, handled, broken } = guarding();
    broken.add("g2.2");
    const groups = ["g1", "g2", "g3"].flatMap((group) => [1, 2, 3].map((i) => ofGroup(group, `${group}.${i}`)));
    expect(await handle(...groups)).toEqual(failing("g2.2", "g2.3"));
    expect(handled.filter((one) => one.startsWith("g2"))).toEqual(["g2.1", "g2.2"]);
    broken.clear();
    expect(await handle(...groups)).toEqual(failing());
    expect(handled.filter((one) => one.startsWith("g2"))).toEqual(["g2.1", "g2.2", "g2.2", "g2.3"]);
    expect(handled.filter((one) => one.startsWith("g1"))).toEqual(["g1.1", "g1.2", "g1.3"]);
  });

  test("refuses to be made without a time", () => {
    expect(() => guarding({ handlerTimeout: 0 })).toThrow("milliseconds that the handler may run");
  });
});

describe("at a queue of a broker", () => {
  const emulators = useEmulators();

  /** A broker that can be deployed, and a guarded function at its queues. */
  const guardedAt = async (network: string) => {
    const dynamo = emulatedDynamo(emulators());
    const table = `spanmq-${network}-us-sys-brain`;
    await makeBrainTable(dynamo, table);
    const { privateKey, publicKey } = makeKey();
    const slice = sliceOf({ network, brokers: { us: { region: "us-east-1" } } }, "us");
    const item = { slice, keys: [publicKey], version: 1, peerKeys: {} };
    return {
      ...guarding({ signedBy: { network, broker: "us", env: emulatorEnvironment(emulators()) } }),
      deploy: () => brainOn(dynamo, table, () => 1).write("broker", "", "broker", item, 0),
      signer: signerOf(privateKey),
      copyAt: (name: string, ref: string, wire: Partial<WireMessage> = {}) =>
        aSqsRecord({ ...aRecord(wire), ref }, `arn:aws:sqs:us-east-1:000000000000:spanmq-${network}-us-${name}`),
    };
  };
  const sent = (id: string, signer: Signer) =>
    encodeMessage(aMessage({ id, destination: destinationOf("queue://orders.new") }), { broker: us, signer, hash: sha256 });

  test("N08 two copies of what it sent on twice are one message", async () => {
    const { handle, handled, signer, deploy, copyAt } = await guardedAt("net");
    await deploy();
    await handle(copyAt("q-orders-new", "copy1", sent("m-1", signer)));
    await handle(copyAt("q-orders-new", "copy2", sent("m-1", signer)), copyAt("q-orders-new", "copy3", sent("m-2", signer)));
    expect(handled).toHaveLength(2);
  });

  test.for([
    { rule: "are one message to who names it in signedBy", network: "bridging", names: true, runs: 1 },
    { rule: "are two to others, since SQS's ids differ", network: "unnamed", names: false, runs: 2 },
  ])("two copies that a bridge of the broker handed over to anybody's queue $rule", async ({ network, names, runs }) => {
    const { signer, deploy, ...named } = await guardedAt(network);
    await deploy();
    const { handle, handled } = names ? named : guarding();
    const [wire] = encodeBridged([aMessage({ id: "m-1" })], "place", { broker: us, signer, hash: sha256 });
    for (const ref of ["copy1", "copy2"]) await handle(aSqsRecord({ ...aRecord(wire), ref }, queue));
    expect(handled).toHaveLength(runs);
  });

  test("nobody else's signature makes an id count", async () => {
    const { handle, handled, signer, deploy, copyAt } = await guardedAt("forged");
    await deploy();
    await handle(copyAt("q-orders-new", "copy1", sent("m-1", signerOf(makeKey().privateKey))));
    await handle(copyAt("q-orders-new", "copy2", sent("m-1", signer)));
    expect(handled).toHaveLength(2);
  });

  test.for([
    { rule: "at the end of a subscription SNS's id counts", network: "ended", queueName: "s-c1-1", runs: 1 },
    { rule: "at a queue an envelope is a body", network: "resting", queueName: "q-orders-new", runs: 2 },
  ])("$rule", async ({ network, queueName, runs }) => {
    const { handle, handled, deploy, copyAt } = await guardedAt(network);
    await deploy();
    const TopicArn = `arn:aws:sns:us-east-1:000000000000:spanmq-${network}-us-t-prices`;
    const body = JSON.stringify({
      Type: "Notification",
      MessageId: "sns-1",
      TopicArn,
      Message: "1",
      Timestamp: "2026-01-01T00:00:00.000Z",
    });
    await handle(copyAt(queueName, "copy1", { body }));
    await handle(copyAt(queueName, "copy2", { body }));
    expect(handled).toHaveLength(runs);
  });

  test("nothing runs while the broker can't be read; then it is read again", async () => {
    const { handle, handled, problems, deploy, copyAt } = await guardedAt("late");
    const plain = copyAt("q-orders-new", "plain");
    expect(await handle(plain)).toEqual(failing("plain"));
    expect(problems).toMatchObject([{ cause: { message: expect.stringContaining("no broker us of network late in us-east-1") } }]);
    await deploy();
    expect([await handle(plain), handled]).toEqual([failing(), ["hello"]]);
  });
});
