import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyDocument } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { admitRoles, denyOthers } from "./admission.ts";
import { AuditTable } from "./audit-table.ts";
import { publishedDemand, rowReads } from "./brain-access.ts";
import { brokerQueue, dyingHandlers, largestOnIngress, visibilityFor } from "./broker-queue.ts";
import type { Neighbourhood } from "./neighbourhood.ts";

export interface HouseProps {
  readonly neighbourhood: Neighbourhood;
  /** Timeout of dispatch and control: visibilities follow it. */
  readonly timeoutSeconds: number;
}

/** What every broker consists of, whatever it carries: its tables, its own queues and its advisories. */
export class House extends Construct {
  /** Configuration, views, demand, presence, links. */
  readonly brain: Table;
  /** What dispatch has taken on. */
  readonly audit: AuditTable;
  readonly control: Queue;
  readonly ingress: Queue;
  readonly deadLetters: Queue;
  readonly advisories: Topic;

  constructor(scope: Construct, id: string, { neighbourhood, timeoutSeconds }: HouseProps) {
    super(scope, id);
    const { own } = neighbourhood;
    this.brain = new Table(this, "Brain", {
      tableName: own.brainTable, // fixed: peers read demand from it
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.DESTROY, // under the protection: a destroy that was meant takes it off first
      ...(neighbourhood.peers.length > 0 && { resourcePolicy: peersMayReadDemand(neighbourhood) }),
    });
    this.audit = new AuditTable(this, "Audit", { tableName: own.auditTable, deletionProtection: true });
    this.deadLetters = brokerQueue(this, "DeadLetters", { queueName: own.deadLettersQueue });
    const fed = { visibilitySeconds: visibilityFor(timeoutSeconds), deadLetterQueue: dyingHandlers(this.deadLetters) };
    this.control = brokerQueue(this, "Control", { queueName: own.controlQueue, ...fed });
    this.ingress = brokerQueue(this, "Ingress", { queueName: own.ingressQueue, maxMessageSizeBytes: largestOnIngress, ...fed });
    this.advisories = new Topic(this, "Advisories", { topicName: own.advisoryTopic, enforceSSL: true });
    this.admitPeers(neighbourhood);
    const onlyControl = { roleArns: [own.roleArn(own.controlRole)] };
    this.advisories.addToResourcePolicy(denyOthers("sns:Publish", own.topicArn(own.advisoryTopic), onlyControl));
  }

  /** A hint only causes a read, a hello only names a configured connector; that a peer closes is said by its deployment. */
  private admitPeers({ own, peers }: Neighbourhood): void {
    if (peers.length === 0) return;
    const roleArns = peers.flatMap((peer) => [peer.controlRole, peer.deploymentRole].map(peer.roleArn));
    this.control.addToResourcePolicy(admitRoles({ actions: ["sqs:SendMessage"], resource: own.queueArn(own.controlQueue), roleArns }));
  }
}

const peersMayReadDemand = ({ own, peers }: Neighbourhood): PolicyDocument =>
  new PolicyDocument({
    statements: [
      admitRoles({
        actions: rowReads,
        resource: own.tableArn(own.brainTable), // computed: a reference to itself would be a circle
        roleArns: peers.map((peer) => peer.roleArn(peer.controlRole)),
        conditions: publishedDemand,
      }),
    ],
  });
