import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import cdk from "../../cdk.json" with { type: "json" };
import { folderWith } from "../support/folder-with.ts";

const app = join(import.meta.dirname, "..", "..", "infra", "app.ts");

/** As the CDK's command line runs it, with neither region nor credentials. */
const synth = (directory: string, context: Readonly<Record<string, unknown>> = {}) => {
  const out = join(directory, "cdk.out");
  mkdirSync(out);
  const { status, stderr } = spawnSync(process.execPath, [app], {
    cwd: directory,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      CDK_OUTDIR: out,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdk.context, "aws:cdk:bundling-stacks": [], ...context }),
    },
  });
  const templates = readdirSync(out).filter((name) => name.endsWith(".template.json"));
  return { status, lines: stderr.trimEnd().split("\n"), templates };
};

describe("the CDK app", () => {
  test("synthesises the example where there is no configuration, and cdk-nag finds nothing unexplained", () => {
    const { status, templates } = synth(folderWith({}));
    expect({ status, templates }).toEqual({ status: 0, templates: ["spanmq-orders-eu.template.json", "spanmq-orders-us.template.json"] });
  });

  test("says each mistake on a line of its own, with path, value and what was meant, and synthesises nothing", () => {
    const config = `{ "network": "net", "brokers": {
      "us": { "region": "us-east-1", "queus": ["a"], "networkConnectors": [{ "name": "x", "to": "ue" }] },
      "eu": { "region": "Europe" } } }`;
    const { status, templates, lines } = synth(folderWith({ "other.jsonc": config }), { network: "other.jsonc" });
    expect({ status, templates }).toEqual({ status: 1, templates: [] });
    expect(lines).toEqual([
      expect.stringMatching(/^other\.jsonc: `brokers\.us\.queus`.*`queues`/),
      expect.stringMatching(/^other\.jsonc: `brokers\.us\.networkConnectors\.0\.to` \("ue"\).*`(us|eu)`/),
      expect.stringMatching(/^other\.jsonc: `brokers\.eu\.region` \("Europe"\)/),
    ]);
  });

  test("says where it looked for a file that is missing, and how to make one", () => {
    const { status, templates, lines } = synth(folderWith({}), { network: "nowhere.jsonc" });
    expect({ status, templates }).toEqual({ status: 1, templates: [] });
    expect(lines).toEqual([
      expect.stringMatching(/^no configuration at .*nowhere\.jsonc: write one \(examples\/two-regions\/network\.jsonc/),
    ]);
  });
});
