import { requestHeaders } from "./headers.ts";
import { batchEntriesOf, formOf, type Output, snsInput, snsOutput, toSnsXml, withoutBatchEntries } from "./sns-wire.ts";

export type Service = "sqs" | "sns" | "dynamodb" | "ssm" | "lambda";

/** A message, receipt or publication: an entry of a batch, or a single call as an entry. */
export interface Entry {
  readonly Id: string;
  readonly MessageBody?: string;
  readonly Message?: string;
  readonly MessageAttributes?: Readonly<
    Record<string, { readonly DataType?: string; readonly StringValue?: string; readonly BinaryValue?: string }>
  >;
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
  readonly DelaySeconds?: number;
}

/** What the faults look at; a service's other parameters are there too. */
export interface Input extends Partial<Entry> {
  readonly QueueUrl?: string;
  readonly QueueName?: string;
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly Entries?: readonly Entry[];
  readonly Name?: string;
  readonly TopicArn?: string;
  readonly Endpoint?: string;
  readonly SubscriptionArn?: string;
  readonly TableName?: string;
  readonly DeletionProtectionEnabled?: boolean;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
}

/** One attempt of an SDK's call, on its way to a service. */
export interface Call {
  readonly service: Service;
  readonly region: string;
  /** `SendMessageBatch` and so on; of Lambda, whose calls are read by nobody here, `Invoke`. */
  readonly action: string;
  readonly input: Input;
  readonly attempt: number;
  readonly attempts: number;
  /** Whom the caller's address names: see `calledBy`. */
  readonly by?: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the caller gets: an answer, a broken connection, or nothing until it gives up. */
export type Fate = Answer | "lost" | "hangs";

export const isOutput = (fate: Fate): fate is Answer => typeof fate === "object" && fate.status < 300;

/** The queue, topic or table that a call is about, within its region. */
export const subjectOf = ({ region, input }: Pick<Call, "region" | "input">): string => {
  const { QueueUrl, QueueName, TopicArn, Name, TableName } = input;
  return `${region}/${QueueName ?? QueueUrl?.split("/").at(-1) ?? TopicArn?.split(":").at(-1) ?? Name ?? TableName ?? ""}`;
};

export const entriesOf = ({ input }: Call): readonly Entry[] => input.Entries ?? [{ Id: "", ...input }];

export interface ArrivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The layer's address for one caller, who is known by it. */
export const calledBy = (address: string, who: string): string => new URL(`/by/${who}`, address).href;

/** The credential's scope says which service and region are meant, the SDK's own headers which attempt this is. */
export const toCall = (request: ArrivedRequest): Call => {
  const { headers, body } = request;
  const [, by, path = "/"] = /^\/by\/([^/]+)(\/.*)?$/.exec(request.path) ?? [undefined, undefined, request.path];
  const [, region = "", service = ""] = /Credential=[^/]*\/\d+\/([^/]+)\/([^/]+)\//.exec(headers.authorization ?? "") ?? [];
  const [, attempt, attempts] = /attempt=(\d+); max=(\d+)/.exec(headers["amz-sdk-request"] ?? "") ?? [];
  const sent = { ...request, path, ...(by !== undefined && { by }) };
  const call = { ...sent, service: service as Service, region, attempt: Number(attempt ?? 1), attempts: Number(attempts ?? 1) };
  if (service === "lambda") return { ...call, action: "Invoke", input: {} };
  if (service === "sns") return { ...call, action: formOf(body).get("Action") ?? "", input: snsInput(formOf(body)) };
  return { ...call, action: headers["x-amz-target"]?.split(".").at(-1) ?? "", input: JSON.parse(body || "{}") };
};

/** A call of our own, past every fault. */
export const newCall = (service: Service, region: string, action: string, input: Input): Call => {
  const request = { service, region, action, input, attempt: 1, attempts: 1, method: "POST", path: "/" };
  const headers = requestHeaders(service, region, action);
  const body =
    service === "sns" ? String(new URLSearchParams({ Action: action, ...(input as Record<string, string>) })) : JSON.stringify(input);
  return { ...request, headers, body };
};

/** The same call with other parameters; of SNS only entries can be left out. */
export const withInput = (call: Call, input: Input): Call => {
  if (call.service !== "sns") return { ...call, input, body: JSON.stringify(input) };
  const kept = new Set(input.Entries?.map(({ Id }) => Id));
  const gone = batchEntriesOf(formOf(call.body)).filter(({ entry }) => !kept.has(entry.Id));
  return { ...call, input, body: withoutBatchEntries(formOf(call.body), gone) };
};

export const outputOf = ({ service, action }: Call, { body }: Answer): Output =>
  service === "sns" ? snsOutput(action, body) : JSON.parse(body || "{}");

export const answering = ({ service, action }: Call, output: Output): Answer =>
  service === "sns"
    ? { status: 200, headers: { "content-type": "text/xml" }, body: toSnsXml(action, output) }
    : { status: 200, headers: { "content-type": "application/x-amz-json-1.0" }, body: JSON.stringify(output) };
