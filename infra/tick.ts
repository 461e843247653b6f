import { Stack } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";

export interface TickProps {
  readonly control: IFunction;
}

/** Wakes control each minute. A tick that fails isn't repeated: the next one is a minute away. */
export class Tick extends Construct {
  readonly schedule: CfnSchedule;

  constructor(scope: Construct, id: string, { control }: TickProps) {
    super(scope, id);
    const scheduler = new ServicePrincipal("scheduler.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
    });
    const role = new Role(this, "Role", { assumedBy: scheduler });
    role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [control.functionArn] }));
    this.schedule = new CfnSchedule(this, "Schedule", {
      scheduleExpression: "rate(1 minute)",
      flexibleTimeWindow: { mode: "OFF" },
      target: {
        arn: control.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ tick: true }),
        retryPolicy: { maximumRetryAttempts: 0 },
      },
    });
    this.schedule.node.addDependency(role); // its policy too: a tick before it would be refused
  }
}
