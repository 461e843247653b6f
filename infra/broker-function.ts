import { join } from "node:path";
import { Aws, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, type CfnFunction, RecursiveLoop, Runtime } from "aws-cdk-lib/aws-lambda";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { bundling } from "./bundling.ts";

/** Leave to call something. Without resources there is nothing to allow, and it is left out. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, unknown>>;
}

export interface BrokerFunctionProps {
  /** Also the name of its role, which peers know. */
  readonly functionName: string;
  /** Entry file, from the root of SpanMQ: `functions/dispatch.entry.ts`. */
  readonly entry: string;
  readonly timeoutSeconds: number;
  /** MiB; Lambda gives CPU in proportion. */
  readonly memorySize: number;
  readonly environment: Readonly<Record<string, string>>;
  /** What the handler calls, nothing else. */
  readonly permissions: readonly Permission[];
}

/** One Lambda function with its role and log: what is bundled is what was tested, the AWS SDK included. */
export class BrokerFunction extends Construct {
  readonly function: NodejsFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: BrokerFunctionProps) {
    super(scope, id);
    const { functionName } = props;
    const logGroup = new LogGroup(this, "Log", {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, "Role", { roleName: functionName, assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(this.role);
    for (const permission of props.permissions) this.allow(permission);
    this.function = new NodejsFunction(this, "Function", {
      functionName,
      role: this.role,
      logGroup,
      entry: join(root, props.entry),
      projectRoot: root,
      depsLockFilePath: join(root, "package-lock.json"),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: { NODE_OPTIONS: "--enable-source-maps", ...props.environment },
      recursiveLoop: RecursiveLoop.ALLOW, // a message may pass here more often than Lambda lets a loop run; hops are guarded by the path
      retryAttempts: 0, // ticks and drain orders are repeated by the next tick
      maxEventAge: Duration.minutes(1),
      // Where bundling is skipped (tests, the embedded runtime) CDK would fingerprint the whole repository instead.
      bundling: Stack.of(this).bundlingRequired ? bundling : { ...bundling, assetHash: "not-bundled" },
    });
    (this.function.node.defaultChild as CfnFunction).addMetadata("spanmq:entry", props.entry);
  }

  /** Leave to call what is made after it, too. */
  allow({ actions, resources, conditions = {} }: Permission): void {
    if (resources.length === 0) return;
    this.role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }));
    for (const wildcard of resources.filter((arn) => arn.endsWith("*"))) {
      const id = `AwsSolutions-IAM5[Resource::${asFound(wildcard)}]`;
      Validations.of(this.role).acknowledge({ id, reason: reasonFor(wildcard) });
    }
  }
}

/** As cdk-nag writes what only the deployment knows: an id can't hold CDK's tokens. */
const asFound = (arn: string): string =>
  arn.replaceAll(Aws.PARTITION, "<AWS::Partition>").replaceAll(Aws.REGION, "<AWS::Region>").replaceAll(Aws.ACCOUNT_ID, "<AWS::AccountId>");

const reasonFor = (wildcard: string): string => {
  if (wildcard === "*")
    return "These calls (sns:Unsubscribe, sqs:ListQueues, sns:ListTopics, lambda:ListEventSourceMappings) know no resource type: IAM accepts nothing but *.";
  return wildcard.endsWith(":event-source-mapping:*")
    ? "Lambda names event source mappings at random; a condition bounds this to those of the function itself."
    : "Destinations are made while the broker runs: the prefix of this broker's names, which is no other's, is the tightest bound there is.";
};

const root = join(import.meta.dirname, "..");
