import { linksOf } from "./features.ts";
import type { History, Step } from "./history.ts";
import type { Broken } from "./verdict.ts";

/** A history in sentences, for people. */
export const tell = (history: History, broken: readonly Broken[]): readonly string[] => {
  const { network, faults, faultsFromTheStart, subscriptionLagMs, before, steps, quietSends } = history;
  const goesWrong = [...faults, ...(subscriptionLagMs > 0 ? [`subscriptions take ${subscriptionLagMs} ms`] : [])].join(", ") || "nothing";
  return [
    ...Object.entries(network.brokers).map(
      ([id, { region: _, networkConnectors: _connectors, ...settings }]) => `Broker ${id}${listed(settings)}`,
    ),
    ...linksOf(network).map(
      ({ link, from, to, connector: { name: _, to: _to, ...settings } }) => `Link ${link} from ${from} to ${to}${listed(settings)}`,
    ),
    ...before.map(sentence),
    `${faultsFromTheStart ? "From the start" : "When all is well,"} goes wrong: ${goesWrong}.`,
    ...steps.map(sentence),
    "All is healed; time goes by until all is well.",
    ...quietSends.map(
      ({ at, destination, about = {} }) => `At ${at} a message is sent to ${destination}, if that stands there${listed(about)}.`,
    ),
    ...broken.flatMap(({ law, what }) => [`BROKEN: ${law}`, ...what.map((one) => `  ${one}`)]),
  ];
};

const listed = (settings: object): string => {
  const words = Object.entries(settings).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return words.length > 0 ? `: ${words.join(", ")}` : "";
};

const sentence = (step: Step): string => {
  switch (step.step) {
    case "consume": {
      const { step: _, who, at, destination, ...options } = step;
      return `${who} consumes ${destination} at ${at}${listed(options)}.`;
    }
    case "leave":
      return `${step.who} leaves.`;
    case "fall silent":
      return `${step.who} falls silent.`;
    case "wake":
      return `${step.who} is there again.`;
    case "return":
      return `${step.who} comes back.`;
    case "unsubscribe":
      return `${step.who} unsubscribes.`;
    case "send":
      return `At ${step.at} ${step.by === undefined ? "" : `by ${step.by} `}${step.count} message${step.count > 1 ? "s are" : " is"} sent ${step.direct ? "straight " : ""}to ${step.destination}${listed({ ...step.about, ...(step.group !== undefined && { group: step.group }) })}.`;
    case "cut":
      return `${step.between.join(" and ")} are cut off from each other.`;
    case "heal":
      return `${step.between.join(" and ")} reach each other again.`;
    case "hush":
      return `Hand-overs from ${step.from} to ${step.to} get no answer: it ${step.silence ?? "answers"}.`;
    case "start":
    case "stop":
      return `${step.at} is told to ${step.step} ${step.connector}.`;
    case "wait":
      return `${step.seconds} s go by.`;
    default:
      return step satisfies never;
  }
};
