import type { EmbeddedNetwork } from "../network.ts";

/** How to reach the running network with the AWS CLI or any SDK. */
export const howToPlay = (network: EmbeddedNetwork): string => {
  const { AWS_REGION: _, ...environment } = network.environmentFor("us-east-1");
  const account = network.brokers[0]?.account;
  return [
    "The network is running. In another terminal:",
    "",
    ...Object.entries(environment).map(([name, value]) => `  export ${name}=${value}`),
    "",
    "  # a message into us; eu's declared poller consumes queue://plain.orders",
    `  aws sqs send-message --region us-east-1 --queue-url http://sqs/${account}/spanmq-orders-us-sys-ingress \\`,
    "    --message-body hello --message-attributes 'destination={DataType=String,StringValue=queue://plain.orders}'",
    `  aws sqs receive-message --region eu-west-1 --queue-url http://sqs/${account}/spanmq-orders-eu-q-plain-orders`,
    "",
    "Ctrl-C ends it.",
  ].join("\n");
};
