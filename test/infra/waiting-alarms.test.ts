import { describe, expect, test } from "vitest";
import type { NetworkInput } from "../../core/config/define-network.ts";
import type { BrokerStackOptions } from "../../infra/broker-stack-options.ts";
import { deployed } from "../support/template/deployed.ts";
import { euAccount, pair, stackOf, usAccount } from "../support/template/networks.ts";

const ordered: NetworkInput = {
  network: "net",
  brokers: {
    a: { region: "us-east-1", account: usAccount, queues: ["orders.fifo"] },
    b: { region: "eu-west-1", account: euAccount },
  },
  links: ["a <-> b"],
  jmsBridges: [
    {
      name: "copy",
      source: { broker: "a", destination: "legacy" },
      target: { broker: "b", destination: "orders" },
      qualityOfServiceMode: "DUPLICATES_OK",
    },
  ],
};

const alarmsOf = (network: NetworkInput, broker: string, options: BrokerStackOptions) =>
  deployed(stackOf(network, broker, options)).ofType("AWS::CloudWatch::Alarm");
const alarmed = (network: NetworkInput, broker: string) =>
  alarmsOf(network, broker, { alarmAfterSeconds: 300 }).map(({ properties }) => properties.Dimensions[0].Value);

describe("N26 what waits for a peer that is full", () => {
  test("raises an alarm wherever it may wait: an inbound, an undelivered, a declared queue", () => {
    expect(alarmed(pair, "us").toSorted()).toEqual([
      "spanmq-orders-us-in-eu-us_-eu",
      "spanmq-orders-us-q-orders-new",
      "spanmq-orders-us-sys-undelivered-us_-eu",
    ]);
  });

  test("raises it on ordered ways and behind JMS bridges, too", () => {
    expect(alarmed(ordered, "a").toSorted()).toEqual([
      "spanmq-net-a-in-b-a_-b",
      "spanmq-net-a-in-b-a_-b.fifo",
      "spanmq-net-a-q-legacy",
      "spanmq-net-a-q-orders.fifo",
      "spanmq-net-a-sys-bridge-copy-undelivered",
      "spanmq-net-a-sys-undelivered-a_-b",
      "spanmq-net-a-sys-undelivered-a_-b.fifo",
    ]);
  });

  test("raises it in the minute in which the oldest message has waited for so long, and ends it when nothing waits", () => {
    const [alarm] = alarmsOf(pair, "eu", { alarmAfterSeconds: 300 });
    expect(alarm?.properties).toMatchObject({
      ...{ Namespace: "AWS/SQS", MetricName: "ApproximateAgeOfOldestMessage", Statistic: "Maximum", Period: 60 },
      ...{ Threshold: 300, ComparisonOperator: "GreaterThanOrEqualToThreshold", EvaluationPeriods: 1, TreatMissingData: "notBreaching" },
    });
    expect(alarm?.properties.AlarmDescription).toMatch(/^spanmq-orders-eu: .* 300 s/);
  });

  test("raises none unless it is asked for", () => {
    expect(alarmsOf(pair, "us", {})).toEqual([]);
  });

  test.for([0, -1, Number.NaN])("has no alarm after %d seconds", (alarmAfterSeconds) => {
    expect(() => stackOf(pair, "us", { alarmAfterSeconds })).toThrow(/alarmAfterSeconds.*more than 0/);
  });

  test("can be told to whoever CDK code names, of a queue declared later too", () => {
    const stack = stackOf(pair, "us", { alarmAfterSeconds: 300 });
    stack.queue("more");
    const pager = "arn:aws:sns:us-east-1:111111111111:pager";
    for (const alarm of stack.alarms) alarm.addAlarmAction({ bind: () => ({ alarmActionArn: pager }) });
    const actions = deployed(stack)
      .ofType("AWS::CloudWatch::Alarm")
      .map(({ properties }) => properties.AlarmActions);
    expect(actions).toEqual([[pager], [pager], [pager], [pager]]);
  });
});
