import { expect, test } from "vitest";
import { type Fate, newCall } from "../../support/hostile/call.ts";
import { type Mood, peerMoods } from "./peer-moods.ts";

const accepted = { status: 200, headers: {}, body: "{}" };

/** A send to eu-west-1: what its caller gets, and whether the queue has it. */
const sendBy = async (by: string | undefined, mood: Mood, isOver = false) => {
  let isThere = false;
  const moods = peerMoods(() => {});
  const over = new AbortController();
  moods.turn(mood, over.signal);
  if (isOver) over.abort();
  const call = { ...newCall("sqs", "eu-west-1", "SendMessage", {}), ...(by !== undefined && { by }) };
  const fate: Fate = await moods.gate(call, async () => {
    isThere = true;
    return accepted;
  });
  return { said: typeof fate === "object" ? fate.status : fate, isThere };
};

test.for<{ mood: Mood; said: number | string; isThere: boolean }>([
  { mood: "refuses", said: 403, isThere: false },
  { mood: "hangs", said: "hangs", isThere: false },
  { mood: "accepts and says nothing", said: "hangs", isThere: true },
])("a peer that $mood does so to another region's handlers alone, and until it is over", async ({ mood, said, isThere }) => {
  expect(await sendBy("us-east-1.7", mood)).toEqual({ said, isThere });
  const well = { said: 200, isThere: true };
  expect(await sendBy("eu-west-1.8", mood)).toEqual(well);
  expect(await sendBy(undefined, mood)).toEqual(well);
  expect(await sendBy("us-east-1.7", mood, true)).toEqual(well);
});
