import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";
import { basename } from "node:path";
import { pollerPrefix } from "../../local/polled-queue.ts";
import type { RuntimeOptions } from "../../local/runtime.ts";

/** Who called: a function, the event source of a queue, or the bench itself as a client. */
export interface Caller {
  readonly name: string;
  readonly region: string;
}

/** A request that left this process, or an invocation of a function (service `lambda`). */
export interface Call {
  readonly by: Caller;
  readonly service: string;
  readonly action: string;
  /** Where it was answered. */
  readonly region: string;
  /** Of the request's body. */
  readonly bytes: number;
  /** A poll that found nothing. */
  readonly isEmpty: boolean;
  /** Of a call that writes several. */
  readonly rows?: number;
  /** What a read of DynamoDB reads; of one row the partition, too. */
  readonly table?: string;
  readonly partition?: string;
}

/**
 * Writes down every request as Node itself reports it, with who made it: an attempt that the SDK repeats counts each time, as AWS bills it.
 * Nothing of the product knows that it is counted.
 */
export const recordCalls = () => {
  const caller = new AsyncLocalStorage<Caller>();
  const callers = new WeakMap<ClientRequest, Caller>();
  const calls: Call[] = [];
  const contents = new WeakMap<ClientRequest, Contents>();
  let isRecording = true;

  // How many rows a request writes, and what it reads, only its body tells.
  const onCreated = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    const contentsOf = bodyReaders[targetOf(request)];
    if (!contentsOf) return;
    const end = request.end.bind(request);
    request.end = (body?: unknown): ClientRequest => {
      contents.set(request, contentsOf(String(body)));
      return end(body);
    };
  };
  const onStart = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    const by = pollerOf(request) ?? caller.getStore();
    if (!by) return;
    callers.set(request, by);
    if (!isPoll(request)) calls.push({ by, ...signed(request), isEmpty: false, ...contents.get(request) });
  };
  // A poll counts when it is answered: by then it may have waited since long before.
  const onFinish = (message: unknown): void => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
    const by = callers.get(request);
    if (by && isPoll(request)) calls.push({ by, ...signed(request), isEmpty: response.headers["content-length"] === emptyAnswer });
  };
  subscribe("http.client.request.created", onCreated);
  subscribe("http.client.request.start", onStart);
  subscribe("http.client.response.finish", onFinish);

  const as = <T>(by: Caller, run: () => T): T => (isRecording ? caller.run(by, run) : run());

  /** Loads a function's source; its handler runs under its own name, and each invocation is written down. */
  const load: NonNullable<RuntimeOptions["load"]> = async (entry) => {
    const { create } = await import(new URL(`../../${entry}`, import.meta.url).href);
    return {
      async create(environment) {
        const by = { name: basename(entry, ".entry.ts"), region: environment.AWS_REGION ?? "" };
        const handler = await create(environment);
        return (event, context) => {
          if (isRecording) calls.push({ by, service: "lambda", action: "Invoke", region: by.region, bytes: 0, isEmpty: false });
          return as(by, () => handler(event, context));
        };
      },
    };
  };

  return {
    as,
    load,
    /** What was written down since the last time. */
    take: (): readonly Call[] => calls.splice(0),
    /** From now on it is in nobody's way. */
    stop() {
      isRecording = false;
      unsubscribe("http.client.request.created", onCreated);
      unsubscribe("http.client.request.start", onStart);
      unsubscribe("http.client.response.finish", onFinish);
    },
  };
};
export type Recorder = ReturnType<typeof recordCalls>;

/** Length of `{}`. */
const emptyAnswer = "2";

type Contents = Pick<Call, "rows" | "table" | "partition">;
const readsTable = (body: string): Contents => {
  const { TableName, RequestItems = {}, Key } = JSON.parse(body);
  const partition: unknown = Key?.pk?.S;
  return { table: TableName ?? Object.keys(RequestItems).join(), ...(typeof partition === "string" && { partition }) };
};
const bodyReaders: Readonly<Record<string, (body: string) => Contents>> = {
  "DynamoDB_20120810.BatchWriteItem": (body) => ({ rows: body.split('"PutRequest"').length - 1 }),
  "DynamoDB_20120810.GetItem": readsTable,
  "DynamoDB_20120810.BatchGetItem": readsTable,
  "DynamoDB_20120810.Query": readsTable,
};

const targetOf = (request: ClientRequest): string => String(request.getHeader("x-amz-target") ?? "");
const isPoll = (request: ClientRequest): boolean => targetOf(request) === "AmazonSQS.ReceiveMessage";

/** An event source says itself who it is. */
const pollerOf = (request: ClientRequest): Caller | undefined => {
  const name = String(request.getHeader("user-agent") ?? "");
  return name.startsWith(pollerPrefix) ? { name, region: signed(request).region } : undefined;
};

/** What a signed request says of itself: `Credential=key/date/region/service/aws4_request`. */
const signed = (request: ClientRequest) => {
  const [, , region = "", service = ""] = String(request.getHeader("authorization") ?? "").split("/");
  return { service, region, action: targetOf(request).split(".").at(-1) ?? "", bytes: Number(request.getHeader("content-length") ?? 0) };
};
