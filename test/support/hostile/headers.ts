import type { Service } from "./call.ts";

const jsonServices: Partial<Record<Service, { readonly prefix: string; readonly version: string }>> = {
  sqs: { prefix: "AmazonSQS", version: "1.0" },
  dynamodb: { prefix: "DynamoDB_20120810", version: "1.0" },
};

/** Headers by which an emulator knows what is asked, and in which region. */
export const requestHeaders = (service: Service, region: string, action: string): Readonly<Record<string, string>> => {
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  const signed = { authorization, "x-amz-date": "20260101T000000Z" };
  const json = jsonServices[service];
  return json
    ? { ...signed, "content-type": `application/x-amz-json-${json.version}`, "x-amz-target": `${json.prefix}.${action}` }
    : { ...signed, "content-type": "application/x-www-form-urlencoded" };
};
