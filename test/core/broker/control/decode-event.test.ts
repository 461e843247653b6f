import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEvent } from "../../../../core/broker/control/decode-event.ts";

const text = fc.string({ minLength: 1 });
const count = fc.nat();
const id = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const kind = fc.constantFrom("queue", "topic", "temp-queue", "temp-topic");
const key = fc.tuple(kind, fc.stringMatching(/^[A-Za-z.>*-]{1,9}$/)).map(([of, name]) => `${of}://${name}`);
const optional = { requiredKeys: ["id", "destination", "priority"] as ("id" | "destination" | "priority")[] };
const consumer = fc.record(
  { id: text, destination: key, priority: fc.integer({ min: -128, max: 127 }), prefetchSize: fc.integer({ min: 1 }), selector: text },
  optional,
);
const place = fc.oneof(
  fc.record({ to: fc.constant("queue"), destination: fc.record({ kind, name: text }) }),
  fc.record({ to: fc.constant("private"), queue: text }),
  fc.record({ to: fc.constant("undelivered"), link: text }),
);
const hello = fc.record({
  link: text,
  from: id,
  to: id,
  digest: fc.string(),
  advisoryFilter: fc.array(key),
  keys: fc.array(fc.record({ kid: text, key: text })),
  counter: count,
});
const named = (...names: string[]) => fc.constantFrom(...names);

const event = fc.oneof(
  fc.record({
    event: named("connection"),
    state: fc.record({ connection: id, counter: count, consumers: fc.array(consumer), closed: fc.boolean() }),
  }),
  fc.record({ event: named("hint"), from: id, destination: key, version: count }),
  fc.record({ event: named("hello"), hello }),
  fc.record({ event: named("hello-answer"), link: text, counter: count, digest: fc.string({ minLength: 1 }) }),
  fc.record({ event: named("closing"), from: id, counter: count }),
  fc.record({ event: named("link-failed"), link: text, at: count }),
  fc.record({ event: named("judge", "create", "discover"), destination: key }),
  fc.record({ event: named("look"), place }),
  fc.record({ event: named("expire"), connection: id }),
  fc.record({ event: named("probe", "compare"), link: text }),
  fc.record({ event: named("probe"), link: text, heard: fc.constant(true) }),
  fc.record({ event: named("probe"), link: text, opened: count }),
  fc.record({
    event: named("pass-result"),
    result: fc.record(
      {
        place,
        pass: text,
        counter: count,
        viewRevision: count,
        moved: count,
        renewed: count,
        left: count,
        complete: fc.boolean(),
        refused: fc.constant(true),
        dueAt: count,
        behind: fc.array(text),
        receiveLimit: count,
        olderThan: count,
      },
      { requiredKeys: ["place", "pass", "counter", "viewRevision", "moved", "renewed", "left", "complete"] },
    ),
  }),
  fc.record({ event: named("effective"), link: text, destination: key, version: count }),
  fc.record({ event: named("command"), link: text, run: fc.constantFrom("start", "stop"), counter: count }),
  fc.record({ event: named("deployed"), version: count }),
);
const isRefused = (decoded: object) => "undecodable" in decoded;

describe("decodeEvent", () => {
  test("reads every event as it was written", () => {
    fc.assert(
      fc.property(event, (sent) => {
        expect(decodeEvent(JSON.stringify(sent))).toEqual(sent);
      }),
      { numRuns: 300 },
    );
  });

  test("leaves out what a newer version adds", () => {
    fc.assert(
      fc.property(event, (sent) => {
        expect(decodeEvent(JSON.stringify({ ...sent, novelty: 1 }))).toEqual(sent);
      }),
    );
  });

  test("never throws, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.anything().map((it) => JSON.stringify(it) ?? ""),
        ),
        (body) => void decodeEvent(body),
      ),
    );
  });

  test("never throws for an event with one value gone wrong", () => {
    const paths = (value: unknown, path: readonly string[] = []): string[][] =>
      typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...paths(inner, [...path, name])])
        : [];
    const broken = (value: unknown, [head, ...rest]: readonly string[], wrong: unknown): unknown =>
      head === undefined ? wrong : { ...(value as object), [head]: broken((value as Record<string, unknown>)[head], rest, wrong) };
    fc.assert(
      fc.property(event, fc.nat(), fc.constantFrom(null, "", -1, 1.5, {}, [], "../x", 1e300), (sent, which, wrong) => {
        const all = paths(sent);
        const decoded = decodeEvent(JSON.stringify(broken(sent, all[which % all.length] ?? [], wrong)));
        if (!isRefused(decoded)) expect(decoded).toHaveProperty("event");
      }),
      { numRuns: 500 },
    );
  });

  test.for([
    { rule: "no JSON", body: "hello" },
    { rule: "no object", body: "3" },
    { rule: "no event", body: "{}" },
    { rule: "an unknown event", body: '{"event":"explode"}' },
    {
      rule: "a connection id that could name another's queue",
      body: '{"event":"connection","state":{"connection":"a.b","counter":1,"consumers":[],"closed":false}}',
    },
    { rule: "a counter below nothing", body: '{"event":"deployed","version":-1}' },
    {
      rule: "a consumer of nothing",
      body: '{"event":"connection","state":{"connection":"a","counter":1,"consumers":[{"id":"c","destination":"queue:// ","priority":0}],"closed":false}}',
    },
    { rule: "a destination without a name", body: '{"event":"create","destination":"topic://"}' },
  ])("refuses $rule and says why", ({ body }) => {
    expect(decodeEvent(body)).toEqual({ undecodable: expect.stringMatching(/.{5,}/) });
  });
});
