import { hash } from "node:crypto";

/*
 * Ed25519 costs more than all else that dispatch does, so texts that go together get one signature: over the root of the tree of their
 * digests. Each text carries it with the digests that lead from its own to the root, `signature:digest:digest…`, and is checked alone.
 * A text that is signed alone carries its own signature.
 */

type SignText = (text: string) => string;
type VerifyText = (text: string, signature: string) => boolean;

export const signTogether = (texts: readonly string[], sign: SignText): readonly string[] => {
  const [only, another] = texts;
  if (only === undefined || another === undefined) return texts.map(sign);
  const tree = treeOver(texts.map(leaf));
  const signature = sign(signedRoot(tree.at(-1)?.[0] ?? ""));
  return texts.map((_, index) => [signature, ...pathFrom(index, tree)].join(":"));
};

export const verifyAlone = (text: string, carried: string, verify: VerifyText): boolean => {
  const [signature = "", ...path] = carried.split(":");
  return verify(path.length === 0 ? text : signedRoot(path.reduce(parent, leaf(text))), signature);
};

/** No message's signed text looks like that. */
const signedRoot = (root: string): string => `SpanMQ messages ${root}`;

const digest = (text: string): string => hash("sha256", text, "base64url");
const leaf = (text: string): string => digest(`message ${text}`);
/** Two digests in their own order: a path needn't say on which side each of its steps stands. */
const parent = (one: string, other: string): string => digest(`digests ${one < other ? one + other : other + one}`);

type Tree = readonly (readonly string[])[];

/** All levels, the leaves first. What has no neighbour stands on the next level as it is. */
const treeOver = (level: readonly string[]): Tree => {
  if (level.length === 1) return [level];
  const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, pair) => level.slice(2 * pair, 2 * pair + 2));
  return [level, ...treeOver(pairs.map(([one = "", other]) => (other === undefined ? one : parent(one, other))))];
};

const pathFrom = (leafIndex: number, tree: Tree): readonly string[] =>
  tree.flatMap((level, height) => level[(leafIndex >> height) ^ 1] ?? []);
