import { Agent, type IncomingMessage, request } from "node:http";
import { queueUrl } from "../core/destination/place.ts";

/** A message as SQS writes it. The SDK's has bytes where this one has base64, as Lambda's events do. */
export interface PolledMessage {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly MD5OfBody: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MD5OfMessageAttributes?: string;
  readonly MessageAttributes?: Readonly<Record<string, PolledAttribute>>;
}
export interface PolledAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

/** A queue as Lambda's poller calls it, whose work is no part of what a function costs: plain HTTP, and nothing of the SDK. */
export interface PolledQueue {
  /** Waits so many seconds at most; rejects at once when `signal` aborts. */
  receive(atMost: number, seconds: number, signal: AbortSignal): Promise<readonly PolledMessage[]>;
  /** Ten at most. */
  remove(messages: readonly PolledMessage[]): Promise<void>;
  /** Closes idle sockets. */
  close(): void;
}

/** Of a queue's ARN, `endpoint` the SQS of every region. */
export const polledQueue = (endpoint: string, queueArn: string): PolledQueue => {
  const [, , , region = "", account = "", name = ""] = queueArn.split(":");
  const QueueUrl = queueUrl({ region, account }, name);
  const { hostname, port } = new URL(endpoint);
  const at = { hostname, port, method: "POST", agent: new Agent({ keepAlive: true }) };
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "user-agent": pollerOf(name),
    authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/sqs/aws4_request, SignedHeaders=host, Signature=0`,
  };

  const callOnce = async (action: string, input: object, signal?: AbortSignal): Promise<Answer> => {
    const body = JSON.stringify({ QueueUrl, ...input });
    const own = { "x-amz-target": `AmazonSQS.${action}`, "content-length": Buffer.byteLength(body) };
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request({ ...at, headers: { ...headers, ...own }, ...(signal && { signal }) }, resolve)
      .on("error", reject)
      .end(body);
    const response = await answered;
    const answer: Answer = JSON.parse(await textOf(response));
    if (response.statusCode === 200) return answer;
    const [, fault = "SqsFault"] = answer.__type?.split("#") ?? [];
    throw Object.assign(new Error(`${action} of ${name}: ${answer.message}`), { name: fault });
  };

  /** A second time if need be: a socket may have been closed just then. */
  const call: typeof callOnce = (...asked) => callOnce(...asked).catch(() => callOnce(...asked));

  const everything = { MessageSystemAttributeNames: ["All"], MessageAttributeNames: ["All"] };
  return {
    receive: async (atMost, seconds, signal) => {
      const asked = { MaxNumberOfMessages: Math.min(10, atMost), WaitTimeSeconds: seconds, ...everything };
      const { Messages = [] } = await call("ReceiveMessage", asked, signal);
      return Messages;
    },
    remove: async (messages) => {
      const entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await call("DeleteMessageBatch", { Entries: entries });
    },
    close: () => at.agent.destroy(),
  };
};

/** What its requests say they come from. */
const pollerOf = (queue: string): string => `${pollerPrefix}${queue}`;
export const pollerPrefix = "event source of ";

interface Answer {
  readonly Messages?: readonly PolledMessage[];
  /** Of a refusal: `com.amazonaws.sqs#QueueDoesNotExist`. */
  readonly __type?: string;
  readonly message?: string;
}

const textOf = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    response
      .setEncoding("utf8")
      .on("data", (part: string) => {
        text += part;
      })
      .on("end", () => resolve(text))
      .on("error", reject);
  });
