import type * as z from "zod";
import { describeDiscovery } from "./discovery.ts";
import { type ConfigFault, describePath, type KeyPath } from "./fault.ts";
import { type Distance, nearestName } from "./nearest.ts";
import { at, valueAt } from "./reading.ts";
import { absenceOf } from "./schema/concept.ts";
import { conceptAt } from "./schema/network.ts";

/**
 * What the schema found, in the words of the configuration: one fault for a value, though it may break several rules,
 * and one for a required key that is misspelt, which isn't missing as well.
 */
export const schemaFaults = (input: unknown, issues: readonly z.core.$ZodIssue[], distance: Distance): readonly ConfigFault[] => {
  const faults = issues
    .flatMap((issue) => meantBy(issue))
    .flatMap((issue) =>
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => keyFault(input, issue.path, key, distance)) : [valueFault(input, issue)],
    );
  const byPath = new Map(faults.map((fault) => [describePath(fault.path), fault]));
  const meant = new Set(faults.map(meantPath));
  return [...byPath].filter(([path, { fault }]) => fault !== "missing" || !meant.has(path)).map(([, fault]) => fault);
};

/** Of a value that may be written in several ways: what is wrong with the one that was chosen, if any was. */
const meantBy = (issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] => {
  if (issue.code !== "invalid_union") return [issue];
  const chosen = issue.errors.find((inner) => !inner.some(({ code, path }) => code === "invalid_type" && path.length === 0));
  return chosen?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
};

const meantPath = (fault: ConfigFault): string | undefined =>
  fault.fault === "unknown-key" && fault.nearest !== undefined ? describePath([...fault.path.slice(0, -1), fault.nearest]) : undefined;

const keyFault = (input: unknown, parent: KeyPath, key: string, distance: Distance): ConfigFault => {
  const concept = conceptAt(parent);
  const common = { path: [...parent, key], value: at(valueAt(input, parent), key) };
  const why = absenceOf(concept, key);
  if (why !== undefined) return { fault: "absent-key", ...common, why };
  const instead = concept.instead?.[key];
  if (instead !== undefined) return { fault: "written-otherwise", ...common, instead };
  return {
    fault: "unknown-key",
    ...common,
    nearest: nearestName(key, concept.keys, distance),
    called: concept.called,
    known: concept.keys,
  };
};

const valueFault = (input: unknown, { path, message }: z.core.$ZodIssue): ConfigFault => {
  const value = valueAt(input, path);
  const uri = path.at(-1) === "to" ? at(valueAt(input, path.slice(0, -1)), "uri") : undefined;
  if (value === undefined && uri !== undefined)
    return { fault: "missing", path, value, must: `${message}: the uri ${describeDiscovery(uri)}` };
  return { fault: value === undefined ? "missing" : "invalid", path, value, must: message };
};
