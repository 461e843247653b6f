import { Grant, type IGrantable } from "aws-cdk-lib/aws-iam";
import type { Addresses } from "../core/destination/addresses.ts";
import { onlyPartitions, rowReads } from "./brain-access.ts";
import { consuming } from "./consuming.ts";
import { everyOwnQueue } from "./prefixes.ts";

/** What our client reads: configuration and keys at `connect`, its durable subscriptions, and at `ready` whether what it announced is in effect. */
const readByClients = onlyPartitions(
  "broker#*",
  "connection#*",
  "durable#*",
  "destination#*",
  "view#*",
  "demand#*",
  "subscription#*",
  "effective#*",
);

/** Leave to consume with our client: it takes from these queues and from its own, and sends to the ingress what has expired. */
export const grantTake = (grantee: IGrantable, own: Addresses, queues: readonly string[] = []): Grant =>
  Grant.addToPrincipal({ grantee, actions: [...consuming], resourceArns: [...queues.map(own.queueArn), everyOwnQueue(own)] })
    .combine(Grant.addToPrincipal({ grantee, actions: ["sqs:SendMessage"], resourceArns: [own.queueArn(own.ingressQueue)] }))
    .combine(grantConnect(grantee, own));

/** Leave to connect with our client: it reads what it has to know, and tells control of its consumers. */
export const grantConnect = (grantee: IGrantable, own: Addresses): Grant =>
  Grant.addToPrincipal({ grantee, actions: ["sqs:SendMessage"], resourceArns: [own.queueArn(own.controlQueue)] }).combine(
    Grant.addToPrincipal({ grantee, actions: rowReads, resourceArns: [own.tableArn(own.brainTable)], conditions: readByClients }),
  );
