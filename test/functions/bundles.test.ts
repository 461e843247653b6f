import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { bundling, standIns } from "../../infra/bundling.ts";

// Far from node_modules: what the bundle lacks it finds nowhere.
const outdir = mkdtempSync(join(tmpdir(), "spanmq-bundles-"));
afterAll(() => rmSync(outdir, { recursive: true }));

// Source tests never see what only a bundle has: a CommonJS dependency that requires a built-in.
test.for(["dispatch", "control", "deployment", "transfer"])("the bundle of %s loads and has its handler", async (name) => {
  await build({
    entryPoints: [`functions/${name}.entry.ts`],
    outfile: join(outdir, `${name}.mjs`),
    bundle: true,
    platform: "node",
    format: bundling.format,
    target: bundling.target,
    mainFields: bundling.mainFields,
    minify: bundling.minify,
    external: bundling.externalModules,
    alias: standIns,
    banner: { js: bundling.banner },
    logLevel: "warning",
  });
  const bundle = await import(/* @vite-ignore */ pathToFileURL(join(outdir, `${name}.mjs`)).href);
  expect(bundle.handler).toBeTypeOf("function");
});
