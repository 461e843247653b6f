import dynalite from "dynalite";
import { buildApp } from "fauxqs";
import { mendDepths } from "./depths.ts";
import { close, inWords, listen } from "./listen.ts";

export interface Emulators {
  readonly sqs: string;
  readonly sns: string;
  readonly dynamodb: string;
  stop(): Promise<void>;
}

/**
 * SQS and SNS (fauxqs, every region: a request's signing region decides) and DynamoDB (dynalite, one namespace for all regions) in this process.
 * `port` serves SQS and SNS, the next one DynamoDB; without it both are free ports.
 */
export const startEmulators = async ({ port = 0 }: { readonly port?: number } = {}): Promise<Emulators> => {
  const fauxqs = buildApp({ logger: false });
  mendDepths(fauxqs);
  const database = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  const messaging = await inWords(port, () => fauxqs.listen({ port, host: "127.0.0.1" }));
  try {
    const dynamodb = await listen(database, port && port + 1);
    return { sqs: messaging, sns: messaging, dynamodb, stop: async () => void (await Promise.all([fauxqs.close(), close(database)])) };
  } catch (cause) {
    await fauxqs.close();
    throw cause;
  }
};
