import { describe, expect, test, vi } from "vitest";
import { loadNetwork } from "../../infra/network-file.ts";
import { folderWith } from "../support/folder-with.ts";

vi.stubEnv("CDK_DEFAULT_ACCOUNT", undefined); // whoever runs the tests may have credentials

const good = `{
  // one broker is a network too
  "network": "net",
  "brokers": { "us": { "region": "us-east-1" }, },
}`;

describe("where a network is configured", () => {
  test.for([
    { rule: "in network.jsonc, comments and trailing commas included", files: { "network.jsonc": good }, network: "net" },
    {
      rule: "in network.ts",
      files: { "network.ts": 'export default { network: "typed", brokers: { eu: { region: "eu-west-1" as string } } };' },
      network: "typed",
    },
    {
      rule: "in the file that is named, whatever lies beside it",
      files: { "network.jsonc": "{", "other.jsonc": good },
      named: "other.jsonc",
      network: "net",
    },
    { rule: "in the example, where nothing else is", files: {}, network: "orders" },
  ])("$rule", async ({ files, named, network }) => {
    expect(await loadNetwork(folderWith(files), named)).toMatchObject({ network });
  });

  test.for([
    { rule: "a missing file", files: {}, named: "nowhere.jsonc", line: /^no configuration at .*nowhere\.jsonc: write one/ },
    {
      rule: "a text that is no JSON, with its line",
      files: { "network.jsonc": '{\n  "network": "net"\n  "brokers": {}\n}' },
      line: /network\.jsonc:3: isn't valid JSON, where "brokers" stands: comma expected$/,
    },
    {
      rule: "a text that breaks off",
      files: { "network.jsonc": '{ "network": "net"' },
      line: /network\.jsonc:1: isn't valid JSON, at its end: close brace expected$/,
    },
    {
      rule: "a module without a default export",
      files: { "network.ts": "export const network = {};" },
      line: /network\.ts exports no default: write `export default defineNetwork/,
    },
    {
      rule: "a module that doesn't load, with its reason",
      files: { "network.ts": 'throw new Error("no luck");' },
      line: /network\.ts doesn't load: no luck$/,
    },
    {
      rule: "two configurations",
      files: { "network.ts": "export default {};", "network.jsonc": good },
      line: /has both network\.ts and network\.jsonc: remove one/,
    },
    {
      rule: "a mistake in it, with its file",
      files: { "network.jsonc": '{ "network": "Net", "brokers": { "us": { "region": "us-east-1" } } }' },
      line: /^network\.jsonc: `network` \("Net"\)/,
    },
    {
      rule: "an account that only some brokers name",
      files: {
        "network.jsonc":
          '{ "network": "net", "brokers": { "us": { "region": "us-east-1", "account": "111111111111" }, "eu": { "region": "eu-west-1" } } }',
      },
      line: /^network\.jsonc: `brokers\.eu\.account`: is missing/,
    },
    {
      rule: "a key that stands twice, of which JSON would keep the last",
      files: {
        "network.jsonc": '{ "network": "net",\n"brokers": { "us": { "region": "us-east-1" },\n"us": { "region": "ap-south-1" } } }',
      },
      line: /network\.jsonc:3: `brokers\.us` stands here for the second time; remove one/,
    },
    { rule: "a directory in place of its file", files: {}, named: ".", line: /is a directory: name the file in it/ },
  ])("is told $rule", async ({ files, named, line }) => {
    await expect(loadNetwork(folderWith(files), named)).rejects.toMatchObject({
      name: "NetworkError",
      lines: [expect.stringMatching(line)],
    });
  });
});
