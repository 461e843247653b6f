import type { Absence } from "./schema/concept.ts";

export type KeyPath = readonly PropertyKey[];

/** A mistake in the configuration: where, what stands there, and what should. `nearest` is the valid name that was probably meant. */
export type ConfigFault = { readonly path: KeyPath; readonly value: unknown } & (
  | { readonly fault: "unknown-key"; readonly nearest: string | undefined; readonly called: string; readonly known: readonly string[] }
  | { readonly fault: "absent-key"; readonly why: Absence }
  | { readonly fault: "written-otherwise"; readonly instead: string }
  | { readonly fault: "missing"; readonly must: string }
  | { readonly fault: "invalid"; readonly must: string }
  | { readonly fault: "unknown-broker"; readonly broker: string; readonly nearest: string | undefined; readonly known: readonly string[] }
);

const absences: Readonly<Record<Absence, string>> = {
  "activemq-has-it": "ActiveMQ has it, SpanMQ doesn't yet; remove it",
  planned: "SpanMQ doesn't have it yet; remove it",
  "meaningless-on-aws": "ActiveMQ has it, it means nothing on AWS; remove it",
};

/** One sentence: key path, value, what to write instead. */
export const describeConfigFault = (fault: ConfigFault): string => {
  const where = describePath(fault.path);
  switch (fault.fault) {
    case "unknown-key":
      return `${where} (${show(fault)}): no such key${meant(fault.nearest, `${fault.called} has ${fault.known.join(", ")}`)}`;
    case "absent-key":
      return `${where} (${show(fault)}): ${absences[fault.why]}`;
    case "written-otherwise":
      return `${where} (${show(fault)}): ${fault.instead}`;
    case "missing":
      return `${where}: is missing; it ${fault.must}`;
    case "invalid":
      return `${where} (${show(fault)}): ${fault.must}`;
    case "unknown-broker":
      return `${where} (${show(fault)}): there is no broker "${fault.broker}"${meant(fault.nearest, `the brokers are ${fault.known.join(", ")}`)}`;
    default:
      return fault satisfies never;
  }
};

export const describePath = (path: KeyPath): string => (path.length === 0 ? "the configuration" : `\`${path.map(String).join(".")}\``);

const meant = (nearest: string | undefined, otherwise: string): string =>
  nearest === undefined ? `; ${otherwise}` : `; did you mean \`${nearest}\`?`;

const show = ({ path, value }: ConfigFault): string => {
  if (/password/i.test(String(path.at(-1)))) return "a secret";
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
};
