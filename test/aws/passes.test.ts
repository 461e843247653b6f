import { LambdaClient } from "@aws-sdk/client-lambda";
import { describe, expect, test } from "vitest";
import { lambdaPasses } from "../../aws/passes.ts";
import { stubbed } from "../support/stub.ts";
import { orders } from "./fixtures.ts";

describe("passes", () => {
  test("an order is the function's event, and nobody waits for its end", async () => {
    const calls: { readonly Payload: string }[] = [];
    const lambda = stubbed(new LambdaClient({ region: "us-east-1" }), (input: { readonly Payload: string }) => calls.push(input) && {});
    const order = { place: orders, pass: "p", counter: 3, viewRevision: 4 };
    await lambdaPasses(lambda, "spanmq-net-us-dispatch").start(order);
    expect(calls).toMatchObject([{ FunctionName: "spanmq-net-us-dispatch", InvocationType: "Event" }]);
    expect(JSON.parse(calls[0]?.Payload ?? "")).toEqual(order);
  });
});
