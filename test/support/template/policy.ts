/** A small judge of IAM policies: explicit deny, then allow, by the rules AWS documents. An operator it doesn't know is an error. */
export interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Principal?: "*" | Readonly<Record<string, string | readonly string[]>>;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** Who asks: a role (by its ARN) or an AWS service. */
export type Caller = { readonly role: string } | { readonly service: string };

export interface Request {
  readonly caller: Caller;
  readonly action: string;
  readonly resource: string;
  /** Account that owns the resource: a foreign role needs its own policy's leave and the resource's. */
  readonly owner: string;
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

export type Judgement = "allowed" | "denied" | "not allowed";

export const judgeRequest = (request: Request, identity: readonly Statement[], resource: readonly Statement[]): Judgement => {
  const ofResource = resource.filter((statement) => concerns(statement, request) && names(statement.Principal, request.caller));
  const ofIdentity = identity.filter((statement) => concerns(statement, request));
  if ([...ofResource, ...ofIdentity].some(({ Effect }) => Effect === "Deny")) return "denied";
  return isAllowed(request, ofIdentity.length > 0, ofResource.length > 0) ? "allowed" : "not allowed";
};

/** A resource that names an account leaves it to that account's own policies: alone it admits none of its roles. */
const isAllowed = ({ caller, owner }: Request, byIdentity: boolean, byResource: boolean): boolean => {
  if ("service" in caller) return byResource;
  return byIdentity && (byResource || accountOf(caller.role) === owner);
};

const concerns = (statement: Statement, request: Request): boolean =>
  list(statement.Action).some((action) => like(action, request.action)) &&
  list(statement.Resource).some((arn) => like(arn, request.resource)) &&
  Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => holds(operator, list(wanted), contextOf(request)[key])),
  );

const names = (principal: Statement["Principal"], caller: Caller): boolean => {
  if (principal === undefined) throw new Error("a statement of a resource policy names no principal");
  if (principal === "*") return true;
  return Object.entries(principal).some(([kind, who]) => list(who).some((name) => name === "*" || isNamed(kind, name, caller)));
};

const isNamed = (kind: string, name: string, caller: Caller): boolean => {
  if ("service" in caller) return kind === "Service" && name === caller.service;
  return kind === "AWS" && (name === caller.role || name.endsWith(`::${accountOf(caller.role)}:root`));
};

const contextOf = ({ caller, context }: Request): Readonly<Record<string, string | readonly string[]>> => ({
  "aws:SecureTransport": "true",
  ...("role" in caller && { "aws:PrincipalArn": caller.role }),
  ...context,
});

/** An absent key makes a negated operator and a ForAllValues true, every other false. */
const holds = (operator: string, wanted: readonly string[], given: string | readonly string[] | undefined): boolean => {
  const values = given === undefined ? [] : list(given);
  const anyMatches = (matches: (pattern: string, value: string) => boolean) =>
    values.some((value) => wanted.some((pattern) => matches(pattern, value)));
  switch (operator) {
    case "ArnLike":
      return anyMatches(arnLike);
    case "ArnNotLike":
      return !anyMatches(arnLike);
    case "StringEquals":
    case "Bool":
      return anyMatches((pattern, value) => pattern === value);
    case "StringLike":
      return anyMatches(like);
    case "ForAllValues:StringLike":
      return values.every((value) => wanted.some((pattern) => like(pattern, value)));
    case "ForAllValues:StringEquals":
      return values.every((value) => wanted.includes(value));
    case "Null":
      return wanted.includes(String(values.length === 0));
    default:
      throw new Error(`condition operator ${operator} is not known to test/support/template/policy.ts: add it there`);
  }
};

/** The six parts of an ARN are compared each by itself. */
const arnLike = (pattern: string, arn: string): boolean => {
  const parts = partsOf(arn);
  return partsOf(pattern).every((part, index) => like(part, parts[index] ?? ""));
};
const partsOf = (arn: string): readonly string[] => {
  const parts = arn.split(":");
  return [...parts.slice(0, 5), parts.slice(5).join(":")];
};

const like = (pattern: string, value: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
    "s",
  ).test(value);

const accountOf = (arn: string): string => arn.split(":")[4] ?? "";
const list = (value: string | readonly string[]): readonly string[] => (typeof value === "string" ? [value] : value);
