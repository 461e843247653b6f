import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const chapters = (await readFile("docs/client.md", "utf8")).split(/^## /m);

/** What the first column of a chapter's table names. */
const documentedIn = (title: string): ReadonlySet<string> => {
  const rows = (chapters.find((chapter) => chapter.startsWith(`${title}\n`)) ?? "").matchAll(/^\| (`.+?) \|/gm);
  return new Set([...rows].flatMap(([, names = ""]) => [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)));
};

/** The members of interfaces of the client. */
const membersOf = async (file: string, ...interfaces: readonly string[]): Promise<ReadonlySet<string>> => {
  const source = await readFile(`client/${file}`, "utf8");
  const bodies = interfaces.map((name) => new RegExp(`interface ${name}\\b.*\\{\n([^}]*)\n}`).exec(source)?.[1] ?? "");
  return new Set(bodies.flatMap((body) => [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm)].map(([, name = ""]) => name)));
};

test.for([
  {
    title: "Options",
    file: "options.ts",
    interfaces: ["BrokerOptions", "ConnectOptions", "ConsumeOptions", "SubscribeOptions", "BrowseOptions", "ReadyOptions"],
  },
  { title: "Options of a message", file: "outgoing.ts", interfaces: ["SendOptions"] },
  { title: "What a handler gets", file: "received.ts", interfaces: ["ReceivedMessage"] },
])("docs/client.md has everything that can be said or read, and nothing else: $title", async ({ title, file, interfaces }) => {
  const members = await membersOf(file, ...interfaces);
  expect(members.size).toBeGreaterThan(0);
  expect(documentedIn(title)).toEqual(members);
});

test("docs/client.md has every call of a connection", async () => {
  const calls = new Set([...(await membersOf("connection.ts", "Connection"))].filter((name) => name !== "id"));
  expect(documentedIn("Calls of a connection")).toEqual(calls);
});
