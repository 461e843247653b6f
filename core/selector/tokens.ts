/** One word of a selector's text. Keywords are upper case here, however they were written. */
export interface Token {
  readonly kind: "name" | "keyword" | "string" | "float" | "hex" | "octal" | "decimal" | "symbol" | "stray" | "end";
  readonly text: string;
  /** Where it begins and ends in the text, from 0. */
  readonly from: number;
  readonly to: number;
}

const keywords = new Set("NOT AND OR BETWEEN LIKE ESCAPE IN IS TRUE FALSE NULL XPATH XQUERY".split(" "));

/** A line comment needs its line's end: without it, `--` is minus minus. Of numbers the longest form comes first. */
const word = new RegExp(
  [
    /[ \t\n\r\f]+|--[^\n\r]*[\n\r]|\/\*[\s\S]*?\*\//,
    /(?<string>'(?:''|[^'])*'(?!'))/,
    /(?<float>\d+\.\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|\d+e[+-]?\d+)/,
    /(?<hex>0x[\da-f]+)/,
    /(?<octal>0[0-7]*)/,
    /(?<decimal>[1-9]\d*l?)/,
    /(?<name>[a-z_$][\w$]*)/,
    /(?<symbol><>|>=|<=|[=<>()+*/%,-])/,
    /(?<stray>[\ud800-\udbff][\udc00-\udfff]|[\s\S])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

/** Takes any text apart: what no word may begin with is a stray, which no rule of the grammar wants. */
export const tokensOf = (text: string): readonly Token[] => {
  const tokens = [...text.matchAll(word)].flatMap(({ 0: found, index, groups = {} }): Token[] => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) as Token["kind"] | undefined;
    return kind === undefined ? [] : [{ ...worded(kind, found), from: index, to: index + found.length }];
  });
  return [...tokens, { kind: "end", text: "", from: text.length, to: text.length }];
};

const worded = (kind: Token["kind"], text: string): Pick<Token, "kind" | "text"> =>
  kind === "name" && keywords.has(text.toUpperCase()) ? { kind: "keyword", text: text.toUpperCase() } : { kind, text };
