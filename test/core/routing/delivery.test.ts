import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId, type LinkId, linkId } from "../../../core/ids.ts";
import { judgeDelivery } from "../../../core/routing/delivery.ts";
import type { DestinationView, Subscribers } from "../../../core/routing/view.ts";
import { aMessage } from "../../support/a-message.ts";

const [toB, toC] = ["to-b", "to-c"].map((connector) => linkId(brokerId("a"), connector)) as [LinkId, LinkId];
const links = [toB, toC];
const known = (fields: Partial<Subscribers> = {}): Partial<DestinationView> => ({
  subscribers: { queues: ["x.1", "x.2"], links, foreign: false, ...fields },
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `x.${index}`);

interface Row {
  readonly rule: string;
  readonly view?: Partial<DestinationView>;
  readonly topic?: string;
  readonly onward?: readonly LinkId[];
  readonly breakers?: readonly LinkId[];
  readonly expected: string;
}

describe("a topic message that came over a link is delivered", () => {
  test.for<Row>([
    { rule: "to each client's queue and each link that may get it", onward: [toB], expected: "x.1 x.2 a:to-b" },
    { rule: "to links alone", view: known({ queues: [] }), onward: links, expected: "a:to-b a:to-c" },
    { rule: "to clients alone, whatever other links do", breakers: [toB], view: known({ links: [] }), expected: "x.1 x.2" },
    { rule: "by SNS, where only SNS reaches somebody", view: known({ foreign: true }), expected: "publish native-subscriber" },
    { rule: "by SNS, which holds the copy, with a breaker open", onward: links, breakers: [toC], expected: "publish breaker-open" },
    {
      rule: "by SNS as long as a link isn't started",
      view: known({ links: [toB] }),
      onward: links,
      expected: "publish link-not-started",
    },
    { rule: "to twelve", view: known({ queues: numbered(11) }), onward: [toB], expected: `${numbered(11).join(" ")} a:to-b` },
    { rule: "by SNS to thirteen", view: known({ queues: numbered(12) }), onward: [toB], expected: "publish too-many-subscribers" },
    {
      rule: "to those whose selector takes it",
      view: { ...known({ queues: numbered(12) }), choosy: numbered(12).map((queue, n) => ({ queue, selectors: [`JMSPriority = ${n}`] })) },
      expected: "x.4",
    },
    {
      rule: "to nobody, if no selector takes it",
      view: { ...known(), choosy: ["x.1", "x.2"].map((queue) => ({ queue, selectors: ["JMSPriority > 4"] })) },
      expected: "",
    },
    { rule: "by SNS where an older view says nothing of subscribers", view: {}, expected: "publish local-subscribers" },
    { rule: "by SNS where it doesn't, onward too", view: { localSubscribers: false }, onward: links, expected: "publish network-demand" },
    { rule: "by SNS where nobody is known", view: known({ queues: [] }), expected: "publish local-subscribers" },
    { rule: "by SNS on a FIFO topic, which keeps its order", topic: "topic://prices.fifo", expected: "publish fifo" },
  ])("$rule", ({ view = known(), topic = "topic://prices", onward = [], breakers = [], expected }) => {
    const seen = { destination: destinationOf(topic), candidates: [], localSubscribers: true, readyAt: 0, changedAt: 0, ...view };
    const delivery = judgeDelivery(aMessage({ destination: seen.destination }), seen, onward, breakers);
    const said =
      delivery.deliver === "direct"
        ? delivery.targets.map((target) => (target.to === "link" ? target.link : target.queue)).join(" ")
        : `publish ${delivery.why}`;
    expect(said).toBe(expected);
  });
});
