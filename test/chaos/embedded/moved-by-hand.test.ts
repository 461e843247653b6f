import { expect, test } from "vitest";
import { movedByHand } from "./moved-by-hand.ts";

const [body, other] = ["embedded-queue.audited/1", "embedded-queue.audited/2"];
const event = {
  Records: [
    { messageId: "1", body },
    { messageId: "2", body: other },
  ],
};
const hands = () => {
  const opened: string[] = [];
  return { opened, ...movedByHand((bodies) => opened.push(...bodies)) };
};

test("what no target had before it was moved back doubles nowhere, whatever became of its neighbours and of its new id", () => {
  const { opened, handedOver, moved } = hands();
  handedOver(event, [other]);
  moved("1", [body]);
  handedOver({ Records: [{ messageId: "3", body }] }, [body]);
  expect(opened).toEqual([]);
});

test("what some target had may double", () => {
  const { opened, handedOver, moved } = hands();
  handedOver(event, [body]);
  moved("1", [body]);
  expect(opened).toEqual([body]);
});

test("what another handler still has in hand and hands over later may double, once", () => {
  const { opened, handedOver, moved } = hands();
  moved("1", [body]);
  for (let times = 0; times < 2; times += 1) handedOver(event, [body]);
  expect(opened).toEqual([body]);
});
