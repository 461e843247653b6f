import { basename } from "node:path";
import { toEventMessage } from "../../aws/events.ts";
import { partitionOf } from "../../aws/rows.ts";
import { sendToQueue } from "../../aws/sends.ts";
import { destinationOf } from "../../core/destination/destination.ts";
import { dollarsPerMillion, writesOf } from "../prices.ts";
import type { Side, World } from "../world/network.ts";
import { batch, body, purge, type QueueAt, sumOfDepths } from "../world/queues.ts";
import type { Call, Caller } from "../world/recorder.ts";
import { until } from "../world/until.ts";
import { type Path, paths } from "./paths.ts";

type Service = "sqs" | "sns" | "dynamodb" | "lambda";

/** What one message costs on one path, in the steady state. */
export interface PathCalls {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  readonly callsPerMessage: Readonly<Record<Service | "sum", number>>;
  /** Rows of DynamoDB. */
  readonly writesPerMessage: number;
  /** Of the audit's table, in the whole run. */
  readonly auditReads: number;
  /** What we demand. */
  readonly atMost?: NonNullable<Path["atMost"]>;
  /** Bodies of requests. */
  readonly bytesPerMessage: number;
  readonly dollarsPerMillion: number;
  /** Seen during the run and left out above, whole numbers. */
  readonly leftOut: { readonly emptyPolls: number; readonly viewReads: number };
  /** The producer's part, left out above. */
  readonly clientSend: { readonly callsPerMessage: number; readonly bytesPerMessage: number };
}

export interface CallCounts {
  readonly batch: number;
  readonly bodyBytes: number;
  readonly paths: readonly PathCalls[];
}

export const countCalls = async (world: World, messages: number, say: (line: string) => void): Promise<CallCounts> => {
  const counted: PathCalls[] = [];
  for (const path of paths) {
    say(`counting calls: ${path.path}`);
    await carry(world, path, 2 * batch); // instances start, views are read, connections open
    counted.push(summary(path, world, await carry(world, path, messages), messages));
  }
  return { batch, bodyBytes: body.length, paths: counted };
};

/** Sends messages along a path, waits until they are at its end and nothing is under way, and answers the calls of it all. */
const carry = async (world: World, path: Path, messages: number): Promise<readonly Call[]> => {
  const { a, recorder } = world;
  const copies = messages * (path.copies ?? 1);
  const ends = path.ends(world);
  await purge(ends);
  recorder.take();
  await recorder.as({ name: "client", region: a.at.place.region }, () => path.send(world, messages));
  if (path.isPass) await orderPass(a);
  await until(
    async () => (await sumOfDepths(ends)) >= copies && (await isQuiet(world)),
    `${messages} messages on the path "${path.path}", seen by depths`,
  );
  return recorder.take();
};

/** The event that each tick sends for a queue like this. */
const orderPass = ({ at, clients: { sqs } }: Side) =>
  sendToQueue(sqs, at.queueUrl(at.controlQueue), [
    toEventMessage({ to: at.place.id, event: { event: "look", place: { to: "queue", destination: destinationOf("queue://far") } } }),
  ]);

/** Nothing waits or is in flight at a door, and no pass is under way. */
const isQuiet = async ({ a, b }: World): Promise<boolean> => {
  const pass = await a.brain.read("pass", "", "queue://far");
  return (
    (pass?.value.leaseUntil ?? 0) === 0 &&
    (await sumOfDepths([a.ingress, a.ingressFifo, a.feedFifo, b.inbound, b.inboundFifo, a.queue("far")])) === 0
  );
};

const summary = (path: Path, world: World, calls: readonly Call[], messages: number): PathCalls => {
  const own = calls.filter(({ by, service }) => service !== "ssm" && isOf(by, world[path.broker], path.begins(world)));
  const client = calls.filter(({ by }) => by.name === "client");
  // What is cached is read once a second, however many messages come.
  const isViewRead = ({ table, partition }: Call) =>
    table === world[path.broker].at.brainTable && cachedOn(path).some((kind) => partition === partitionOf(kind, ""));
  const counted = own.filter((call) => !call.isEmpty && !isViewRead(call));
  const crossed = path.carriedBySns ? client : counted.filter(({ by, region }) => by.region !== region);
  const callsOf = (service: Service) => counted.filter((call) => call.service === service).length / messages;
  return {
    path: path.path,
    from: path.from,
    to: path.to,
    messages,
    callsPerMessage: {
      sqs: callsOf("sqs"),
      sns: callsOf("sns"),
      dynamodb: callsOf("dynamodb"),
      lambda: callsOf("lambda"),
      sum: counted.length / messages,
    },
    writesPerMessage: counted.reduce((sum, call) => sum + writesOf(call), 0) / messages,
    auditReads: own.filter(({ table }) => table === world[path.broker].at.auditTable).length,
    ...(path.atMost && { atMost: path.atMost }),
    bytesPerMessage: bytesOf(counted) / messages,
    dollarsPerMillion: dollarsPerMillion(counted, bytesOf(crossed), messages, path.isOrdered),
    leftOut: { emptyPolls: own.filter(({ isEmpty }) => isEmpty).length, viewReads: own.filter(isViewRead).length },
    clientSend: { callsPerMessage: client.length / messages, bytesPerMessage: bytesOf(client) / messages },
  };
};

/** A pass reads all afresh for each batch, a batch of a FIFO door its destinations' views. */
const cachedOn = ({ isPass, isOrdered }: Path): readonly ("broker" | "view")[] => {
  if (isPass) return [];
  return isOrdered ? ["broker"] : ["broker", "view"];
};

/** Dispatch of that broker, or the event source of that door. */
const isOf = ({ name, region }: Caller, { at }: Side, { url }: QueueAt): boolean =>
  region === at.place.region && (name === "dispatch" || name === `event source of ${basename(url)}`);

const bytesOf = (calls: readonly Call[]): number => calls.reduce((sum, { bytes }) => sum + bytes, 0);
