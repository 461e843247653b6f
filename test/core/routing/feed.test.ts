import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { brokerId, type LinkId, linkId } from "../../../core/ids.ts";
import { planFeed } from "../../../core/routing/feed.ts";
import type { Plan } from "../../../core/routing/plan.ts";
import type { ChoosyEnd, LinkCandidate } from "../../../core/routing/view.ts";
import { aLinkFrom } from "../../support/a-connector.ts";
import { aMessage } from "../../support/a-message.ts";

const connectors = [aLinkFrom("a", "b"), aLinkFrom("a", "c")].map((connector) => ({ ...connector, messageTTL: 2 }));
const to = (broker: string): LinkId => linkId(brokerId("a"), `to-${broker}`);
const link = (broker: string, fields: Partial<LinkCandidate> = {}): LinkCandidate => ({
  to: "link",
  id: `link:a:to-${broker}@0`,
  priority: 0,
  weight: 1,
  link: to(broker),
  ...fields,
});
const said = (plan: Plan): string => {
  if (plan.plan === "fan-out") return plan.targets.map((target) => (target.to === "link" ? target.link : target.queue)).join(" ");
  if (plan.plan === "hand-over" && plan.target.to === "link") return `${plan.target.link}${plan.target.fifo ? " in order" : ""}`;
  return `${plan.plan} ${plan.reason}`;
};

interface Row {
  readonly rule: string;
  readonly candidates?: readonly LinkCandidate[];
  readonly choosy?: readonly ChoosyEnd[];
  readonly path?: string;
  readonly waits?: readonly (readonly [LinkId, "breaker-open" | "behind-parked"])[];
  readonly goes: readonly string[];
}
const goingFrom =
  (topic: string) =>
  ({ candidates = [], choosy = [], path = "", waits = [], goes }: Row) => {
    const destination = destinationOf(topic);
    const properties = { colour: { type: "string", value: "red" } } as const;
    const message = aMessage({ destination, brokerPath: path.split("").map(brokerId), properties });
    const view = { destination, candidates, choosy, localSubscribers: false, readyAt: 0, changedAt: 0 };
    expect(planFeed(message, view, connectors, { forLinks: new Map(waits) }).map(said)).toEqual(goes);
  };

const [red, blue] = ["red", "blue"].map((colour) => `colour = '${colour}'`) as [string, string];
const end = (queue: string, selector: string, fed: { readonly fed?: true } = { fed: true }): ChoosyEnd => ({
  queue,
  selectors: [selector],
  ...fed,
});

describe("what a FIFO topic feeds", () => {
  test.for<Row>([
    { rule: "goes to each link that wants it", candidates: [link("b"), link("c")], goes: ["a:to-b in order", "a:to-c in order"] },
    { rule: "doesn't go back", candidates: [link("b"), link("c")], path: "b", goes: ["a:to-c in order"] },
    {
      rule: "goes once over a link that several want it by",
      candidates: [link("b"), link("b", { id: "link:a:to-b@5", priority: 5 })],
      goes: ["a:to-b in order"],
    },
    {
      rule: "is parked for a link behind what is parked for it, and goes to the other",
      candidates: [link("b"), link("c")],
      waits: [[to("b"), "behind-parked"]],
      goes: ["park behind-parked", "a:to-c in order"],
    },
    {
      rule: "is parked for a link whose breaker is open",
      candidates: [link("b"), link("c")],
      waits: [[to("c"), "breaker-open"]],
      goes: ["a:to-b in order", "park breaker-open"],
    },
    {
      rule: "crosses only where a selector takes it",
      candidates: [link("b", { selectors: [blue] }), link("c", { selectors: [blue, red] })],
      goes: ["a:to-c in order"],
    },
    { rule: "and nobody may get is dropped and counted", goes: ["drop no-subscriber"] },
  ])("$rule", goingFrom("topic://prices.fifo"));
});

describe("what a topic feeds", () => {
  test.for<Row>([
    {
      rule: "goes to the ends whose selector takes it, under one claim",
      choosy: [end("x.1", red), end("x.2", blue), end("x.3", "colour LIKE 'r%'")],
      goes: ["x.1 x.3"],
    },
    { rule: "doesn't go where SNS has brought it", choosy: [end("x.1", red, {})], goes: ["drop no-subscriber"] },
    { rule: "and no selector takes is dropped and counted", choosy: [end("x.1", blue)], goes: ["drop no-subscriber"] },
    { rule: "doesn't cross: SNS takes it to the links", candidates: [link("b")], choosy: [end("x.1", red)], goes: ["x.1"] },
    {
      rule: "crosses, too, while SNS may still follow a filter of before",
      candidates: [link("b", { fedUntil: 1_000, selectors: [red] }), link("c", { fedUntil: 999, selectors: [red] })],
      goes: ["a:to-b"],
    },
    {
      rule: "doesn't cross where SNS takes it whichever filter it follows",
      candidates: [link("b", { fedUntil: 1_000, bySns: [red] }), link("c", { fedUntil: 1_000, bySns: [blue] })],
      goes: ["a:to-c"],
    },
    {
      rule: "is parked for a link whose breaker is open",
      candidates: [link("b", { fedUntil: 2_000 })],
      waits: [[to("b"), "breaker-open"]],
      goes: ["park breaker-open"],
    },
  ])("$rule", goingFrom("topic://prices"));
});
