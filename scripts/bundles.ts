import { execFile } from "node:child_process";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { bundling, standIns } from "../infra/bundling.ts";

/** What a handler costs as it is deployed. */
export interface Bundle {
  readonly handler: string;
  /** Minified. */
  readonly bytes: number;
  /** Milliseconds to load it in a fresh Node process, the median of three. */
  readonly loadMs: number;
}

/** KB of minified code that a handler may have: cold starts grow with it, and a dependency that slips in shows. */
export const limits: Readonly<Record<string, number>> = { dispatch: 650, control: 700, deployment: 550, transfer: 650 };

/** Bundles every handler entry as it is deployed into a folder, which is emptied before, and measures each. */
export const measureBundles = async (outdir: string): Promise<readonly Bundle[]> => {
  const entries = (await readdir("functions")).filter((file) => file.endsWith(".entry.ts")).map((file) => join("functions", file));
  if (entries.length === 0) throw new Error("no handler to build: functions/*.entry.ts matches nothing; run this in the repository's root");
  await rm(outdir, { recursive: true, force: true });
  await bundle(entries, outdir);
  const bundles: Bundle[] = [];
  for (const entry of entries) bundles.push(await measure(entry, outdir));
  return bundles;
};

const bundle = (entries: readonly string[], outdir: string) =>
  build({
    entryPoints: [...entries],
    outdir,
    bundle: true,
    minify: bundling.minify,
    sourcemap: bundling.sourceMap,
    platform: "node",
    format: bundling.format,
    target: bundling.target,
    mainFields: bundling.mainFields,
    outExtension: { ".js": ".mjs" },
    alias: standIns,
    banner: { js: bundling.banner },
    logLevel: "warning",
  });

const measure = async (entry: string, outdir: string): Promise<Bundle> => {
  const file = resolve(outdir, basename(entry).replace(/\.ts$/, ".mjs"));
  const times = [await timeLoad(file), await timeLoad(file), await timeLoad(file)];
  return {
    handler: basename(entry, ".entry.ts"),
    bytes: (await stat(file)).size,
    loadMs: times.toSorted((a, b) => a - b)[1] ?? Number.NaN,
  };
};

const timeLoad = async (file: string): Promise<number> => {
  const script = `const t = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - t);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  return Number(stdout);
};
