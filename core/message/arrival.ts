import type { LinkId } from "../ids.ts";
import type { Hello } from "./hello.ts";
import type { Message } from "./message.ts";

/** What a record turned out to be. What a body *is* depends on the door, not on its looks. */
export type Arrival =
  | { readonly arrival: "message"; readonly ref: string; readonly message: Message; readonly cameBy?: LinkId }
  | { readonly arrival: "probe"; readonly ref: string; readonly hello: Hello }
  | { readonly arrival: "confirmation"; readonly ref: string; readonly topicArn: string; readonly token: string }
  | { readonly arrival: "unknown-key"; readonly ref: string; readonly kid: string }
  | { readonly arrival: "undecodable"; readonly ref: string; readonly why: string };
