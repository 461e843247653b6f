import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { arn, type Family, generatedName, type Made, type Resource, resourceType, type StackContext } from "../resource-type.ts";

const key = z.strictObject({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) });
const table = {
  TableName: z.string().optional(),
  KeySchema: z.array(key),
  AttributeDefinitions: z.array(z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) })),
  BillingMode: z.literal("PAY_PER_REQUEST"),
};
type Table = Resource<z.infer<z.ZodObject<typeof table>>>;

const unenforced = ["PointInTimeRecoverySpecification", "DeletionProtectionEnabled", "ResourcePolicy", "Tags"];

export const dynamodb: Family = {
  "AWS::DynamoDB::Table": resourceType({
    applied: table,
    accepted: [...unenforced, "SSESpecification", "TimeToLiveSpecification"],
    make: (resource, context) => makeTable(resource, context),
  }),
  "AWS::DynamoDB::GlobalTable": resourceType({
    applied: {
      ...table,
      // One replica is a plain table; its other settings are accepted like a plain table's.
      Replicas: z.tuple([
        z.strictObject({ Region: z.string(), ...Object.fromEntries(unenforced.map((name) => [name, z.unknown().optional()])) }),
      ]),
    },
    accepted: ["SSESpecification", "TimeToLiveSpecification"],
    make: (resource, context) => makeTable(resource, context),
  }),
};

const makeTable = async (resource: Table, context: StackContext): Promise<Made> => {
  const { KeySchema, AttributeDefinitions, BillingMode, TableName = generatedName(context, resource, 255) } = resource.properties;
  const command = new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode });
  const { TableDescription } = await context.clients.dynamodb.send(command);
  const attributes = { Arn: arn("dynamodb", context.region, `table/${TableName}`), TableId: TableDescription?.TableId ?? "" };
  return { ref: TableName, attributes };
};
