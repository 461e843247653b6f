import { test } from "vitest";
import { startAws } from "../../local/embedded-aws.ts";
import { besideASquatter } from "../support/beside-a-squatter.ts";
import { eventually } from "../support/eventually.ts";

const servers = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPServerWrap");

test("when one of its three ports is taken it says which, and closes the others", async () => {
  await eventually(() => besideASquatter(2, startAws)).toContain("port taken is in use");
  await eventually(servers).toEqual([]);
});
