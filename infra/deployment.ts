import { CustomResource, RemovalPolicy } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Provider } from "aws-cdk-lib/custom-resources";
import { Construct, type IDependable } from "constructs";

export interface DeploymentProps {
  /** Answers the events of CDK's provider framework. */
  readonly handler: IFunction;
  /** JSON text of the broker's slice: numbers of a custom resource arrive as text, JSON doesn't. */
  readonly slice: string;
  /** What must stand before the broker is told that it was deployed: everything else. */
  readonly after: readonly IDependable[];
}

/** The last step of each deployment: the configuration is written into the brain, the signing key made, control told. */
export class Deployment extends Construct {
  readonly resource: CustomResource;

  constructor(scope: Construct, id: string, { handler, slice, after }: DeploymentProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, "Log", { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY });
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);
    role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction", "lambda:GetFunction"], resources: [handler.functionArn] }));
    // Without updates: the framework would add leave for all versions of the handler.
    const provider = new Provider(this, "Provider", {
      onEventHandler: handler,
      frameworkOnEventRole: role.withoutPolicyUpdates(),
      logGroup,
    });
    this.resource = new CustomResource(this, "Resource", {
      resourceType: "Custom::SpanMQBroker",
      serviceToken: provider.serviceToken,
      properties: { slice },
    });
    this.resource.node.addDependency(role, ...after);
  }
}
