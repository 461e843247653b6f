/** Bundles every handler entry as it is deployed, and prints what each costs: bytes, and milliseconds to load in a fresh Node process. */
import { parseArgs } from "node:util";
import { type Bundle, limits, measureBundles } from "./bundles.ts";

const help = `npm run build

Bundles the handlers to dist/functions as they are deployed, and prints the size of each and how long it takes to load.

  --help  this`;

if (parseArgs({ options: { help: { type: "boolean" } } }).values.help) {
  console.log(help);
  process.exit(0);
}

const print = (bundles: readonly Bundle[]): void => {
  console.log("handler        bytes    KB minified   module load ms");
  for (const { handler, bytes, loadMs } of bundles)
    console.log(
      [handler.padEnd(10), `${bytes}`.padStart(9), (bytes / 1000).toFixed(1).padStart(14), loadMs.toFixed(0).padStart(16)].join(""),
    );
};

const bundles = await measureBundles("dist/functions");
print(bundles);

for (const { handler, bytes } of bundles) {
  const limit = limits[handler] ?? 0;
  if (bytes <= limit * 1000) continue;
  console.error(
    `${handler} is ${(bytes / 1000).toFixed(1)} KB minified, over its limit of ${limit} KB: find what was added with \`npx esbuild --analyze\``,
  );
  process.exitCode = 1;
}
