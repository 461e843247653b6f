import { asIntrinsic, attributePath, subParts, substitute } from "./intrinsics.ts";
import type { ResourceDefinition, Template } from "./template.ts";

/** Logical ids so that each stands after all it refers to or depends on; otherwise in the template's order. */
export const creationOrder = (resources: Template["Resources"]): readonly string[] => {
  const ordered = new Set<string>();
  const visit = (logicalId: string, path: readonly string[]): void => {
    const definition = resources[logicalId];
    if (!definition || ordered.has(logicalId)) return;
    if (path.includes(logicalId)) throw new Error(`resources depend on each other in a circle: ${[...path, logicalId].join(" → ")}`);
    for (const needed of neededBy(definition)) visit(needed, [...path, logicalId]);
    ordered.add(logicalId);
  };
  for (const logicalId of Object.keys(resources)) visit(logicalId, []);
  return [...ordered];
};

const neededBy = (definition: ResourceDefinition): readonly string[] => [...definition.DependsOn, ...referredTo(definition.Properties)];

const referredTo = (value: unknown): readonly string[] => {
  if (typeof value !== "object" || value === null) return [];
  const intrinsic = Array.isArray(value) ? undefined : asIntrinsic(value);
  if (intrinsic?.[0] === "Ref") return [intrinsic[1] as string];
  if (intrinsic?.[0] === "Fn::GetAtt") return [attributePath(intrinsic[1])[0]];
  if (intrinsic?.[0] === "Fn::Sub") return referredToBySub(intrinsic[1]);
  return Object.values(value).flatMap(referredTo);
};

const referredToBySub = (argument: unknown): readonly string[] => {
  const [text, variables] = subParts(argument);
  const names: string[] = [];
  substitute(text, (reference) => {
    names.push(attributePath(reference)[0]);
    return "";
  });
  return [...names, ...referredTo(variables)];
};
