import type { NetworkInput } from "../core/config/define-network.ts";
import type { Network } from "../core/config/network.ts";
import type { BrokerPlace } from "../core/config/slice.ts";
import { loadNetwork } from "../infra/network-file.ts";
import { networkFrom } from "../infra/read-network.ts";
import { type Runtime, type RuntimeOptions, startRuntime } from "./runtime.ts";
import { synthesise } from "./synthesise.ts";
import { accountId } from "./template/resource-type.ts";

export interface NetworkOptions extends Omit<RuntimeOptions, "onStack"> {
  /** Told in a few words what was done. */
  readonly progress?: (line: string) => void;
  /** How long a function may run; what one died at is carried again five seconds later. @default 60 */
  readonly timeoutSeconds?: number;
}

export interface EmbeddedNetwork extends Omit<Runtime, "tickNow"> {
  readonly brokers: readonly BrokerPlace[];
  /** Runs a broker's minute tick now and waits for it. */
  tickNow(broker: string): Promise<void>;
}

/**
 * Brings up a whole network in this process: its configuration, or the path of the file that holds it.
 * All brokers are in account 000000000000. A configuration that can't be deployed throws a `NetworkError` before anything runs.
 * @example
 * const network = await startNetwork("examples/two-regions/network.jsonc");
 * const { sqs } = network.clientsFor("us-east-1");
 * await network.stop();
 */
export const startNetwork = async (configuration: string | NetworkInput, options: NetworkOptions = {}): Promise<EmbeddedNetwork> => {
  const { progress = () => {}, timeoutSeconds = 60, ...runtimeOptions } = options;
  const network = embedded(
    typeof configuration === "string" ? await loadNetwork(".", configuration) : networkFrom(configuration, accountId),
  );
  progress(`synthesising ${network.brokers.length} stacks`);
  const stacks = synthesise(network, { timeoutSeconds });
  const stackOf = (broker: string) => `spanmq-${network.network}-${broker}`;
  const onStack: RuntimeOptions["onStack"] = ({ name, template }) =>
    progress(`${name.slice(stackOf("").length)}: ${Object.keys(template.Resources).length} resources`);
  const runtime = await startRuntime(stacks, { ...runtimeOptions, onStack });
  return {
    ...runtime,
    brokers: network.brokers.map(({ id, region, account }) => ({ id, region, account })),
    tickNow: (broker) => runtime.tickNow(stackOf(broker)),
  };
};

/** The emulators know one account. */
const embedded = (network: Network): Network => ({
  ...network,
  brokers: network.brokers.map((broker) => ({ ...broker, account: accountId })),
});
