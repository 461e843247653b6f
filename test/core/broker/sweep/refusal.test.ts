import { describe, expect, test } from "vitest";
import { refusedDestroy, refusedUpdate } from "../../../../core/broker/sweep/refusal.ts";
import { brokerId, linkId } from "../../../../core/ids.ts";

const us = brokerId("us");
const left = [
  { queue: "spanmq-orders-us-sys-ingress", messages: 1 },
  { queue: "spanmq-orders-us-q-orders-new", messages: 12 },
];

describe("a refusal", () => {
  test("of a destroy names each queue with its count and says what to do", () => {
    expect(refusedDestroy(us, left)).toBe(
      "broker us still holds messages, so nothing was deleted and it works on: spanmq-orders-us-sys-ingress (1), spanmq-orders-us-q-orders-new (12). " +
        "Consume, move or purge them and destroy again. " +
        'A broker that may go with its messages is deployed with "removalPolicy": "destroy" before it is destroyed.',
    );
  });

  test("of a deployment says that it takes two", () => {
    const said = refusedUpdate(us, { running: [], left });
    expect(said).toMatch(/^this deployment of broker us .* spanmq-orders-us-q-orders-new \(12\)\. .*two deployments/);
    expect(said).toContain('"removalPolicy": "destroy"');
  });

  test("of a deployment says how a JMS bridge goes, whose configuration takes no `removed`", () => {
    const parked = [{ queue: "spanmq-orders-us-sys-bridge-archive-undelivered", messages: 3 }];
    expect(refusedUpdate(us, { running: [], left: parked })).toContain(
      "A JMS bridge goes in one: stop what sends to its source, wait until nothing is left there nor here, then take it out. ",
    );
  });

  test("of a deployment names the links that run, and why, before the queues", () => {
    const running = [{ link: linkId(us, "us-eu"), why: "is draining: 3 messages undelivered, 1 topics subscribed" }];
    expect(refusedUpdate(us, { running, left })).toContain(
      "rolled back: link us:us-eu is draining: 3 messages undelivered, 1 topics subscribed; spanmq-orders-us-sys-ingress (1), ",
    );
  });

  test("is none where nothing is left", () => {
    expect(refusedUpdate(us, { running: [], left: [] })).toBeUndefined();
  });

  test("of many queues fits into what CloudFormation shows", () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ queue: `spanmq-orders-us-q-${"x".repeat(50)}${i}`, messages: i + 1 }));
    expect(refusedDestroy(us, many)).toMatch(/\(20\), 480 more queues\. /);
    expect(refusedDestroy(us, many).length).toBeLessThan(3_000);
  });
});
