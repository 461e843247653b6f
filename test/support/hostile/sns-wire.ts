import type { Entry, Input } from "./call.ts";

export interface Failure {
  readonly Id: string;
  readonly Code: string;
  readonly Message: string;
  readonly SenderFault: boolean;
}

/** What the faults look at in an answer. */
export interface Output {
  readonly Messages?: readonly ReceivedCopy[];
  readonly Successful?: readonly { readonly Id: string; readonly MessageId?: string }[];
  readonly Failed?: readonly Failure[];
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly SubscriptionArn?: string;
  readonly MessageId?: string;
  readonly Table?: Readonly<Record<string, unknown>>;
  readonly TableDescription?: Readonly<Record<string, unknown>>;
  readonly Responses?: Readonly<Record<string, unknown>>;
  readonly UnprocessedKeys?: Readonly<Record<string, unknown>>;
  readonly UnprocessedItems?: Readonly<Record<string, unknown>>;
}
export interface ReceivedCopy {
  readonly ReceiptHandle: string;
  readonly MessageId: string;
  readonly Attributes?: Readonly<Record<string, string>>;
}

export const formOf = (body: string): URLSearchParams => new URLSearchParams(body);

/** `prefix.1.rest`, `prefix.2.rest` … as one record of rests for each number. */
const numbered = (
  form: URLSearchParams,
  prefix: string,
): readonly (readonly [number: string, fields: Readonly<Record<string, string>>])[] => {
  const found = new Map<string, Record<string, string>>();
  for (const [name, value] of form) {
    if (!name.startsWith(`${prefix}.`)) continue;
    const [number = "", ...rest] = name.slice(prefix.length + 1).split(".");
    const fields = found.get(number) ?? {};
    found.set(number, fields);
    fields[rest.join(".")] = value;
  }
  return [...found];
};

const attributesIn = (form: URLSearchParams, prefix: string): NonNullable<Entry["MessageAttributes"]> =>
  Object.fromEntries(
    numbered(form, prefix).map(([, fields]) => [
      fields.Name,
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replace("Value.", ""), value])),
    ]),
  );

const batch = "PublishBatchRequestEntries.member";

export const batchEntriesOf = (form: URLSearchParams): readonly { readonly number: string; readonly entry: Entry }[] =>
  numbered(form, batch).map(([number, { Id = "", Message = "" }]) => ({
    number,
    entry: { Id, Message, MessageAttributes: attributesIn(form, `${batch}.${number}.MessageAttributes.entry`) },
  }));

export const withoutBatchEntries = (form: URLSearchParams, gone: readonly { readonly number: string }[]): string => {
  const prefixes = gone.map(({ number }) => `${batch}.${number}.`);
  return String(new URLSearchParams([...form].filter(([name]) => !prefixes.some((prefix) => name.startsWith(prefix)))));
};

/** A query's parameters as the SDK's command has them. */
export const snsInput = (form: URLSearchParams): Input => ({
  ...Object.fromEntries([...form].filter(([name]) => !name.includes("."))),
  Attributes: Object.fromEntries(numbered(form, "Attributes.entry").map(([, { key = "", value = "" }]) => [key, value])),
  MessageAttributes: attributesIn(form, "MessageAttributes.entry"),
  ...(form.get("Action") === "PublishBatch" && { Entries: batchEntriesOf(form).map(({ entry }) => entry) }),
});

const textIn = (xml: string, name: string): string | undefined => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
const membersIn = (xml: string, list: string): readonly string[] =>
  new RegExp(`<${list}>(.*?)</${list}>`, "s").exec(xml)?.[1]?.match(/<member>.*?<\/member>/gs) ?? [];

export const snsOutput = (action: string, xml: string): Output => {
  const of = (name: "SubscriptionArn" | "MessageId") => ({ [name]: textIn(xml, name) });
  if (action !== "PublishBatch") return { ...of("SubscriptionArn"), ...of("MessageId") };
  const field = (member: string, name: string) => textIn(member, name) ?? "";
  return {
    Successful: membersIn(xml, "Successful").map((member) => ({ Id: field(member, "Id"), MessageId: field(member, "MessageId") })),
    Failed: membersIn(xml, "Failed").map((member) => ({
      Id: field(member, "Id"),
      Code: field(member, "Code"),
      Message: field(member, "Message"),
      SenderFault: field(member, "SenderFault") === "true",
    })),
  };
};

const members = (list: readonly object[] = []): string =>
  list
    .map((member) => Object.entries(member).map(([name, value]) => `<${name}>${value}</${name}>`))
    .map((fields) => `<member>${fields.join("")}</member>`)
    .join("");

export const toSnsXml = (action: string, { Successful, Failed, SubscriptionArn = "" }: Output): string => {
  const result =
    action === "PublishBatch"
      ? `<Successful>${members(Successful)}</Successful><Failed>${members(Failed)}</Failed>`
      : `<SubscriptionArn>${SubscriptionArn}</SubscriptionArn>`;
  return `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;
};

export const snsError = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
