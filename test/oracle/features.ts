import { absenceOf } from "../../core/config/schema/concept.ts";
import { policyConcept } from "../../core/config/schema/policy.ts";
import type { RecordedConsumer, Scenario } from "./recording.ts";

/** What SpanMQ doesn't have yet, each told by a scenario's own text: scenarios that use some of it wait. */
const missing: Readonly<Record<string, (scenario: Scenario) => boolean>> = {
  "virtual destinations": (scenario) =>
    scenario.topology.brokers.some((broker) => broker.useVirtualDestSubs || broker.virtualDestinations !== undefined) ||
    sets("useVirtualDestSubs", true)(scenario) ||
    says("VirtualTopic.")(scenario),
  "other destination policies": (scenario) =>
    policyKeysOf(scenario).some((key) => !effective.includes(key) && absenceOf(policyConcept, key) !== "meaningless-on-aws"),
  "temporary destinations": (scenario) =>
    does("request")(scenario) || consumersOf(scenario).some(({ respond }) => respond) || sets("bridgeTempDestinations", false)(scenario),
  // Of one message a group is a header only.
  "message groups": (scenario) =>
    scenario.action.some((step) => step.do === "produce" && step.count > 1 && JSON.stringify(step).includes("JMSXGroup")),
  "exclusive consumers": says("consumer.exclusive"),
  "advisory messages": says("ActiveMQ.Advisory.", ({ setup, action }) => [setup, action]),
  "removed destinations": does("removeDestination"),
};

export const missingFor = (scenario: Scenario): readonly string[] =>
  Object.entries(missing).flatMap(([feature, isUsed]) => (isUsed(scenario) ? [feature] : []));

export const consumersOf = ({ setup, action }: Scenario): readonly RecordedConsumer[] => [
  ...setup.consumers,
  ...action.flatMap((step) => (step.do === "open" ? [step.consumer] : [])),
];

/** Keys of destination policies that have an effect here. */
const effective: readonly string[] = [
  "dest",
  "enableAudit",
  "replayWhenNoConsumers",
  "replayDelay",
  "selectorAware",
  "rateLimit",
  "rateDuration",
  "useConsumerPriority",
  "strictOrderDispatch",
  "expireMessagesPeriod",
  "individualDeadLetter",
];

const policyKeysOf = ({ topology }: Scenario): readonly string[] =>
  topology.brokers
    .flatMap(({ policies = [] }) => policies)
    .flatMap(({ conditionalNetworkBridgeFilterFactory = {}, ...policy }) => [
      ...Object.keys(policy),
      ...Object.keys(conditionalNetworkBridgeFilterFactory),
    ]);

function does(...steps: readonly string[]) {
  return ({ action }: Scenario): boolean => action.some((step) => steps.includes(step.do));
}

/** A connector sets an attribute to a value; without one, to any. */
function sets(attribute: string, value?: unknown) {
  return ({ topology }: Scenario): boolean =>
    topology.connectors.some(({ attributes: { [attribute]: set } }) => set !== undefined && (value === undefined || set === value));
}

function says(
  text: string,
  where: (scenario: Scenario) => unknown = ({ topology, setup, action }) => [topology.brokers, attributesOf(topology), setup, action],
) {
  return (scenario: Scenario): boolean => JSON.stringify(where(scenario)).includes(text);
}

const attributesOf = ({ connectors }: Scenario["topology"]) => connectors.map(({ attributes }) => attributes);

/** How many scenarios wait for what, as a sentence. */
export const waitingFor = (scenarios: readonly Scenario[]): string => {
  const needs = scenarios.map(missingFor);
  const counts = Object.keys(missing).map((feature) => `${feature} ${needs.filter((some) => some.includes(feature)).length}`);
  return `${needs.filter(({ length }) => length > 0).length} of ${scenarios.length} recordings wait for: ${counts.join(", ")}`;
};
