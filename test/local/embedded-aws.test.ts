import { createServer } from "node:http";
import { expect, test } from "vitest";
import { startAws } from "../../local/embedded-aws.ts";
import { close, listen } from "../../local/listen.ts";
import { eventually } from "../support/eventually.ts";

const servers = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPServerWrap");

test("when one of its three ports is taken it says which, and closes the others", async () => {
  const squatter = createServer();
  const port = Number(new URL(await listen(squatter, 0)).port);
  await expect(startAws(port - 2)).rejects.toThrow(`port ${port} is in use`);
  await close(squatter);
  await eventually(servers).toEqual([]);
});
