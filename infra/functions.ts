import { Stack } from "aws-cdk-lib";
import { Construct } from "constructs";
import { batchesOf } from "./batches-of.ts";
import { BrokerFunction, type Permission } from "./broker-function.ts";
import { depthLagOf } from "./depth-lag.ts";
import type { House } from "./house.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { controlPermissions, deploymentPermissions, dispatchPermissions } from "./permissions.ts";

export interface FunctionsProps {
  readonly neighbourhood: Neighbourhood;
  readonly house: House;
  /** Timeout of dispatch and control. */
  readonly timeoutSeconds: number;
}

interface Particulars {
  readonly timeoutSeconds?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The broker's brain: dispatch routes messages, control keeps demand and links, deployment hands the configuration over. */
export class Functions extends Construct {
  readonly dispatch: BrokerFunction;
  readonly control: BrokerFunction;
  readonly deployment: BrokerFunction;

  constructor(scope: Construct, id: string, { neighbourhood, house, timeoutSeconds }: FunctionsProps) {
    super(scope, id);
    const { slice } = neighbourhood;
    const environment = {
      SPANMQ_NETWORK: slice.network,
      SPANMQ_BROKER: slice.broker,
      SPANMQ_PLACES: Stack.of(this).toJsonString(slice.brokers),
      SPANMQ_TIMEOUT_SECONDS: String(timeoutSeconds),
      POWERTOOLS_METRICS_NAMESPACE: "SpanMQ",
    };
    const broker = (name: string, memorySize: number, permissions: readonly Permission[], particulars: Particulars = {}) =>
      new BrokerFunction(this, `${name[0]?.toUpperCase()}${name.slice(1)}`, {
        functionName: `spanmq-${slice.network}-${slice.broker}-${name}`,
        entry: `functions/${name}.entry.ts`,
        environment: { ...environment, POWERTOOLS_SERVICE_NAME: `spanmq-${name}`, ...particulars.environment },
        timeoutSeconds: particulars.timeoutSeconds ?? timeoutSeconds,
        memorySize,
        permissions,
      });
    this.dispatch = broker("dispatch", 512, dispatchPermissions(neighbourhood));
    this.control = broker("control", 512, controlPermissions(neighbourhood));
    this.deployment = broker("deployment", 256, deploymentPermissions(neighbourhood), {
      timeoutSeconds: 840, // it waits for figures that lag; CDK's framework, which calls it, has 900
      environment: { SPANMQ_DEPTH_LAG_SECONDS: String(depthLagOf(this)) },
    });
    batchesOf(this, "IngressBatches", { queueArn: house.ingress.queueArn, consumer: this.dispatch.function });
    batchesOf(this, "ControlBatches", { queueArn: house.control.queueArn, consumer: this.control.function });
  }
}
