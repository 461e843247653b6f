import { Stack, Validations } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test, vi } from "vitest";
import type { NetworkInput } from "../../core/config/define-network.ts";
import { buildNetwork } from "../../infra/build-network.ts";
import { networkFrom } from "../../infra/read-network.ts";
import { anApp, pair } from "../support/template/networks.ts";

vi.stubEnv("CDK_DEFAULT_ACCOUNT", undefined); // whoever runs the tests may have credentials

const withOrder: NetworkInput = {
  network: "net",
  brokers: { a: { region: "us-east-1", queues: ["orders.fifo"], topics: ["prices.fifo"] }, b: { region: "eu-west-1" } },
  links: ["a <-> b"],
};

/** What AwsSolutions objects to and nobody gave a reason for. */
const findings = (app: ReturnType<typeof anApp>) =>
  new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    );

describe("cdk-nag's AwsSolutions", () => {
  test.for([
    { rule: "two accounts", network: pair },
    {
      rule: "an account that nobody named",
      network: { network: "net", brokers: { a: { region: "us-east-1" }, b: { region: "eu-south-1" } }, links: ["a <-> b"] },
    },
    { rule: "FIFO destinations that cross", network: withOrder },
    { rule: "alarms of what waits", network: withOrder, options: { alarmAfterSeconds: 300 } },
  ])("finds nothing unexplained in $rule", ({ network, options }) => {
    const app = anApp();
    buildNetwork(app, networkFrom(network), options);
    expect(findings(app)).toEqual([]);
  });

  test("would find a queue that isn't explained", () => {
    const app = anApp();
    new Queue(new Stack(app, "Bare"), "Queue");
    expect(findings(app)).toContainEqual(expect.stringMatching(/^AwsSolutions-SQS3 /));
  });

  test("is answered with reasons, each for a named finding", () => {
    const app = anApp();
    buildNetwork(app, networkFrom(pair));
    const reasons = app.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries<string>(data));
    expect(reasons.length).toBeGreaterThan(0);
    for (const [id, reason] of reasons) {
      expect(id).toMatch(/AwsSolutions-(SQS3|DDB3|IAM5\[Resource::.+\])$/);
      expect(reason.length).toBeGreaterThan(40);
    }
  });
});
