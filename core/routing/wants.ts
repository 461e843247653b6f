import type { Message } from "../message/message.ts";
import { compileSelector } from "../selector/compile.ts";
import type { Candidate, DestinationView } from "./view.ts";

/** Does one of its selectors take the message? Without any it takes all. */
const wants = ({ selectors }: Pick<Candidate, "selectors">, message: Message): boolean =>
  selectors?.some((selector) => compileSelector(selector)(message)) ?? true;

/** The view as it is for one message: candidates that don't want it are none. */
export const viewFor = (message: Message, view: DestinationView): DestinationView => ({
  ...view,
  candidates: view.candidates.filter((candidate) => wants(candidate, message)),
});
