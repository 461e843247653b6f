import { fileURLToPath } from "node:url";
import { type BundlingOptions, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";

/** Modules that a bundle has in another's place. */
export const standIns = {
  "@aws-sdk/credential-provider-node": fileURLToPath(new URL("../aws/lambda-credentials.ts", import.meta.url)),
};

/** How a handler becomes one file: what is deployed, measured and tested is the same, the AWS SDK included. */
export const bundling = {
  format: OutputFormat.ESM,
  target: "node24",
  mainFields: ["module", "main"],
  minify: true,
  sourceMap: true,
  externalModules: [],
  esbuildArgs: Object.fromEntries(Object.entries(standIns).map(([module, file]) => [`--alias:${module}`, file])),
  // A CommonJS dependency that requires a Node built-in at run time finds no `require` in an ES module.
  banner: 'import { createRequire as spanmqCreateRequire } from "node:module"; const require = spanmqCreateRequire(import.meta.url);',
} satisfies BundlingOptions;
