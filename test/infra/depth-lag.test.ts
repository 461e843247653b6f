import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { depthLagOf } from "../../infra/depth-lag.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { deployed } from "../support/template/deployed.ts";
import { pair, stackOf } from "../support/template/networks.ts";

const lagWith = (given?: unknown) =>
  depthLagOf(new App({ outdir: scratchFolder(), context: given === undefined ? {} : { "spanmq:depthLagSeconds": given } }));

describe("the lag of SQS's figures", () => {
  test.for([
    { rule: "is a minute on AWS", given: undefined, seconds: 60 },
    { rule: "may be none", given: 0, seconds: 0 },
    { rule: "is a text on the command line", given: "1", seconds: 1 },
    { rule: "may have parts of a second", given: "0.5", seconds: 0.5 },
  ])("$rule", ({ given, seconds }) => {
    expect(lagWith(given)).toBe(seconds);
  });

  test.for([-1, 121, "soon", ""])("isn't %o", (given) => {
    expect(() => lagWith(given)).toThrow(/spanmq:depthLagSeconds.*0 to 120; AWS needs 60/);
  });

  test("reaches the deployment's function, which has the time for it", () => {
    const { properties } = deployed(stackOf(pair, "us")).named("AWS::Lambda::Function", "FunctionName", "spanmq-orders-us-deployment");
    const lag = Number(properties.Environment.Variables.SPANMQ_DEPTH_LAG_SECONDS);
    expect(lag).toBe(60);
    expect(properties.Timeout).toBeGreaterThan(6 * 120);
    expect(properties.Timeout).toBeLessThanOrEqual(900);
  });
});
