import { NotFoundException, SNSServiceException } from "@aws-sdk/client-sns";
import { QueueDoesNotExist, SQSServiceException } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { answerOfEntry, answerOfError, saysMissing } from "../../aws/answers.ts";
import { AwsSetupError } from "../../aws/setup.ts";

const sqsError = (name: string, message = "said the service", $fault: "client" | "server" = "client") =>
  new SQSServiceException({ name, message, $fault, $metadata: {} });
const socketError = (code: string) => Object.assign(new Error(`connect ${code} 10.0.0.1:443`), { code });
const timedOut = (message: string) => Object.assign(new Error(message), { name: "TimeoutError" });

const repeated = (error: object) => Object.assign(error, { $metadata: { attempts: 2 } });

describe("what a failed call proves", () => {
  test.for([
    { rule: "a queue that doesn't exist is missing", error: new QueueDoesNotExist({ message: "gone", $metadata: {} }), cause: "missing" },
    { rule: "the query protocol's word for it too", error: sqsError("AWS.SimpleQueueService.NonExistentQueue"), cause: "missing" },
    { rule: "a topic that isn't found is missing", error: new NotFoundException({ message: "gone", $metadata: {} }), cause: "missing" },
    { rule: "a denial is denied", error: sqsError("AccessDenied"), cause: "denied" },
    { rule: "SNS's word for it too", error: sqsError("AuthorizationErrorException"), cause: "denied" },
    { rule: "a throttled call is throttled", error: sqsError("RequestThrottled"), cause: "throttled" },
    { rule: "even if the service takes the blame", error: sqsError("ThrottlingException", "slow down", "server"), cause: "throttled" },
    { rule: "a batch over the limit is too large", error: sqsError("BatchRequestTooLong"), cause: "too-large" },
    {
      rule: "a message over the limit is too large",
      error: sqsError("InvalidParameterValue", "Message must be shorter than 1 bytes."),
      cause: "too-large",
    },
    { rule: "SNS's words for it too", error: sqsError("InvalidParameter", "Invalid parameter: Message too long"), cause: "too-large" },
    { rule: "any other fault of ours is refused", error: sqsError("InvalidMessageContents"), cause: "other" },
    { rule: "a host without an address was never reached", error: socketError("ENOTFOUND"), cause: "other" },
    { rule: "a refused connection was never opened", error: socketError("ECONNREFUSED"), cause: "other" },
    { rule: "even if its cause carries the code", error: new Error("failed", { cause: socketError("ECONNREFUSED") }), cause: "other" },
    { rule: "a missing set-up called nobody", error: new AwsSetupError("no AWS credentials"), cause: "other" },
    {
      rule: "a connection that didn't open in time was never opened",
      error: timedOut("the request socket did not establish a connection with the server within the configured timeout of 1000 ms."),
      cause: "other",
    },
  ])("$rule", ({ error, cause }) => {
    expect(answerOfError(error)).toMatchObject({ answer: "refused", cause });
  });

  test.for([
    { rule: "a time-out", error: timedOut("a request has exceeded the configured 3000 ms requestTimeout") },
    { rule: "a broken connection", error: socketError("ECONNRESET") },
    {
      rule: "the service's own fault",
      error: new SNSServiceException({ name: "InternalError", message: "", $fault: "server", $metadata: {} }),
    },
    { rule: "a denial by anybody but the service", error: new Error("Access Denied, says a proxy") },
    { rule: "something that isn't even an error", error: "what?" },
    { rule: "a refusal of a repeated call, whose first attempt may have been accepted", error: repeated(sqsError("RequestThrottled")) },
    { rule: "a repetition that was never connected", error: repeated(socketError("ECONNREFUSED")) },
  ])("$rule proves nothing", ({ error }) => {
    expect(answerOfError(error)).toMatchObject({ answer: "silent" });
  });
});

test("a repetition that finds a message too large proves it, and one that finds nothing there says so", () => {
  expect(answerOfError(repeated(sqsError("BatchRequestTooLong")))).toMatchObject({ answer: "refused", cause: "too-large" });
  expect(saysMissing(repeated(new QueueDoesNotExist({ message: "gone", $metadata: {} })))).toBe(true);
});

describe("what a failed entry of a batch proves", () => {
  test.for([
    {
      rule: "a sender's fault is refused",
      code: "InvalidMessageContents",
      senderFault: true,
      answer: { answer: "refused", cause: "other" },
    },
    { rule: "the service's own fault is silent", code: "InternalError", senderFault: false, answer: { answer: "silent" } },
    {
      rule: "a throttled entry is refused",
      code: "ThrottlingException",
      senderFault: false,
      answer: { answer: "refused", cause: "throttled" },
    },
  ])("$rule", ({ code, senderFault, answer }) => {
    expect(answerOfEntry(code, "", senderFault)).toMatchObject(answer);
  });
});
