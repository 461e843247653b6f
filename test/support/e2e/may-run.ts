import { installMiniStack, pythonVersion } from "./install.ts";

/** What decides whether a network can be deployed here. */
export interface Surroundings {
  /** By name: `npm run e2e`. Then whatever is missing is a failure. */
  readonly asked: boolean;
  readonly ci: boolean;
  /** Version of `python3`, such as 3.11.7; none where there is no such command. */
  readonly python: string | undefined;
}

/** Why no network is deployed here; nothing where one can be. MiniStack is a Python program: all else needs Node and npm alone. */
export const whyNot = ({ asked, ci, python }: Surroundings): string | undefined => {
  if (ci && !asked)
    return "nothing is deployed in CI, which needs Node and npm alone; `npm run e2e` deploys on MiniStack, which needs Python";
  if (python === undefined) return "nothing is deployed: MiniStack needs Python 3.10 or later, and there is no python3 here";
  const [major = 0, minor = 0] = python.split(".").map(Number);
  if (major < 3 || (major === 3 && minor < 10))
    return `nothing is deployed: MiniStack needs Python 3.10 or later, and python3 is ${python}`;
  return undefined;
};

/** MiniStack's command, or why there is none. */
export type Prepared = { readonly command: string } | { readonly why: string };

export const prepare = async (env: Readonly<Record<string, string | undefined>>): Promise<Prepared> => {
  const asked = env.npm_lifecycle_event === "e2e";
  const why = whyNot({ asked, ci: Boolean(env.CI), python: await pythonVersion() });
  try {
    if (why !== undefined) throw new Error(why);
    return { command: await installMiniStack() };
  } catch (error) {
    if (asked) throw error;
    return { why: error instanceof Error ? error.message : String(error) };
  }
};
