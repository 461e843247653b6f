import { Aws } from "aws-cdk-lib";
import { distance } from "fastest-levenshtein";
import type { NetworkInput } from "../core/config/define-network.ts";
import { describeConfigFault } from "../core/config/fault.ts";
import type { Network } from "../core/config/network.ts";
import { parseNetwork } from "../core/config/parse-network.ts";

/** A configuration that can't be deployed: each line says where, what and what to do. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join("\n"), options);
    this.lines = lines;
  }
}

/**
 * A configuration, checked whole. Brokers that name no account are in that of the credentials.
 * @example
 * const network = readNetwork({ network: "shop", brokers: { us: { region: "us-east-1" }, eu: { region: "eu-west-1" } }, links: ["us <-> eu"] });
 */
export const readNetwork = (input: NetworkInput): Network => networkFrom(input);

/** The same for what came from a file and may be anything. */
export const networkFrom = (input: unknown, account = process.env.CDK_DEFAULT_ACCOUNT): Network => {
  const parsed = parseNetwork(input, { distance, account: account ?? accountAtDeployment(input) });
  if (!parsed.ok) throw new NetworkError(parsed.faults.map(describeConfigFault));
  return parsed.network;
};

/** Left to CloudFormation, as long as it is one for all: a stack can't know in which account another's is. */
const accountAtDeployment = (input: unknown): string | undefined =>
  JSON.stringify(input)?.includes('"account"') ? undefined : Aws.ACCOUNT_ID;
