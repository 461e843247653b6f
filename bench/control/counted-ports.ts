import type { ControlPorts } from "../../core/broker/control/ports.ts";

export type Service = "sqs" | "sns" | "dynamodb" | "lambda";
export type Count = (service: Service, calls?: number) => void;

/** A page of a query. */
const pageBytes = 1_000_000;
/** Of a row besides its record: keys, revision and who wrote it. */
const frameBytes = 200;
/** Events that SQS takes in one call. */
const batch = 10;

/** Ports of control that count the calls which their adapters on AWS make. */
export const countedPorts = (ports: ControlPorts, count: Count): ControlPorts => {
  const counting =
    <A extends readonly unknown[], R>(service: Service, call: (...args: A) => R) =>
    (...args: A): R => {
      count(service);
      return call(...args);
    };
  const paged = <R extends readonly unknown[]>(rows: R): R => {
    count("dynamodb", Math.max(1, Math.ceil(rows.reduce<number>((sum, row) => sum + frameBytes + sizeOf(row), 0) / pageBytes)));
    return rows;
  };
  const { brain, counters, peers, events, probes, resources, subscriptions, foreign, depths, passes } = ports;
  return {
    ...ports,
    brain: {
      read: (...asked) => {
        count("dynamodb");
        return brain.read(...asked);
      },
      list: async (...asked) => paged(await brain.list(...asked)),
      write: (...asked) => {
        count("dynamodb");
        return brain.write(...asked);
      },
    },
    counters: { add: counting("dynamodb", counters.add), take: counting("dynamodb", counters.take) },
    peers: {
      root: counting("dynamodb", peers.root),
      item: counting("dynamodb", peers.item),
      bucket: async (...asked) => paged(await peers.bucket(...asked)),
    },
    events: {
      send: (outgoing) => {
        for (const toOne of Map.groupBy(outgoing, ({ to }) => to).values()) count("sqs", Math.ceil(toOne.length / batch));
        return events.send(outgoing);
      },
    },
    probes: { send: counting("sqs", probes.send) },
    resources: {
      make: (resource) => {
        count(serviceOf(resource));
        return resources.make(resource);
      },
      remove: (resource) => {
        count(serviceOf(resource));
        return resources.remove(resource);
      },
    },
    subscriptions: {
      subscribe: counting("sns", subscriptions.subscribe),
      filter: counting("sns", subscriptions.filter),
      unsubscribe: counting("sns", subscriptions.unsubscribe),
      confirm: counting("sns", subscriptions.confirm),
    },
    foreign: { list: counting("sns", foreign.list) },
    depths: { visible: counting("sqs", depths.visible), read: counting("sqs", depths.read) },
    passes: { start: counting("lambda", passes.start) },
  };
};

const sizeOf = (row: unknown): number => JSON.stringify(row).length;

const serviceOf = (resource: Parameters<ControlPorts["resources"]["make"]>[0]): Service =>
  resource.make === "destination" && resource.destination.kind === "topic" ? "sns" : "sqs";
