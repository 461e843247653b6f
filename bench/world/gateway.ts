import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { close, listen } from "../../local/listen.ts";

/** Stands before a service and answers for it; while it hangs, some calls get no answer at all. */
export interface Gateway {
  readonly address: string;
  /** From now on: these calls wait for ever. */
  hang(): void;
  /** From now on: every call is passed on. What hangs hangs on. */
  answer(): void;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly service: string;
  /** By the action and the body of its request. */
  readonly hangs: (action: string, body: string) => boolean;
}

export const openGateway = async ({ service, hangs }: GatewayOptions): Promise<Gateway> => {
  let isHanging = false;
  const agent = new Agent({ keepAlive: true });

  const pass = async (call: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await buffer(call);
    const action = String(call.headers["x-amz-target"] ?? "")
      .split(".")
      .at(-1);
    if (isHanging && hangs(action ?? "", body.toString())) return;
    const passed = request(service, { agent, method: call.method ?? "POST", path: call.url ?? "/", headers: call.headers });
    answer.on("close", () => answer.writableFinished || passed.destroy()); // the caller waits no more
    passed.end(body);
    const [answered]: [IncomingMessage] = (await once(passed, "response")) as [IncomingMessage];
    answer.writeHead(answered.statusCode ?? 500, answered.headers);
    answered.pipe(answer);
  };

  const server = createServer((call, answer) => void pass(call, answer).catch(() => answer.destroy()));
  return {
    address: await listen(server, 0),
    hang: () => {
      isHanging = true;
    },
    answer: () => {
      isHanging = false;
    },
    async stop() {
      await close(server);
      agent.destroy();
    },
  };
};
