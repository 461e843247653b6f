import type { Message } from "../message/message.ts";
import { compileSelector, failuresOf } from "../selector/compile.ts";
import type { DestinationView } from "./view.ts";

/** Does one of its selectors take the message? Without any it takes all. */
export const wants = ({ selectors }: { readonly selectors?: readonly string[] }, message: Message): boolean =>
  selectors?.some((selector) => compileSelector(selector)(message)) ?? true;

/** Selectors of those who might have got the message that have no answer for it. */
export const failingFor = (message: Message, { candidates, choosy = [] }: DestinationView): readonly string[] => {
  const selectors = new Set([...candidates, ...choosy].flatMap((one) => one.selectors ?? []));
  return [...selectors].filter((selector) => failuresOf(selector)(message));
};

/** The view as it is for one message: candidates that don't want it are none. */
export const viewFor = (message: Message, view: DestinationView): DestinationView => ({
  ...view,
  candidates: view.candidates.filter((candidate) => wants(candidate, message)),
});
