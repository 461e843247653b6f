import { describe, expect, test } from "vitest";
import { whereaboutsFrom, whereaboutsOf } from "../../aws/whereabouts.ts";
import type { BrokerItem } from "../../core/broker/records.ts";
import { sha256 } from "../support/hash.ts";
import { usToEu } from "../support/worlds/world.ts";
import { network } from "./fixtures.ts";

describe("whereabouts", () => {
  test("follow the configuration: another version is computed anew, the same one isn't", async () => {
    let item = { version: 1, slice: network } as unknown as BrokerItem;
    const where = whereaboutsFrom({ broker: async () => item }, sha256);
    const first = await where();
    expect(await where()).toBe(first);
    item = { ...item, version: 2, slice: { ...item.slice, connectors: [] } };
    expect(first.inbound(usToEu)).toBeDefined();
    expect((await where()).inbound(usToEu)).toBeUndefined();
  });

  test("a configuration without its own broker is said in words", () => {
    expect(() => whereaboutsOf({ ...network, brokers: [] }, sha256)).toThrow("broker us isn't among the brokers of network net");
  });
});
