import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { EventSources } from "../event-sources.ts";
import type { Functions } from "../functions.ts";
import { close, listen } from "../listen.ts";
import { localParameters, type Parameters, ServiceFault } from "./parameters.ts";

export interface ServiceServer {
  readonly address: string;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What neither emulator has: the calls of SSM and Lambda that SpanMQ makes, spoken over HTTP so that every handler keeps its real client. */
export const startServices = async (functions: Functions, sources: EventSources, port = 0): Promise<ServiceServer> => {
  const services = { functions, sources, parameters: localParameters() };
  const server = createServer((request, response) => void serve(request, response, services));
  return { address: await listen(server, port), stop: () => close(server) };
};

interface Services {
  readonly functions: Functions;
  readonly sources: EventSources;
  readonly parameters: Parameters;
}

const serve = async (request: IncomingMessage, response: ServerResponse, services: Services): Promise<void> => {
  const { status, body, headers } = await answer(request, services).catch(faultAnswer);
  response.writeHead(status, { "content-type": "application/x-amz-json-1.1", ...headers }).end(JSON.stringify(body));
};

const answer = async (request: IncomingMessage, { functions, sources, parameters }: Services): Promise<Answer> => {
  const region = /Credential=[^/]+\/\d{8}\/([^/]+)\//.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const payload = JSON.parse((await text(request)) || "null");
  const action = /^AmazonSSM\.(\w+)$/.exec(String(request.headers["x-amz-target"]))?.[1];
  if (action) return { status: 200, body: parameters.call(region, action, payload) };
  const name = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url ?? "")?.[1];
  if (name)
    return invoke(functions, arnOf(decodeURIComponent(name), region), request.headers["x-amz-invocation-type"] === "Event", payload);
  const mappings = /^\/2015-03-31\/event-source-mappings\/?([^/?]*)/.exec(request.url ?? "");
  if (mappings) return { status: 200, body: switchSources(sources, request, region, mappings[1] ?? "", payload) };
  throw new ServiceFault(
    "UnknownOperationException",
    `${request.method} ${request.url} isn't embedded: add it to local/services/server.ts`,
    404,
  );
};

const invoke = async (functions: Functions, arn: string, later: boolean, payload: unknown): Promise<Answer> => {
  if (!functions.has(arn)) throw new ServiceFault("ResourceNotFoundException", `Function not found: ${arn}`, 404);
  if (!later) return functions.invoke(arn, payload).then((body) => ({ status: 200, body }), unhandled);
  functions.invokeLater(arn, payload);
  return { status: 202, body: "" };
};

/** The mappings of one function and queue, or the switch of one. */
const switchSources = (
  sources: EventSources,
  { method, url = "" }: IncomingMessage,
  region: string,
  id: string,
  payload: { readonly Enabled?: boolean } | null,
): object => {
  if (method === "PUT") return sources.turn(id, payload?.Enabled === true);
  const asked = new URL(url, "http://lambda").searchParams;
  return { EventSourceMappings: sources.find(arnOf(asked.get("FunctionName") ?? "", region), asked.get("EventSourceArn") ?? "") };
};

const arnOf = (nameOrArn: string, region: string): string =>
  nameOrArn.startsWith("arn:") ? nameOrArn : `arn:aws:lambda:${region}:000000000000:function:${nameOrArn}`;

const unhandled = (error: unknown): Answer => ({
  status: 200,
  body: { errorType: error instanceof Error ? error.name : "Error", errorMessage: error instanceof Error ? error.message : String(error) },
  headers: { "x-amz-function-error": "Unhandled" },
});

const faultAnswer = (error: unknown): Answer => {
  const fault = error instanceof ServiceFault ? error : new ServiceFault("InternalFailure", String(error), 500);
  return { status: fault.status, body: { __type: fault.code, message: fault.message }, headers: { "x-amzn-errortype": fault.code } };
};
