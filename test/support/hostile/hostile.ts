import { type Call, type Fate, newCall, type Service, subjectOf } from "./call.ts";
import { dice } from "./dice.ts";
import type { Layer, Tools } from "./fault.ts";
import { catalogue, type FaultName, faultNames } from "./faults.ts";
import { type Gateway, openGateway, passOn } from "./gateway.ts";
import { faster } from "./time.ts";

export interface HostileOptions {
  /** Replays the draws of the run that printed it, as far as the calls come in the same order. */
  readonly seed: number;
  /** How many of AWS's seconds pass in one of ours. @default 1 */
  readonly timesFaster?: number;
  /** Throttled, lost and hanging calls spare an SDK's last attempt, the only one included: each call succeeds in the end. @default false */
  readonly sparesLastAttempt?: boolean;
  /** Told of each call that a fault struck. */
  readonly onStrike?: (fault: FaultName, call: Call) => void;
  /** Stands before all faults, in calm too. @default every call passes */
  readonly gate?: (call: Call, next: Layer) => Promise<Fate>;
}

/** Faults at their usual rate, or each at a rate of its own. */
export type Asked = readonly FaultName[] | Readonly<Partial<Record<FaultName, number>>>;
type Addresses = Readonly<Partial<Record<Service, string>>>;

export interface Hostile {
  /** Stands between the SDK clients and the services at these addresses: answers where to call instead. */
  before<A extends Addresses>(services: A): Promise<A>;
  /** From now on these faults and no others; the census starts anew. */
  ask(faults: Asked): void;
  /** No fault strikes any more; the census stays. */
  calm(): void;
  /** How often each fault that was asked for took effect. */
  census(): Readonly<Partial<Record<FaultName, number>>>;
  /** Those asked for that never did. */
  unfired(): readonly FaultName[];
  stop(): Promise<void>;
}

const passes: Required<HostileOptions>["gate"] = (call, next) => next(call);
const sparing: readonly FaultName[] = ["throttling", "lost-answers", "hangs"];

/** A layer in front of AWS's emulators that misbehaves as AWS may: by faults asked for by name, drawn from a seed, counted. Asked for nothing it is calm. */
export const hostile = ({ seed, timesFaster = 1, sparesLastAttempt = false, onStrike, gate = passes }: HostileOptions): Hostile => {
  const roll = dice(seed);
  const began = Date.now();
  let rates: ReadonlyMap<FaultName, number> = new Map();
  let calm = true;
  let struck = new Set<FaultName>();
  let fired = new Map<FaultName, number>();
  let addresses: Addresses = {};
  let gateway: Gateway | undefined;

  const toolsOf = (name: FaultName): Tools => {
    const rateNow = () => (calm ? 0 : (rates.get(name) ?? 0));
    const draws = (call: Call): boolean => {
      const rate = rateNow();
      if (rate === 0 || (sparesLastAttempt && sparing.includes(name) && call.attempt === call.attempts)) return false;
      const drawn = roll(`${name} ${call.action} ${subjectOf(call)}`) < rate;
      const isFirst = !struck.has(name);
      struck.add(name);
      return drawn || isFirst;
    };
    const count = () => void fired.set(name, (fired.get(name) ?? 0) + 1);
    const strikes = (call: Call): boolean => {
      const strike = draws(call);
      if (strike) count();
      if (strike) onStrike?.(name, call);
      return strike;
    };
    return {
      draws,
      fired: count,
      strikes,
      isOn: () => rateNow() > 0,
      chance: (call) => roll(`${name} chance ${call.action} ${subjectOf(call)}`),
      now: () => (Date.now() - began) * timesFaster,
      ask: (service, region, action, input) => passOn(addresses[service] ?? "", newCall(service, region, action, input)),
    };
  };

  const service =
    (signal: AbortSignal): Layer =>
    (call) =>
      passOn(addresses[call.service] ?? "", faster(call, timesFaster), signal);
  const layers = faultNames.map((name) => catalogue[name].fault(toolsOf(name)));
  const handle = (call: Call, signal: AbortSignal) =>
    [gate, ...layers].reduceRight<Layer>((next, layer) => (passed) => layer(passed, next), service(signal))(call);

  return {
    before: async (services) => {
      addresses = services;
      gateway = await openGateway(handle);
      const { address } = gateway;
      return {
        ...services,
        ...Object.fromEntries(
          ["sqs", "sns", "dynamodb", "ssm", "lambda"].filter((name) => name in services).map((name) => [name, address]),
        ),
      };
    },
    ask: (faults) => {
      rates = new Map(
        Array.isArray(faults)
          ? faults.map((name: FaultName) => [name, catalogue[name].rate])
          : (Object.entries(faults) as [FaultName, number][]),
      );
      calm = false;
      struck = new Set();
      fired = new Map();
    },
    calm: () => {
      calm = true;
    },
    census: () => Object.fromEntries([...rates.keys()].map((name) => [name, fired.get(name) ?? 0])),
    unfired: () => [...rates.keys()].filter((name) => !fired.has(name)),
    stop: async () => gateway?.stop(),
  };
};
