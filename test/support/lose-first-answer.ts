import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** The first answer is lost on its way back: the SDK repeats a call that had its effect. */
export const loseFirstAnswer = (dynamo: DynamoDBClient): void => {
  let lost = false;
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      if (lost) return answer;
      lost = true;
      throw Object.assign(new Error("the answer got lost"), { name: "TimeoutError" });
    },
    { step: "finalizeRequest", priority: "low", name: "loseFirstAnswer" },
  );
};
