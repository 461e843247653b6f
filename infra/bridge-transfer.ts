import { ArnFormat, Duration, Stack, Validations } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { JmsBridgeConfig } from "../core/config/jms-bridge.ts";
import { claiming } from "./audit-table.ts";
import { batchesOf } from "./batches-of.ts";
import { BrokerFunction, type Permission } from "./broker-function.ts";
import { brokerQueue, visibilityFor } from "./broker-queue.ts";
import { consuming } from "./consuming.ts";

export interface BridgeTransferProps
  extends Pick<
    JmsBridgeConfig,
    "name" | "qualityOfServiceMode" | "maxBatchSize" | "batchWindow" | "failureRetryInterval" | "addMessageIDInHeader"
  > {
  /** The queue that feeds the function, what it stands for (`queue://legacy`), and the topic that feeds the queue. */
  readonly source: { readonly queueArn: string; readonly destination: string; readonly topicArn?: string };
  /** What messages are sent to, and what it stands for; `ingress`: a broker's, which routes them on. */
  readonly target: { readonly arn: string; readonly destination: string; readonly ingress: boolean };
  readonly audit: Table;
  readonly deadLetters: Queue;
  readonly timeoutSeconds: number;
  /** Also the name of its role. */
  readonly functionName: string;
  /** @default - CloudFormation's choice */
  readonly queueNames?: { readonly undelivered: string; readonly orders: string };
  /** The broker whose bridge it is, with what its function reads there. */
  readonly broker?: { readonly id: string; readonly brainTable: string; readonly keyParameter: string };
  /** Leave to take from the source and to send to the target. */
  readonly permissions: readonly Permission[];
}

/** What runs a JMS bridge: its function, what waits for the target, and the orders that look after it. */
export class BridgeTransfer extends Construct {
  readonly transfer: BrokerFunction;
  /** What the target didn't take. */
  readonly undelivered: Queue;
  /** Orders to look whether the target is back. */
  readonly orders: Queue;
  readonly #props: BridgeTransferProps;

  constructor(scope: Construct, id: string, props: BridgeTransferProps) {
    super(scope, id);
    this.#props = props;
    const { source, target, audit, deadLetters, queueNames, timeoutSeconds, functionName } = props;
    this.undelivered = brokerQueue(this, "Undelivered", { queueName: queueNames?.undelivered });
    this.orders = brokerQueue(this, "Orders", { queueName: queueNames?.orders, visibilitySeconds: visibilityFor(timeoutSeconds) });
    explainNoDeadLetters(this.undelivered, "Messages wait here for the target, however long it is away, and an order looks after them.");
    explainNoDeadLetters(this.orders, "An order comes again until what is parked has reached the target: nobody may give it up.");
    const { name, qualityOfServiceMode, addMessageIDInHeader, failureRetryInterval, broker } = props;
    this.transfer = new BrokerFunction(this, "Transfer", {
      functionName,
      entry: "functions/transfer.entry.ts",
      timeoutSeconds,
      memorySize: 512,
      environment: {
        SPANMQ_BRIDGE: Stack.of(this).toJsonString({
          ...{ name, qualityOfServiceMode, addMessageIDInHeader, failureRetryInterval, source, target, broker },
          undeliveredArn: this.undelivered.queueArn,
          deadLettersArn: deadLetters.queueArn,
          ordersArn: this.orders.queueArn,
          auditTable: audit.tableName,
        }),
        SPANMQ_TIMEOUT_SECONDS: String(timeoutSeconds),
        POWERTOOLS_METRICS_NAMESPACE: "SpanMQ",
        POWERTOOLS_SERVICE_NAME: "spanmq-transfer",
      },
      permissions: [...props.permissions, ...this.#own(props)],
    });
    batchesOf(this, "OrderBatches", { queueArn: this.orders.queueArn, consumer: this.transfer.function });
  }

  /** Feeds the bridge from its source: made last, since from then on receives of the source count. */
  start(scope: Construct, id: string): EventSourceMapping {
    const { source, maxBatchSize, batchWindow } = this.#props;
    return new EventSourceMapping(scope, id, {
      target: this.transfer.function,
      eventSourceArn: source.queueArn,
      batchSize: maxBatchSize,
      reportBatchItemFailures: true,
      ...(batchWindow > 0 && { maxBatchingWindow: Duration.seconds(batchWindow) }),
    });
  }

  #own({ audit, deadLetters, functionName }: BridgeTransferProps): readonly Permission[] {
    const [undelivered, orders] = [this.undelivered.queueArn, this.orders.queueArn];
    const { account, region, partition } = Stack.of(this);
    const functionArn = Stack.of(this).formatArn({
      service: "lambda",
      resource: "function",
      resourceName: functionName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return [
      { actions: consuming, resources: [undelivered, orders] },
      { actions: ["sqs:SendMessage"], resources: [undelivered, orders, deadLetters.queueArn] },
      { actions: claiming, resources: [audit.tableArn] },
      { actions: ["lambda:ListEventSourceMappings"], resources: ["*"] }, // IAM knows no resource for it
      {
        actions: ["lambda:UpdateEventSourceMapping"],
        resources: [`arn:${partition}:lambda:${region}:${account}:event-source-mapping:*`],
        conditions: { ArnLike: { "lambda:FunctionArn": functionArn } },
      },
    ];
  }
}

const explainNoDeadLetters = (queue: Queue, reason: string): void => Validations.of(queue).acknowledge({ id: "AwsSolutions-SQS3", reason });
