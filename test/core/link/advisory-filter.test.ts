import { describe, expect, test } from "vitest";
import { destinationOf } from "../../../core/destination/destination.ts";
import { advisoryFilterOf, hears } from "../../../core/link/advisory-filter.ts";
import { aLinkFrom } from "../../support/a-connector.ts";
import { aConnector, networkOf } from "../config/parse.ts";

const consumer = "ActiveMQ.Advisory.Consumer.";

describe("a connector listens", () => {
  test.for([
    { rule: "to everything by default", keys: {}, filter: [`${consumer}>`] },
    {
      rule: "to its dynamic list, whatever else it includes",
      keys: { dynamicallyIncludedDestinations: ["queue://o.>", "topic://t"], staticallyIncludedDestinations: ["queue://s"] },
      filter: [`${consumer}Queue.o.>`, `${consumer}Topic.t`],
    },
    { rule: "C7 to everything with an empty list", keys: { dynamicallyIncludedDestinations: [] }, filter: [`${consumer}>`] },
    {
      rule: "C7 to none of its temporary destinations",
      keys: { dynamicallyIncludedDestinations: ["queue://TEST.>", "topic://TEST.>", "temp-queue://TEST.>"] },
      filter: [`${consumer}Queue.TEST.>`, `${consumer}Topic.TEST.>`],
    },
    {
      rule: "to each part of a composite entry",
      keys: { dynamicallyIncludedDestinations: ["queue://a,topic://b"] },
      filter: [`${consumer}Queue.a`, `${consumer}Topic.b`],
    },
    {
      rule: "ADV-4: to destinationFilter instead of its dynamic list",
      keys: { destinationFilter: "Queue.b", dynamicallyIncludedDestinations: ["queue://a"] },
      filter: [`${consumer}Queue.b`],
    },
    {
      rule: "ADV-4: the prefix is put in front once",
      keys: { destinationFilter: "Queue.a,Topic.b" },
      filter: [`${consumer}Queue.a`, "Topic.b"],
    },
    { rule: "ADV-4: a whole name stays as it is", keys: { destinationFilter: `${consumer}Topic.>` }, filter: [`${consumer}Topic.>`] },
    { rule: "M6: to nothing as a static bridge", keys: { staticBridge: true, destinationFilter: ">" }, filter: [] },
  ])("$rule", ({ keys, filter }) => {
    expect(advisoryFilterOf(aLinkFrom("a", "b", keys))).toEqual(filter);
  });
});

test("B23 the other direction of a duplex connector listens to the same dynamic list", () => {
  const dynamicallyIncludedDestinations = ["queue://include.test.foo", "topic://include.test.bar"];
  const { connectors } = networkOf(aConnector({ duplex: true, dynamicallyIncludedDestinations }));
  const filter = [`${consumer}Queue.include.test.foo`, `${consumer}Topic.include.test.bar`];
  expect(connectors.map((connector) => [connector.from, advisoryFilterOf(connector)])).toEqual([
    ["us", filter],
    ["eu", filter],
  ]);
});

describe("hears", () => {
  test.for([
    { rule: "all", filter: [">"], destination: "topic://x", is: true },
    { rule: "a name itself", filter: ["Queue.x"], destination: "queue://x", is: true },
    { rule: "what a pattern matches", filter: ["Queue.o.>"], destination: "queue://o.a.b", is: true },
    { rule: "nothing else", filter: ["Queue.o.>"], destination: "queue://p", is: false },
    { rule: "of one kind only", filter: ["Queue.x"], destination: "topic://x", is: false },
    { rule: "by any of several", filter: ["Queue.x", "Topic.y"], destination: "topic://y", is: true },
    { rule: "W7: a pattern as a name", filter: ["Queue.o.>"], destination: "queue://>", is: false },
    { rule: "W7: a narrower pattern", filter: ["Queue.o.>"], destination: "queue://o.a.>", is: true },
    { rule: "nothing without a filter", filter: [], destination: "queue://x", is: false },
    { rule: "a name with commas as one", filter: ["Queue.*"], destination: "queue://a,b", is: true },
  ])("$rule: $is", ({ filter, destination, is }) => {
    const names = filter.map((name) => consumer + name);
    expect(hears(names, destinationOf(destination))).toBe(is);
  });
});
