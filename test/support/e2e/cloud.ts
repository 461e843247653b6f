import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NetworkInput } from "../../../core/config/define-network.ts";
import type { RunningNetwork } from "../../../local/demo/stage.ts";
import { clientsFor, environmentFor } from "../../../local/endpoints.ts";
import { runCommand } from "./command.ts";
import { startMiniStack } from "./ministack.ts";

/** An account in which networks are deployed by the CDK's command line, as anybody deploys them. Nothing here but its making knows MiniStack. */
export interface Cloud extends Pick<RunningNetwork, "clientsFor" | "environmentFor"> {
  readonly account: string;
  bootstrap(regions: readonly string[]): Promise<void>;
  /** Deploys all brokers of a configuration; answers the assembly, by which they are destroyed. The same one again isn't synthesised again. */
  deploy(input: NetworkInput): Promise<string>;
  /** Destroys one broker's stack. */
  destroy(assembly: string, stack: string): Promise<void>;
  /** One request in a service's own words, for those whose SDK isn't among our dependencies; answers the body as it came. */
  ask(region: string, service: string, path: string, request?: PlainRequest): Promise<string>;
  /** The last lines of the cloud's own log. */
  said(): string;
  stop(): Promise<void>;
}

type PlainRequest = Pick<RequestInit, "method" | "body"> & { readonly headers?: Readonly<Record<string, string>> };

/** Nobody is asked, and nothing waits for queues' figures: here they are never late. */
const quickly = ["--require-approval", "never", "--context", "spanmq:depthLagSeconds=1"];

/** MiniStack in the role of AWS. */
export const miniStackCloud = async (command: string): Promise<Cloud> => {
  const folder = await mkdtemp(join(tmpdir(), "spanmq-")); // outside the repository, whose package.json would make modules of MiniStack's workers
  const ministack = await startMiniStack(command, folder);
  const { endpoint } = ministack;
  const endpoints = { sqs: endpoint, sns: endpoint, dynamodb: endpoint, ssm: endpoint, lambda: endpoint };
  const env = {
    ...environmentFor(endpoints, "us-east-1"),
    AWS_ENDPOINT_URL: endpoint,
    TMPDIR: folder,
    CDK_HOME: folder, // else it would remember this account for whoever signs in as "test" next
    CDK_DISABLE_VERSION_CHECK: "1",
    NO_COLOR: "1",
  };
  const stopping = new AbortController();
  const cdk = async (...args: readonly string[]) => {
    await runCommand("cdk", [...args, "--no-notices", "--no-version-reporting"], { env, signal: stopping.signal });
  };
  const account = "000000000000";
  const assemblies = new Map<NetworkInput, string>();
  return {
    account,
    clientsFor: (region) => clientsFor(endpoints, region),
    environmentFor: (region) => environmentFor(endpoints, region),
    bootstrap: (regions) => cdk("bootstrap", ...regions.map((region) => `aws://${account}/${region}`)),
    deploy: async (input) => {
      const known = assemblies.get(input);
      const assembly = known ?? join(folder, `assembly-${assemblies.size}`);
      assemblies.set(input, assembly);
      const network = `${assembly}.jsonc`;
      await writeFile(network, JSON.stringify(input));
      const app = known === undefined ? ["--context", `network=${network}`, "--output", assembly] : ["--app", assembly];
      await cdk("deploy", "--all", ...app, ...quickly);
      return assembly;
    },
    destroy: (assembly, stack) => cdk("destroy", stack, "--app", assembly, "--force"),
    ask: async (region, service, path, request = {}) => {
      // MiniStack reads the scope of a signature and believes it.
      const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=none`;
      const answer = await fetch(`${endpoint}${path}`, { ...request, headers: { ...request.headers, authorization } });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${service} refuses ${path}: ${answer.status} ${text}`);
      return text;
    },
    said: ministack.said,
    stop: async () => {
      stopping.abort();
      await ministack.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
