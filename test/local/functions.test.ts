import { describe, expect, test, vi } from "vitest";
import { type Functions, type Handler, localFunctions } from "../../local/functions.ts";
import { eventually } from "../support/eventually.ts";

const withFunction = (create: () => Promise<Handler>, timeoutSeconds = 3, pause?: Parameters<typeof localFunctions>[0]): Functions => {
  const functions = localFunctions(pause);
  functions.add({ arn: "f", name: "f", timeoutSeconds, create });
  return functions;
};

describe("functions", () => {
  test("a handler is made at the first event, not before, and used again", async () => {
    const create = vi.fn(async () => async () => "done");
    const functions = withFunction(create);
    expect(create).not.toHaveBeenCalled();
    await functions.invoke("f", {});
    await functions.invoke("f", {});
    expect(create).toHaveBeenCalledTimes(1);
  });

  test("events at one time run in environments of their own, which then serve the next ones", async () => {
    let made = 0;
    const functions = withFunction(async () => {
      made += 1;
      const environment = made;
      return async () => environment;
    });
    const both = () => Promise.all([functions.invoke("f", {}), functions.invoke("f", {})]);
    expect((await both()).sort()).toEqual([1, 2]);
    expect((await both()).sort()).toEqual([1, 2]);
  });

  test("a handler that threw serves the next event", async () => {
    let calls = 0;
    const functions = withFunction(async () => async () => {
      calls += 1;
      if (calls === 1) throw new Error("once");
      return calls;
    });
    await expect(functions.invoke("f", {})).rejects.toThrow("once");
    expect(await functions.invoke("f", {})).toBe(2);
  });

  test("one that couldn't be made is made anew at the next event, and both failures stand in the list", async () => {
    const create = vi.fn<() => Promise<Handler>>().mockRejectedValueOnce(new Error("no configuration"));
    create.mockResolvedValue(async () => "done");
    const functions = withFunction(create);
    await expect(functions.invoke("f", {})).rejects.toThrow("no configuration");
    expect(await functions.invoke("f", {})).toBe("done");
    expect(functions.failures).toMatchObject([{ function: "f", error: { message: "no configuration" } }]);
  });

  test("an answer is JSON", async () => {
    const functions = withFunction(async () => async () => ({ a: new Date(0), b: undefined }));
    expect(await functions.invoke("f", {})).toStrictEqual({ a: "1970-01-01T00:00:00.000Z" });
  });

  test("an event that may come again is JSON each time: what a handler changes in it neither the sender nor the next attempt sees", async () => {
    const event = { a: new Date(0), list: [1] };
    const seen: unknown[] = [];
    const handler: Handler = async (received) => {
      seen.push(structuredClone(received));
      (received as typeof event).list.push(2);
      if (seen.length === 1) throw new Error("once");
    };
    const functions = withFunction(
      async () => handler,
      3,
      async () => {},
    );
    functions.invokeLater("f", event);
    await functions.stop();
    expect([seen, event.list]).toEqual([Array(2).fill({ a: "1970-01-01T00:00:00.000Z", list: [1] }), [1]]);
  });

  test("a handler that runs out of its time has failed", async () => {
    const functions = withFunction(async () => () => new Promise(() => {}), 0.01);
    await expect(functions.invoke("f", {})).rejects.toThrow("f ran out of its 0.01 seconds");
  });

  const alwaysFails = async () => async () => {
    throw new Error("always");
  };

  test("an asynchronous invocation that fails is tried again after one minute, then after two, then given up", async () => {
    const pauses: number[] = [];
    const functions = withFunction(alwaysFails, 3, async (milliseconds) => void pauses.push(milliseconds));
    functions.invokeLater("f", {});
    await functions.stop();
    expect(pauses).toEqual([60_000, 120_000]);
    expect(functions.failures).toHaveLength(3);
  });

  test("an asynchronous invocation is not tried again where its configuration says so", async () => {
    const functions = withFunction(alwaysFails);
    functions.retry("f", 0);
    functions.invokeLater("f", {});
    await functions.stop();
    expect(functions.failures).toHaveLength(1);
  });

  test("stop gives up a retry that waits", async () => {
    const functions = withFunction(alwaysFails);
    functions.invokeLater("f", {});
    await eventually(() => functions.failures).toHaveLength(1);
    await functions.stop();
    expect(functions.failures).toHaveLength(1);
  });

  test("stop waits for what runs", async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const functions = withFunction(async () => async () => {
      started.resolve();
      await finish.promise;
    });
    functions.invokeLater("f", {});
    await started.promise;
    let stopped = false;
    const stop = functions.stop().then(() => {
      stopped = true;
    });
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    finish.resolve();
    await stop;
  });
});
