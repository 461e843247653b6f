import { describe, expect, test } from "vitest";
import { absenceOf } from "../../core/config/schema/concept.ts";
import { connectorConcept } from "../../core/config/schema/connector.ts";
import { isUnread } from "../../core/config/schema/unread.ts";
import { consumerAdvisory } from "../../core/destination/advisory-topic.ts";
import { isComposite, partsOf } from "../../core/destination/composite.ts";
import { type DestinationKind, destinationKey, destinationOf, optionsOf, parseDestination } from "../../core/destination/destination.ts";
import { isPattern } from "../../core/destination/filter.ts";
import { advisoryFilterOf } from "../../core/link/advisory-filter.ts";
import { deadLettersOf } from "../../core/policy/dead-letters.ts";
import { policyFor } from "../../core/policy/policy.ts";
import { aConnector, aNetwork, networkOf } from "../core/config/parse.ts";
import { isMissing, recorded } from "./recording.ts";

interface NameCase {
  readonly id: string;
  readonly category: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: unknown;
}

const file = "activemq/names.json";
const cases = recorded<NameCase>(file, "cases");
const of = (category: string, isIt: (input: NameCase["input"]) => boolean = () => true): readonly NameCase[] =>
  (cases ?? []).filter((one) => one.category === category && isIt(one.input));

const kinds = { queue: "Queue", topic: "Topic", "temp-queue": "TempQueue", "temp-topic": "TempTopic" } as const;

describe(`names as real brokers have them: ${file}`, () => {
  if (!cases) test.todo(isMissing(file));

  test.for(of("destination-parsing"))("$id: $input is taken apart", ({ input, output }) => {
    const { name, defaultType } = input as { readonly name: string; readonly defaultType: DestinationKind };
    const destination = parseDestination(name, defaultType);
    if (typeof output === "string") {
      expect(destination).toEqual({ fault: "empty-destination", text: name });
      return;
    }
    if ("fault" in destination) throw new Error(`${name} should name a destination`);
    const composite = isComposite(destination);
    const { paths: _, options, ...taken } = output as Readonly<Record<string, unknown>>;
    expect({
      qualifiedName: composite ? destination.name : destinationKey(destination),
      physicalName: destination.name,
      type: kinds[destination.kind],
      isPattern: isPattern(destination),
      isComposite: composite,
      compositeParts: composite ? partsOf(destination).map(destinationKey) : [],
    }).toEqual(taken);
    expect(optionsOf(name)).toEqual(options ?? {});
  });

  const withoutVirtual = ({ useVirtualDestSubs }: NameCase["input"]): boolean => useVirtualDestSubs !== true;
  test.for(of("destination-filter", withoutVirtual))("$id: a connector with $input listens", ({ input, output }) => {
    const lists = { dynamicallyIncludedDestinations: [], ...input } as { readonly dynamicallyIncludedDestinations: readonly string[] };
    const composite = lists.dynamicallyIncludedDestinations.find((text) => text.includes(","));
    const ours = advisoryFilterOf({ staticBridge: false, ...lists });
    // docs/differences.md, parts-by-themselves: theirs is one name with a comma in it.
    if (composite !== undefined)
      expect(ours.join()).toBe(String(output).replaceAll(/,(?!ActiveMQ)/g, ",ActiveMQ.Advisory.Consumer.Queue."));
    else expect(ours.join()).toBe(output);
  });

  test.for(of("advisory-topic", ({ advisory }) => advisory === "Consumer"))("$id: consumers of $input are told of", ({ input, output }) => {
    expect(consumerAdvisory(destinationOf(String(input.dest)))).toBe(output);
  });

  const ofConnector = (input: NameCase["input"]): boolean => input.class === "DiscoveryNetworkConnector";
  test.for(of("connector-default", ofConnector))("$id: the default of $input", ({ input, output }) => {
    const attribute = String(input.attribute);
    const { default: theirs } = output as { readonly default: unknown };
    const [connector] = networkOf(aConnector({})).connectors;
    const ours = Object.entries({ duplex: false, ...connector }).find(([key]) => key === attribute);
    if (ours) expect(ours[1]).toEqual(onPurpose[attribute] ?? theirs);
    else
      expect(
        isUnread(attribute) || absenceOf(connectorConcept, attribute),
        `${attribute} is neither ours nor said to be absent`,
      ).toBeTruthy();
  });

  const ofFilter = (input: NameCase["input"]): boolean => input.class === "ConditionalNetworkBridgeFilterFactory";
  test.for(of("connector-default", ofFilter))("$id: the default of $input", ({ input, output }) => {
    const defaults: Readonly<Record<string, unknown>> = { ...policyFor([], destinationOf("queue://Q")) };
    expect(defaults[String(input.attribute)]).toEqual((output as { readonly default: unknown }).default);
  });

  test.for(of("dead-letter"))("$id: the dead letters of $input", ({ input, output }) => {
    const { strategy, dest, ...settings } = input;
    const deadLetterStrategy = { [`${strategy}DeadLetterStrategy`]: settings };
    const [broker] = networkOf(aNetwork({ destinationPolicies: [{ destination: "queue://>", deadLetterStrategy }] })).brokers;
    const { deadLetterStrategy: ours } = policyFor(broker?.destinationPolicies ?? [], destinationOf("queue://Q"));
    if (ours.strategy === "discarding") throw new Error("these are kept");
    expect(destinationKey(deadLettersOf(ours, destinationOf(String(dest))))).toBe(output);
  });

  const todo = (categories: readonly string[], need: string): void => {
    for (const category of categories) if (of(category).length > 0) test.todo(`${category}: ${of(category).length} cases need ${need}`);
  };
  todo(["virtual-topic-mapping", "virtual-topic-queue", "mirrored-queue"], "virtual destinations");
  todo(
    ["advisory-topic", "advisory-constant", "advisory-live", "bridge-advisory-subscription"],
    "advisory messages (other than consumers')",
  );
  todo(["bridge-client-id", "bridge-durable-subscription"], "subscriptions of bridges' own: a link has none (docs/conformance.md, DUR-1)");
  todo(["temp-destination-name"], "temporary destinations");
  todo(["destination-filter"], "virtual destinations (those with useVirtualDestSubs)");
  todo(["message-id-shape"], "message ids of the original's shape: ours are SQS's and SNS's");
});

/** docs/differences.md, network-priority. */
const onPurpose: Readonly<Record<string, unknown>> = { decreaseNetworkConsumerPriority: false };
