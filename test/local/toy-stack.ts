import { App, Stack as CdkStack, type Stack as Construct } from "aws-cdk-lib";
import { type CfnFunction, Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Environment, Handler } from "../../local/functions.ts";
import type { Entry } from "../../local/template/resource-type.ts";
import { readStack, type Stack } from "../../local/template/template.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

/** Synthesises one stack per region with the constructs that `build` puts into it. */
export const synthesised = (builds: Readonly<Record<string, (stack: Construct) => void>>): readonly Stack[] => {
  const app = new App({ analyticsReporting: false, outdir: scratchFolder() });
  for (const [region, build] of Object.entries(builds)) {
    build(new CdkStack(app, `toy-${region}`, { env: { account: "000000000000", region } }));
  }
  return app.synth().stacks.map(({ stackName, environment, template }) => readStack(stackName, environment.region, template));
};

/** A function whose handler is looked up in the test under `entry`. */
export const aFunction = (stack: Construct, entry: string, props: { readonly timeoutSeconds?: number } = {}): LambdaFunction => {
  const lambda = new LambdaFunction(stack, entry, {
    functionName: entry,
    code: Code.fromInline("-"),
    handler: "index.handler",
    runtime: Runtime.NODEJS_24_X,
    environment: { REGION_OF_STACK: stack.region },
  });
  const resource = lambda.node.defaultChild as CfnFunction;
  resource.addMetadata("spanmq:entry", entry);
  resource.timeout = props.timeoutSeconds ?? 30;
  return lambda;
};

/** Entries by name, as the runtime loads them. */
export const entriesFrom =
  (handlers: Readonly<Record<string, (event: never, environment: Environment) => unknown>>) =>
  async (entry: string): Promise<Entry> => ({
    create:
      (environment): Handler =>
      async (event) =>
        handlers[entry]?.(event as never, environment),
  });
