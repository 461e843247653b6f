import { type Answer, answering, type Call, type Entry, entriesOf, type Fate, isOutput, outputOf, withInput } from "./call.ts";
import type { Layer } from "./fault.ts";
import { type Failure, snsError } from "./sns-wire.ts";

/** What a service says when it refuses a whole call. */
export const refusal = ({ service }: Call, code: string, message: string, status = 400): Answer => {
  if (service === "sns") return { status, headers: { "content-type": "text/xml" }, body: snsError(code, message) };
  const headers = { "content-type": "application/x-amz-json-1.0", "x-amzn-errortype": code };
  return { status, headers, body: JSON.stringify({ __type: `com.amazonaws.${service}#${code}`, message }) };
};

export type EntryRefusal = Omit<Failure, "Id">;

/**
 * Judges each message of a call: what is refused doesn't reach the service, the rest does. A single message's refusal is the call's.
 */
export const passOthers = async (call: Call, next: Layer, judge: (entry: Entry) => EntryRefusal | undefined): Promise<Fate> => {
  const entries = entriesOf(call);
  const failed = entries.flatMap((entry): Failure[] => {
    const refused = judge(entry);
    return refused ? [{ Id: entry.Id, ...refused }] : [];
  });
  const [first] = failed;
  if (!first) return next(call);
  if (!call.input.Entries) return refusal(call, first.Code, first.Message, first.SenderFault ? 400 : 500);
  const left = entries.filter(({ Id }) => !failed.some((failure) => failure.Id === Id));
  if (left.length === 0) return answering(call, { Successful: [], Failed: failed });
  const fate = await next(withInput(call, { ...call.input, Entries: left }));
  if (!isOutput(fate)) return fate;
  const output = outputOf(call, fate);
  return answering(call, { ...output, Failed: [...(output.Failed ?? []), ...failed] });
};
