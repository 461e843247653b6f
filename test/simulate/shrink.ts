import type { NetworkInput } from "../../core/config/define-network.ts";
import type { ConnectorInput } from "./features.ts";
import type { History, Step } from "./history.ts";

type BrokerInput = NetworkInput["brokers"][string];

export interface Shrunk {
  readonly history: History;
  readonly plays: number;
}

/**
 * Takes away from a history what it doesn't need to stay broken, the largest pieces first, until nothing more can go or it was played often
 * enough.
 */
export const shrink = async (history: History, isBroken: (smaller: History) => Promise<boolean>, mostPlays = 600): Promise<Shrunk> => {
  const tried = new Set<string>();
  let [small, plays] = [history, 0];
  const next = async (): Promise<History | undefined> => {
    for (const smaller of smallerThan(small)) {
      const text = JSON.stringify(smaller);
      if (tried.has(text)) continue;
      if (plays >= mostPlays) return undefined;
      tried.add(text);
      plays += 1;
      if (await isBroken(smaller)) return smaller;
    }
    return undefined;
  };
  for (let smaller = await next(); smaller; smaller = await next()) small = smaller;
  return { history: small, plays };
};

/** Histories with a little less, the largest steps first. */
function* smallerThan(history: History): Generator<History> {
  const { faults, steps, before, quietSends, network } = history;
  if (faults.length > 0 || history.subscriptionLagMs > 0) yield { ...history, faults: [], subscriptionLagMs: 0 };
  for (const less of withoutParts(steps)) yield { ...history, steps: less };
  for (const id of Object.keys(network.brokers)) yield* withoutBroker(history, id);
  for (const less of withoutParts(before)) yield { ...history, before: less };
  for (const less of withoutParts(quietSends)) yield { ...history, quietSends: less };
  for (const less of withoutParts(faults)) yield { ...history, faults: less };
  if (history.faultsFromTheStart) yield { ...history, faultsFromTheStart: false };
  for (const less of simplerNetworks(network)) yield { ...history, network: less };
  for (const less of simplerSteps(before)) yield { ...history, before: less };
  for (const less of simplerSteps(steps)) yield { ...history, steps: less };
}

/** Without halves, quarters, … single ones. */
function* withoutParts<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < list.length; at += size) yield list.toSpliced(at, size);
}

function* withoutBroker(history: History, id: string): Generator<History> {
  const left = Object.entries(history.network.brokers).filter(([other]) => other !== id);
  if (left.length < 2) return;
  const brokers = left.map(([other, broker]): [string, BrokerInput] => [
    other,
    { ...broker, networkConnectors: (broker.networkConnectors ?? []).filter(({ to }) => to !== id) },
  ]);
  const staysIn = (step: Step): boolean => !placesOf(step).includes(id);
  yield {
    ...history,
    network: { ...history.network, brokers: Object.fromEntries(brokers) },
    before: history.before.filter(staysIn),
    steps: history.steps.filter(staysIn),
    quietSends: history.quietSends.filter(({ at }) => at !== id),
  };
}

const placesOf = (step: Step): readonly string[] => {
  if ("at" in step) return [step.at];
  if ("between" in step) return step.between;
  return "from" in step ? [step.from, step.to] : [];
};

function* simplerNetworks(network: NetworkInput): Generator<NetworkInput> {
  for (const [id, broker] of Object.entries(network.brokers)) {
    for (const simpler of simplerBrokers(broker)) yield { ...network, brokers: { ...network.brokers, [id]: simpler } };
  }
}

function* simplerBrokers(broker: BrokerInput): Generator<BrokerInput> {
  const { region, networkConnectors = [], ...settings } = broker;
  for (const settled of withoutKeys(settings)) yield { region, networkConnectors, ...settled };
  for (const less of withoutParts(networkConnectors)) yield { ...broker, networkConnectors: [...less] };
  for (const [index, connector] of networkConnectors.entries()) {
    for (const simpler of simplerConnectors(connector)) yield { ...broker, networkConnectors: networkConnectors.with(index, simpler) };
  }
}

function* simplerConnectors({ name, to, ...keys }: ConnectorInput): Generator<ConnectorInput> {
  for (const less of withoutKeys(keys)) yield { name, to, ...less };
  for (const [key, value] of Object.entries(keys)) {
    if (Array.isArray(value) && value.length > 1) for (const less of withoutParts(value)) yield { name, to, ...keys, [key]: less };
  }
}

function* withoutKeys<T extends object>(settings: T): Generator<Partial<T>> {
  for (const key of Object.keys(settings))
    yield Object.fromEntries(Object.entries(settings).filter(([other]) => other !== key)) as Partial<T>;
}

function* simplerSteps(steps: readonly Step[]): Generator<readonly Step[]> {
  for (const [index, step] of steps.entries()) for (const simpler of simplerThan(step)) yield steps.with(index, simpler);
}

function* simplerThan(step: Step): Generator<Step> {
  if (step.step === "wait" && step.seconds > 0) for (const seconds of [0, 1, 20]) if (seconds < step.seconds) yield { ...step, seconds };
  if (step.step === "send") {
    const { direct, count, ...rest } = step;
    if (count > 1) yield { ...step, count: 1 };
    if (direct) yield { ...rest, count };
  }
  if (step.step === "consume") {
    const { priority, prefetchSize, destination, ...rest } = step;
    if (priority !== undefined) yield { ...rest, destination, ...(prefetchSize !== undefined && { prefetchSize }) };
    if (prefetchSize !== undefined) yield { ...rest, destination, ...(priority !== undefined && { priority }) };
    const [first = destination, ...others] = destination.split(",");
    if (others.length > 0) yield { ...step, destination: first };
  }
}
