import { expect, test } from "vitest";
import type { Handler } from "../../../local/functions.ts";
import { type Call, type Fate, newCall, toCall } from "../../support/hostile/call.ts";
import { mortalFunctions } from "./mortal-functions.ts";

const context = { functionName: "f", invokedFunctionArn: "f", awsRequestId: "1", getRemainingTimeInMillis: () => 10_000 };
const ok = { status: 200, headers: {}, body: "{}" };

/** Handlers that make three calls, one after the other, whatever becomes of them; the first invocation dies after so many. */
const aFunction = async (afterCalls: number) => {
  const [reached, deaths, answers]: [string[], string[], Promise<unknown>[]] = [[], [], []];
  let born = 0;
  const lots = [{ isDue: (done: readonly string[]) => done.length === afterCalls, befalls: async () => "dies" as const }];
  const functions = mortalFunctions({
    lotOf: () => lots.shift(),
    onDeath: (_event, after) => deaths.push(after),
    read: async () => ({
      create: ({ AWS_ENDPOINT_URL_SQS: address = "" }): Handler => {
        born += 1;
        const call = (action: string): Promise<Fate> =>
          functions.gate(toCall({ ...newCall("sqs", "us-east-1", action, {}), path: new URL(address).pathname }), async (passed: Call) => {
            reached.push(passed.action);
            return ok;
          });
        const works = async () => [await call("first"), await call("second"), await call("third")].length;
        return () => {
          const answer = works();
          answers.push(answer);
          return answer;
        };
      },
    }),
  });
  const handler = await (await functions.load("any")).create({ AWS_ENDPOINT_URL_SQS: "http://127.0.0.1:1" });
  const invoke = () => handler({}, context);
  const zombies = () => Promise.all(answers);
  return { invoke, zombies, reached, deaths, born: () => born };
};

test.for([
  { rule: "before it calls anybody", afterCalls: 0, reached: [], died: "start" },
  { rule: "after a call, which is done", afterCalls: 2, reached: ["first", "second"], died: "second" },
  { rule: "with its answer, when it has called all", afterCalls: 9, reached: ["first", "second", "third"], died: "end" },
])("an invocation dies $rule, and nothing that it goes on to do is done", async ({ afterCalls, reached, died }) => {
  const one = await aFunction(afterCalls);
  await expect(one.invoke()).rejects.toThrow("died");
  await one.zombies();
  expect({ reached: one.reached, deaths: one.deaths }).toEqual({ reached, deaths: [died] });
});

test("another environment takes the place of one that died, and lives", async () => {
  const one = await aFunction(1);
  await expect(one.invoke()).rejects.toThrow("died");
  expect(await one.invoke()).toBe(3);
  expect(await one.invoke()).toBe(3);
  expect(one.born()).toBe(2);
});
