import { RemovalPolicy, Validations } from "aws-cdk-lib";
import { AttributeType, BillingMode, Table } from "aws-cdk-lib/aws-dynamodb";
import type { Grant, IGrantable } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";

export interface AuditTableProps {
  /** @default - CloudFormation's choice */
  readonly tableName?: string;
  /** @default false */
  readonly deletionProtection?: boolean;
}

/** What the audit calls: one write for each step, and a read where a refused write doesn't tell what stood in its way. */
export const claiming = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem", "dynamodb:GetItem"];

/**
 * Claims of a broker, or of an application's own `once`; each region its own, since a claim must be decided in one place.
 *
 * @example
 * const table = new AuditTable(this, "Once");
 * table.grantClaims(billing);
 */
export class AuditTable extends Table {
  constructor(scope: Construct, id: string, { tableName, deletionProtection = false }: AuditTableProps = {}) {
    super(scope, id, {
      ...(tableName !== undefined && { tableName }),
      partitionKey: { name: "claim", type: AttributeType.STRING },
      timeToLiveAttribute: "expires",
      billingMode: BillingMode.PAY_PER_REQUEST, // encrypted as every table is, with a key of DynamoDB's own
      deletionProtection,
      removalPolicy: RemovalPolicy.DESTROY, // under the protection, where there is one
    });
    Validations.of(this).acknowledge({
      id: "AwsSolutions-DDB3",
      reason: "Claims of an hour ago say that what was carried since wasn't: such a table is never set back, so no backup of it is of use.",
    });
  }

  /** Leave to claim, and nothing else. */
  grantClaims(grantee: IGrantable): Grant {
    return this.grant(grantee, ...claiming);
  }
}
