import { type Stack, Token } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import type { Statement } from "./policy.ts";

/** A resource of a synthesised template with its references replaced by what AWS would put there. */
export interface DeployedResource {
  readonly logicalId: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of any CloudFormation resource
  readonly properties: any;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly string[];
  readonly deletionPolicy: string | undefined;
}

export interface Deployed {
  readonly resources: readonly DeployedResource[];
  ofType(type: string): readonly DeployedResource[];
  /** The one resource of this type whose named property has this value. */
  named(type: string, property: string, value: string): DeployedResource;
  /** What the policies of a queue, topic or table, found by its ARN, say. */
  resourcePolicy(arn: string): readonly Statement[];
  /** What the inline policies of a role, found by its name, say. */
  identityPolicy(roleName: string): readonly Statement[];
}

/** `account` stands for AWS::AccountId where a stack names none. */
export const deployed = (stack: Stack, account = "111111111111"): Deployed => {
  const template = Template.fromStack(stack).toJSON();
  const world = {
    account: Token.isUnresolved(stack.account) ? account : stack.account,
    region: stack.region,
    resources: template.Resources,
  };
  const resources = Object.entries<RawResource>(template.Resources).map(
    ([logicalId, raw]): DeployedResource => ({
      logicalId,
      type: raw.Type,
      properties: resolve(raw.Properties ?? {}, world),
      metadata: raw.Metadata ?? {},
      dependsOn: [raw.DependsOn ?? []].flat(),
      deletionPolicy: raw.DeletionPolicy,
    }),
  );
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const statementsOf = (found: readonly DeployedResource[]) =>
    found.flatMap(({ properties }) => [properties.PolicyDocument.Statement].flat());
  return {
    resources,
    ofType,
    named: (type, property, value) => {
      const found = ofType(type).find(({ properties }) => properties[property] === value);
      if (!found) throw new Error(`no ${type} with ${property} ${value} in ${stack.stackName}`);
      return found;
    },
    resourcePolicy: (arn) => [
      ...statementsOf(ofType("AWS::SQS::QueuePolicy").filter(({ properties }) => properties.Queues.includes(queueUrl(arn)))),
      ...statementsOf(ofType("AWS::SNS::TopicPolicy").filter(({ properties }) => properties.Topics.includes(arn))),
      ...ofType("AWS::DynamoDB::Table")
        .filter(({ properties }) => arn.endsWith(`:table/${properties.TableName}`))
        .flatMap(({ properties }) => properties.ResourcePolicy?.PolicyDocument.Statement ?? []),
    ],
    identityPolicy: (roleName) => [
      ...statementsOf(ofType("AWS::IAM::Policy").filter(({ properties }) => properties.Roles.includes(roleName))),
      ...ofType("AWS::IAM::Role")
        .filter(({ properties }) => properties.RoleName === roleName)
        .flatMap(({ properties }) =>
          (properties.Policies ?? []).flatMap((policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement),
        ),
    ],
  };
};

interface RawResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
}
interface World {
  readonly account: string;
  readonly region: string;
  readonly resources: Readonly<Record<string, RawResource>>;
}

const resolve = (value: unknown, world: World): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolve(item, world));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [key, inner] = entries[0] ?? [];
  if (entries.length === 1 && key === "Ref") return referenceTo(String(inner), world);
  if (entries.length === 1 && key === "Fn::GetAtt") return attributeOf(inner as [string, string], world);
  if (entries.length === 1 && key === "Fn::Join") return joined(resolve(inner, world) as [string, string[]]);
  return Object.fromEntries(entries.map(([name, item]) => [name, resolve(item, world)]));
};

const joined = ([glue, parts]: [string, readonly string[]]): string => parts.join(glue);

const referenceTo = (id: string, world: World): string => {
  const pseudo: Readonly<Record<string, string>> = {
    "AWS::AccountId": world.account,
    "AWS::Region": world.region,
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
  };
  const resource = world.resources[id];
  if (!resource) return pseudo[id] ?? id;
  if (resource.Type === "AWS::SQS::Queue") return queueUrl(arnOf(id, world));
  if (resource.Type === "AWS::SNS::Topic") return arnOf(id, world);
  return nameOf(id, world);
};

const attributeOf = ([id, attribute]: [string, string], world: World): string =>
  attribute.endsWith("Arn") ? arnOf(id, world) : attribute.endsWith("Name") ? nameOf(id, world) : `${id}.${attribute}`;

const nameOf = (id: string, world: World): string => {
  const properties = world.resources[id]?.Properties ?? {};
  const name = properties.QueueName ?? properties.TopicName ?? properties.TableName ?? properties.RoleName ?? properties.FunctionName;
  return typeof name === "string" ? name : id;
};

const arnOf = (id: string, world: World): string => {
  const name = nameOf(id, world);
  const at = `${world.region}:${world.account}`;
  switch (world.resources[id]?.Type) {
    case "AWS::SQS::Queue":
      return `arn:aws:sqs:${at}:${name}`;
    case "AWS::SNS::Topic":
      return `arn:aws:sns:${at}:${name}`;
    case "AWS::DynamoDB::Table":
      return `arn:aws:dynamodb:${at}:table/${name}`;
    case "AWS::Lambda::Function":
      return `arn:aws:lambda:${at}:function:${name}`;
    case "AWS::IAM::Role":
      return `arn:aws:iam::${world.account}:role/${name}`;
    default:
      return `arn:aws:other:${at}:${name}`;
  }
};

const queueUrl = (arn: string): string => {
  const [, , , region, account, name] = arn.split(":");
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`;
};
