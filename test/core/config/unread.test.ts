import { describe, expect, test } from "vitest";
import { unreadKeys } from "../../../core/config/schema/unread.ts";
import { sharedPart, sliceFor } from "../../../core/config/slice.ts";
import { describeConfigWarning } from "../../../core/config/warning.ts";
import { aConnector, networkOf } from "./parse.ts";

/** Each with a value as files of ActiveMQ's have it. */
const written: Readonly<Record<keyof typeof unreadKeys, unknown>> = {
  uri: "masterslave:(ssl://eu-1:61617,ssl://eu-2:61617)",
  userName: "shop-clerk",
  password: "s3cret-here",
  remoteUserName: "shop-far",
  remotePassword: "s3cret-there",
  clientIdToken: "|",
  useBrokerNamesAsIdSeed: true,
  dispatchAsync: false,
  alwaysSyncSend: true,
  useCompression: true,
  advisoryPrefetchSize: -1,
  advisoryAckPercentage: 75,
  gcDestinationViews: true,
  gcSweepTime: 60_000,
  checkDuplicateMessagesOnDuplex: true,
};

describe("a key of a connector that sets nothing here", () => {
  test.for(Object.entries(written))("%s is taken, changes nothing, and is warned of with what there is instead", ([key, value]) => {
    const [plain, network] = [networkOf(aConnector({ name: "to-eu" })), networkOf(aConnector({ name: "to-eu", [key]: value }))];
    expect(network).toEqual({ ...plain, warnings: [{ warning: "unread-key", broker: "us", connector: "to-eu", key }] });
    const [warning] = network.warnings;
    const instead = unreadKeys[key as keyof typeof unreadKeys].description;
    expect(warning && describeConfigWarning(warning)).toBe(`us:to-eu sets ${key}, which is not read: ${instead}; remove it`);
    expect(instead?.length).toBeGreaterThan(20);
  });

  test("a password in the file is in no slice, digest or warning: nothing that is deployed or logged has it", () => {
    const network = networkOf(aConnector({ duplex: true, ...written }));
    const slices = network.brokers.map(({ id }) => sliceFor(network, id));
    const known = JSON.stringify([network, slices, slices.map(sharedPart), network.warnings.map(describeConfigWarning)]);
    expect(known).toContain("remotePassword, which is not read");
    expect(known).not.toMatch(/s3cret|shop-clerk|shop-far|61617/);
  });

  test("the digest of a network with them is that of one without", () => {
    const digested = (connector: object) =>
      networkOf(aConnector(connector)).brokers.map(({ id }) => sharedPart(sliceFor(networkOf(aConnector(connector)), id)));
    expect(digested(written)).toEqual(digested({}));
  });
});
