import { Grant, type IGrantable } from "aws-cdk-lib/aws-iam";
import type { Addresses } from "../core/destination/addresses.ts";
import { onlyPartitions, rowReads } from "./brain-access.ts";

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

/** Leave to connect with our client: it reads what it has to know, and tells control of its consumers. */
export const grantConnect = (grantee: IGrantable, own: Addresses): Grant =>
  Grant.addToPrincipal({ grantee, actions: ["sqs:SendMessage"], resourceArns: [own.queueArn(own.controlQueue)] }).combine(
    Grant.addToPrincipal({ grantee, actions: rowReads, resourceArns: [own.tableArn(own.brainTable)], conditions: readByClients }),
  );
