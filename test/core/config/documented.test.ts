import { readFile } from "node:fs/promises";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import * as z from "zod";
import { brokerSchema } from "../../../core/config/schema/broker.ts";
import { connectorSchema } from "../../../core/config/schema/connector.ts";
import { consumerSchema } from "../../../core/config/schema/consumer.ts";
import { individualSchema, sharedSchema } from "../../../core/config/schema/dead-letters.ts";
import { declaredObjectSchema } from "../../../core/config/schema/declared-destination.ts";
import { jmsBridgeSchema } from "../../../core/config/schema/jms-bridge.ts";
import { networkSchema } from "../../../core/config/schema/network.ts";
import { policySchema } from "../../../core/config/schema/policy.ts";
import { networkOf } from "./parse.ts";

const chapters = (await readFile("docs/configuration.md", "utf8")).split(/^## /m);

/** The keys that a chapter's table lists, each with its default as the table writes it. */
const documentedIn = (title: string): Record<string, string> => {
  const rows = (chapters.find((chapter) => chapter.startsWith(`${title}\n`)) ?? "").matchAll(/^\| `(\S+)` \|[^|]*\| ?`?(.*?)`? ?\|/gm);
  return Object.fromEntries([...rows].map(([, key = "", standard = ""]) => [key, standard]));
};

const keysOf = (schema: z.ZodType): Record<string, string> =>
  Object.fromEntries(
    Object.entries(z.toJSONSchema(schema, { io: "input" }).properties ?? {}).map(([key, property]) => [
      key,
      typeof property === "object" && property.default !== undefined ? JSON.stringify(property.default) : "",
    ]),
  );

test.for([
  { title: "Network", schema: networkSchema },
  { title: "Broker", schema: brokerSchema },
  { title: "Network connector", schema: connectorSchema },
  { title: "Declared destination", schema: declaredObjectSchema },
  { title: "Declared consumer", schema: consumerSchema },
  { title: "Destination policy", schema: policySchema },
  { title: "Shared dead-letter strategy", schema: sharedSchema },
  { title: "Individual dead-letter strategy", schema: individualSchema },
  { title: "JMS bridge", schema: jmsBridgeSchema },
])("docs/configuration.md has every key of the schema, and no other, with its default: $title", ({ title, schema }) => {
  expect(documentedIn(title)).toEqual(keysOf(schema));
});

test("what docs/configuration.md makes of an activemq.xml is a configuration, of which nothing is to be warned", () => {
  const chapter = chapters.find((one) => one.startsWith("From an activemq.xml\n")) ?? "";
  const [, translated = ""] = /```jsonc\n(.*?)```/s.exec(chapter) ?? [];
  expect(networkOf(parse(translated)).warnings).toEqual([]);
});
