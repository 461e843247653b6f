import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type ParseError, parse, printParseErrorCode, visit } from "jsonc-parser";
import type { Network } from "../core/config/network.ts";
import { NetworkError, networkFrom } from "./read-network.ts";

const fileNames = ["network.ts", "network.jsonc"];

/** The network of a directory, or of the file that `named` names; without either, the example. Throws a `NetworkError`. */
export const loadNetwork = async (directory: string, named: string | undefined): Promise<Network> => {
  const path = named === undefined ? pathIn(directory) : resolve(directory, named);
  if (!existsSync(path)) throw new NetworkError([`no configuration at ${path}: ${howToMakeOne}`]);
  if (statSync(path).isDirectory()) throw new NetworkError([`${path} is a directory: name the file in it`]);
  const input = extname(path) === ".ts" ? await exportIn(path) : valueIn(path);
  try {
    return networkFrom(input);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new NetworkError(
      error.lines.map((line) => `${basename(path)}: ${line}`),
      { cause: error },
    );
  }
};

const howToMakeOne =
  "write one (examples/two-regions/network.jsonc is a beginning), or name another: cdk deploy -c network=path/to/network.jsonc";

const pathIn = (directory: string): string => {
  const found = fileNames.map((name) => join(directory, name)).filter(existsSync);
  if (found.length > 1)
    throw new NetworkError([`${directory} has both ${fileNames.join(" and ")}: remove one, or name one with -c network=`]);
  return found[0] ?? join(import.meta.dirname, "..", "examples", "two-regions", "network.jsonc");
};

const exportIn = async (path: string): Promise<unknown> => {
  const module: { readonly default?: unknown } = await import(pathToFileURL(path).href).catch((cause: unknown) => {
    throw new NetworkError([`${path} doesn't load: ${cause instanceof Error ? cause.message : String(cause)}`], { cause });
  });
  if (module.default === undefined) throw new NetworkError([`${path} exports no default: write \`export default defineNetwork({ … })\``]);
  return module.default;
};

const valueIn = (path: string): unknown => {
  const text = readFileSync(path, "utf8");
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0)
    throw new NetworkError(errors.map((error) => `${path}:${lineOf(text, error.offset)}: isn't valid JSON, ${brokenAt(text, error)}`));
  const twice = keysTwice(text);
  if (twice.length > 0)
    throw new NetworkError(twice.map(({ key, line }) => `${path}:${line}: \`${key}\` stands here for the second time; remove one`));
  return value;
};

/** `where "brokers" stands: comma expected`. */
const brokenAt = (text: string, { error, offset, length }: ParseError): string => {
  const found = text.slice(offset, offset + length);
  const why = printParseErrorCode(error).replace(/(?<=[a-z])[A-Z]/g, " $&");
  return `${found ? `where ${found} stands` : "at its end"}: ${why.toLowerCase()}`;
};

/** JSON lets the last of two equal keys win; whoever wrote both meant both. */
const keysTwice = (text: string): readonly { readonly key: string; readonly line: number }[] => {
  const open: Set<string>[] = [];
  const twice: { readonly key: string; readonly line: number }[] = [];
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (key, _offset, _length, line, _character, pathTo) => {
        const keys = open.at(-1);
        if (keys?.has(key)) twice.push({ key: [...pathTo(), key].join("."), line: line + 1 });
        keys?.add(key);
      },
    },
    { allowTrailingComma: true },
  );
  return twice;
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;
