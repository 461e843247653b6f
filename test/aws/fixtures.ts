import { SNSClient } from "@aws-sdk/client-sns";
import { SQSClient, SQSServiceException } from "@aws-sdk/client-sqs";
import { whereaboutsOf } from "../../aws/whereabouts.ts";
import { sha256 } from "../support/hash.ts";
import { stubbed } from "../support/stub.ts";
import { networkSeenFrom, us } from "../support/worlds/world.ts";

/** What stubbed adapters look out from: broker `us` of network `net`. */
export const network = networkSeenFrom(us, "net");
export const whereabouts = async () => whereaboutsOf(network, sha256);
export const prices = { kind: "topic", name: "prices" } as const;
export const orders = { to: "queue", destination: { kind: "queue", name: "orders" } } as const;

const region = "us-east-1";
export const sqsThat = (answer: (input: never) => unknown) => stubbed(new SQSClient({ region, md5: false }), answer);
export const snsThat = (answer: (input: never) => unknown) => stubbed(new SNSClient({ region }), answer);
export const unused = () => {
  throw new Error("nobody should call this");
};
/** A refusal of SQS, for what an emulator doesn't refuse. */
export const sqsSays = (name: string) => new SQSServiceException({ name, message: "", $fault: "client", $metadata: {} });
