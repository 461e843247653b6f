import { queueUrl } from "../core/destination/place.ts";
import type { Place, QueuePlace } from "./whereabouts.ts";

/** Where a queue is, by its ARN. */
export const queueOfArn = (arn: string): QueuePlace => {
  const [, , , region = "", account = "", name = ""] = arn.split(":");
  return { service: "sqs", region, arn, url: queueUrl({ region, account }, name) };
};

/** Where a queue or topic is, by its ARN. */
export const placeOfArn = (arn: string): Place => {
  const [, , service, region = ""] = arn.split(":");
  return service === "sns" ? { service, region, arn } : queueOfArn(arn);
};
