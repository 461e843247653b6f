const subReference = /\$\{([^!${}][^}]*)\}/g;

/** `{ "Ref": … }` and `{ "Fn::…": … }`: an object with that one key. */
export const asIntrinsic = (value: object): readonly [name: string, argument: unknown] | undefined => {
  const [entry, ...more] = Object.entries(value);
  return entry && more.length === 0 && (entry[0] === "Ref" || entry[0].startsWith("Fn::")) ? entry : undefined;
};

/** `["Queue", "Arn"]` and `"Queue.Arn"` name the same attribute. */
export const attributePath = (argument: unknown): readonly [logicalId: string, attribute: string] => {
  const [logicalId = "", ...attribute] = typeof argument === "string" ? argument.split(".") : (argument as string[]);
  return [logicalId, attribute.join(".")];
};

/** Replaces each `${…}` of an Fn::Sub text; `${!…}` is the literal `${…}`. */
export const substitute = (text: string, textOf: (reference: string) => string): string =>
  text.replaceAll(subReference, (_, reference: string) => textOf(reference)).replaceAll("${!", "${");

export const subParts = (argument: unknown): readonly [text: string, variables: Readonly<Record<string, unknown>>] =>
  typeof argument === "string" ? [argument, {}] : (argument as [string, Record<string, unknown>]);
