import { type Token, tokensOf } from "./tokens.ts";

/** Where a text stops being a selector, and why. */
export interface SelectorError {
  readonly fault: "selector-syntax";
  /** Counted from 1. */
  readonly column: number;
  readonly expected: string;
  /** What stands there. */
  readonly found: string;
  /** The whole sentence. */
  readonly message: string;
}

export class Refusal extends Error {
  readonly error: SelectorError;
  constructor(error: SelectorError) {
    super(error.message);
    this.error = error;
  }
}

/** A stretch of the text, from 0. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** How deep a tree may get: neither compiling nor evaluating one may exhaust the stack. */
const deepest = 100;

/** Walks through the words of a selector; what can't be one ends in a `Refusal`. */
export class Cursor {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  /** The first `skipped` characters are no part of it, but columns count them. */
  constructor(text: string, skipped: number) {
    this.#text = text;
    this.#tokens = tokensOf(" ".repeat(skipped) + text.slice(skipped));
  }

  get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  /** Where the last word that was taken ends. */
  get passed(): number {
    return this.#tokens[this.#at - 1]?.to ?? 0;
  }

  step(): Token {
    const token = this.next;
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  /** Is it one of these keywords or symbols? */
  sees(texts: readonly string[]): boolean {
    const { kind, text } = this.next;
    return (kind === "keyword" || kind === "symbol") && texts.includes(text);
  }

  takes(text: string): boolean {
    const isNext = this.sees([text]);
    if (isNext) this.step();
    return isNext;
  }

  require(text: string): void {
    if (!this.takes(text)) this.refuse(text);
  }

  /** One level further down, as long as `inside` runs. */
  deeper<T>(inside: () => T): T {
    this.deepen();
    const value = inside();
    this.#depth -= 1;
    return value;
  }

  /** One level for good: a chain of operators nests to the left. */
  deepen(): void {
    this.#depth += 1;
    if (this.#depth > deepest) this.refuse(`at most ${deepest} levels`);
  }

  refuse(expected: string, { from, to }: Span = this.next): never {
    const column = from + 1;
    const found = describe(this.#text.slice(from, to));
    const message = `the selector breaks at column ${column}: expected ${expected}, found ${found}, in: ${this.#text}`;
    throw new Refusal({ fault: "selector-syntax", column, expected, found, message });
  }
}

const describe = (found: string): string => {
  if (found === "") return "the end";
  return found === "'" ? "a string without its closing quote" : found;
};
