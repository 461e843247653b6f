import { AccountPrincipal, AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { RegionInfo } from "aws-cdk-lib/region-info";

/** Roles that are named here and live elsewhere: principals of their own would have to exist beforehand and break when re-created. */
export interface AdmittedRoles {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly roleArns: readonly string[];
  /** @default - none beyond the roles' names */
  readonly conditions?: Readonly<Record<string, unknown>>;
}

export const admitRoles = ({ actions, resource, roleArns, conditions }: AdmittedRoles): PolicyStatement =>
  new PolicyStatement({
    sid: "AdmitRoles",
    principals: accountsOf(roleArns).map((account) => new AccountPrincipal(account)),
    actions: [...actions],
    resources: [resource],
    conditions: { ArnLike: { "aws:PrincipalArn": roleArns }, ...conditions },
  });

/** SNS, on behalf of a broker's topics: one statement whatever their number. */
export const admitTopics = (resource: string, topics: string, regions: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    sid: "AdmitTopics",
    principals: snsPrincipals(regions).map((service) => new ServicePrincipal(service)),
    actions: ["sqs:SendMessage"],
    resources: [resource],
    conditions: { ArnLike: { "aws:SourceArn": topics } },
  });

/** Everybody else, whatever their own policies allow. An absent key satisfies `ArnNotLike`, so each exception stands for itself. */
export const denyOthers = (
  action: string,
  resource: string,
  except: { readonly roleArns?: readonly string[]; readonly topics?: string },
): PolicyStatement =>
  new PolicyStatement({
    sid: "DenyOthers",
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: [action],
    resources: [resource],
    conditions: {
      ArnNotLike: {
        ...(except.roleArns && { "aws:PrincipalArn": except.roleArns }),
        ...(except.topics && { "aws:SourceArn": except.topics }),
      },
    },
  });

/** SNS delivers to or from a region that had to be opted in to by that region's own principal. */
const snsPrincipals = (regions: readonly string[]): readonly string[] => {
  const optedIn = new Set(regions.filter((region) => RegionInfo.get(region).isOptInRegion));
  return ["sns.amazonaws.com", ...[...optedIn].map((region) => `sns.${region}.amazonaws.com`)];
};

const accountsOf = (arns: readonly string[]): readonly string[] => [...new Set(arns.map((arn) => arn.split(":")[4] ?? ""))];
