import { describe, expect, test } from "vitest";
import { linkId } from "../../../core/ids.ts";
import type { Hello } from "../../../core/message/hello.ts";
import { decodeProbe } from "../../../core/message/probe.ts";
import { eu, type OpenWorld, us, usToEu } from "../../support/worlds/world.ts";

const hello: Hello = { link: usToEu, from: us, to: eu, digest: "d", advisoryFilter: [], keys: [{ kid: "k", key: "AA==" }], counter: 7 };

export const probesContract = (name: string, open: OpenWorld) =>
  describe(`${name} keep the contract of probes`, () => {
    test("a probe goes through the link's own inbound", async () => {
      const { us: broker, make, drain } = await open();
      const inbound = broker.where.inbound(usToEu);
      if (!inbound) throw new Error("the world has no link");
      await make(inbound);
      expect(await broker.probes.send(hello)).toBe("sent");
      const [record] = await drain(inbound);
      expect(record && decodeProbe(record.body, usToEu)).toEqual(hello);
    });

    test("a link whose inbound isn't there yet has no peer", async () => {
      const { us: broker } = await open();
      expect(await broker.probes.send(hello)).toBe("no-peer");
    });

    test("a link that left the configuration has no peer", async () => {
      const { us: broker } = await open();
      expect(await broker.probes.send({ ...hello, link: linkId(us, "gone") })).toBe("no-peer");
    });
  });
