import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { close, listen } from "../../../local/listen.ts";
import { type Answer, type ArrivedRequest, type Call, type Fate, toCall } from "./call.ts";

export interface Gateway {
  readonly address: string;
  stop(): Promise<void>;
}

/** Longer than any limit of ours on a call; a client without one isn't held for ever. */
const longestHang = 6_000;

/** An address that SDK clients call in place of the services: `handle` says what becomes of each call. */
export const openGateway = async (handle: (call: Call, signal: AbortSignal) => Promise<Fate>): Promise<Gateway> => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const call = toCall({
      method: request.method ?? "POST",
      path: request.url ?? "/",
      headers: headersOf(request),
      body: await text(request),
    });
    const fate = await handle(call, gone.signal);
    if (fate === "lost") response.destroy();
    else if (fate === "hangs") setTimeout(() => response.destroy(), longestHang).unref();
    else response.writeHead(fate.status, fate.headers).end(fate.body);
  };
  // Who left gets no answer; whoever is left when the service fails sees the connection break.
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  return { address: await listen(server, 0), stop: () => close(server) };
};

const headersOf = (request: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));

/** Those that belong to one connection, or to a body that may have been changed. */
const ofTheConnection = [
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "expect",
  "keep-alive",
  "x-amz-crc32",
  "content-encoding",
];
const kept = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !ofTheConnection.includes(name)));

/** Passes a request on to where the service listens. */
export const passOn = async (address: string, request: ArrivedRequest, signal?: AbortSignal): Promise<Answer> => {
  const { method, path, headers, body } = request;
  const answer = await fetch(new URL(path, address), { method, headers: kept(Object.entries(headers)), body, ...(signal && { signal }) });
  return { status: answer.status, headers: kept(answer.headers), body: await answer.text() };
};
