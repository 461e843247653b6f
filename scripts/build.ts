/** Bundles every handler entry as it is deployed, and prints what each costs: bytes, and milliseconds to load in a fresh Node process. */
import { execFile } from "node:child_process";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { bundling } from "../infra/bundling.ts";

const outdir = "dist/functions";
/** KB of minified code a handler may have: cold starts of the data path grow with it. */
const limits: Readonly<Record<string, number>> = { dispatch: 650 };

interface Row {
  readonly handler: string;
  readonly bytes: number;
  readonly loadMs: number;
}

const handlerOf = (entry: string): string => basename(entry).replace(/\.entry\.\w+$/, "");

const bundle = (entries: readonly string[]) =>
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
    banner: { js: bundling.banner },
    logLevel: "warning",
  });

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const timeLoad = async (file: string): Promise<number> => {
  const script = `const t = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - t);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  return Number(stdout);
};

const measure = async (entry: string): Promise<Row> => {
  const file = join(process.cwd(), outdir, basename(entry).replace(/\.ts$/, ".mjs"));
  const times = [await timeLoad(file), await timeLoad(file), await timeLoad(file)];
  return { handler: handlerOf(entry), bytes: (await stat(file)).size, loadMs: median(times) };
};

const print = (rows: readonly Row[]): void => {
  console.log("handler        bytes    KB minified   module load ms");
  for (const { handler, bytes, loadMs } of rows)
    console.log(
      [handler.padEnd(10), `${bytes}`.padStart(9), (bytes / 1000).toFixed(1).padStart(14), loadMs.toFixed(0).padStart(16)].join(""),
    );
};

const entries = (await readdir("functions")).filter((file) => file.endsWith(".entry.ts")).map((file) => join("functions", file));
if (entries.length === 0) throw new Error("no handler to build: functions/*.entry.ts matches nothing; run this in the repository's root");

await rm(outdir, { recursive: true, force: true });
await bundle(entries);
const rows: Row[] = [];
for (const entry of entries) rows.push(await measure(entry));
print(rows);

for (const { handler, bytes } of rows) {
  const limit = limits[handler];
  if (limit === undefined || bytes <= limit * 1000) continue;
  console.error(
    `${handler} is ${(bytes / 1000).toFixed(1)} KB minified, over its limit of ${limit} KB: find what was added with \`npx esbuild --analyze\``,
  );
  process.exitCode = 1;
}
