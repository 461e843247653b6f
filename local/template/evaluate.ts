import { asIntrinsic, attributePath, subParts, substitute } from "./intrinsics.ts";

/** What a template's references stand for. Both throw on what they don't know. */
export interface References {
  ref(name: string): string | undefined;
  attribute(logicalId: string, attribute: string): string;
}

/** A value with every intrinsic replaced; what refers to AWS::NoValue is left out. */
export const evaluate = (value: unknown, references: References): unknown => {
  if (Array.isArray(value)) return value.map((item) => evaluate(item, references)).filter((item) => item !== undefined);
  if (typeof value !== "object" || value === null) return value;
  const intrinsic = asIntrinsic(value);
  if (intrinsic) return evaluateIntrinsic(intrinsic[0], intrinsic[1], references);
  const entries = Object.entries(value).map(([key, item]) => [key, evaluate(item, references)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
};

const evaluateIntrinsic = (name: string, argument: unknown, references: References): unknown => {
  switch (name) {
    case "Ref":
      return references.ref(argument as string);
    case "Fn::GetAtt":
      return references.attribute(...attributePath(argument));
    case "Fn::Join":
      return join(evaluate(argument, references) as [string, string[]]);
    case "Fn::Sub":
      return sub(argument, references);
    default:
      throw new Error(`${name} is unknown to the embedded runtime: add it to local/template/evaluate.ts`);
  }
};

const join = ([separator, parts]: readonly [string, readonly string[]]): string => parts.join(separator);

const sub = (argument: unknown, references: References): string => {
  const [text, variables] = subParts(argument);
  return substitute(text, (reference) => {
    if (reference in variables) return String(evaluate(variables[reference], references));
    return String(reference.includes(".") ? references.attribute(...attributePath(reference)) : references.ref(reference));
  });
};
