import { type BundlingOptions, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";

/** How a handler becomes one file: what is deployed, measured and tested is the same, the AWS SDK included. */
export const bundling = {
  format: OutputFormat.ESM,
  target: "node24",
  mainFields: ["module", "main"],
  minify: true,
  sourceMap: true,
  externalModules: [],
  // A CommonJS dependency that requires a Node built-in at run time finds no `require` in an ES module.
  banner: 'import { createRequire as spanmqCreateRequire } from "node:module"; const require = spanmqCreateRequire(import.meta.url);',
} satisfies BundlingOptions;
