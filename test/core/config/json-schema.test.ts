import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { networkJsonSchema } from "../../../core/config/json-schema.ts";

test("docs/network.schema.json is what `npm run schema` writes", async () => {
  expect(JSON.parse(await readFile("docs/network.schema.json", "utf8"))).toEqual(networkJsonSchema());
});

test("editors refuse unknown keys and broker ids outside [a-z0-9]", () => {
  expect(networkJsonSchema()).toMatchObject({
    additionalProperties: false,
    required: ["network", "brokers"],
    properties: {
      brokers: { propertyNames: { pattern: "^[a-z0-9]+$" }, additionalProperties: { additionalProperties: false, required: ["region"] } },
    },
  });
});
