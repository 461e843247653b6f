import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import cdk from "../cdk.json" with { type: "json" };
import type { Network } from "../core/config/network.ts";
import type { BrokerStackOptions } from "../infra/broker-stack-options.ts";
import { buildNetwork } from "../infra/build-network.ts";
import { readStack, type Stack } from "./template/template.ts";

/** The stacks of a network in the order of their deployment: what `cdk deploy` would send, but for the bundles. */
export const synthesise = (network: Network, options: BrokerStackOptions): readonly Stack[] => {
  const outdir = mkdtempSync(join(tmpdir(), "spanmq-"));
  try {
    const app = new App({
      outdir,
      analyticsReporting: false,
      context: { ...cdk.context, "aws:cdk:bundling-stacks": [], "spanmq:depthLagSeconds": 1 },
    });
    buildNetwork(app, network, options);
    return app.synth().stacks.map(({ stackName, environment, template }) => readStack(stackName, environment.region, template));
  } finally {
    rmSync(outdir, { recursive: true });
  }
};
