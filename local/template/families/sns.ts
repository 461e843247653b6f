import { CreateTopicCommand, SubscribeCommand } from "@aws-sdk/client-sns";
import * as z from "zod";
import { type Family, generatedName, resourceType } from "../resource-type.ts";

export const sns: Family = {
  "AWS::SNS::Topic": resourceType({
    applied: {
      TopicName: z.string().optional(),
      FifoTopic: z.literal(true).optional(),
      ContentBasedDeduplication: z.boolean().optional(),
      DisplayName: z.string().optional(),
    },
    accepted: ["MaximumMessageSize", "FifoThroughputScope", "KmsMasterKeyId", "SignatureVersion", "TracingConfig", "Tags"],
    async make(topic, context) {
      const { TopicName, ...attributes } = topic.properties;
      const name = TopicName ?? generatedName(context, topic, 250) + (attributes.FifoTopic ? ".fifo" : "");
      const Attributes = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)]));
      const { TopicArn = "" } = await context.clients.sns.send(new CreateTopicCommand({ Name: name, Attributes }));
      return { ref: TopicArn, attributes: { TopicArn, TopicName: name } };
    },
  }),
  "AWS::SNS::TopicPolicy": resourceType({ accepted: ["PolicyDocument", "Topics"], make: ({ logicalId }) => ({ ref: logicalId }) }),
  "AWS::SNS::Subscription": resourceType({
    applied: {
      TopicArn: z.string(),
      Protocol: z.literal("sqs"),
      Endpoint: z.string(),
      RawMessageDelivery: z.boolean().optional(),
      FilterPolicy: z.record(z.string(), z.unknown()).optional(),
      FilterPolicyScope: z.string().optional(),
    },
    // A topic's ARN says its region already.
    accepted: ["Region", "RedrivePolicy"],
    async make({ properties: { TopicArn, Protocol, Endpoint, RawMessageDelivery, FilterPolicy, FilterPolicyScope } }, { clients }) {
      const Attributes = {
        ...(RawMessageDelivery && { RawMessageDelivery: "true" }),
        ...(FilterPolicy && { FilterPolicy: JSON.stringify(FilterPolicy) }),
        ...(FilterPolicyScope && { FilterPolicyScope }),
      };
      const command = new SubscribeCommand({ TopicArn, Protocol, Endpoint, Attributes, ReturnSubscriptionArn: true });
      const { SubscriptionArn = "" } = await clients.sns.send(command);
      return { ref: SubscriptionArn, attributes: { Arn: SubscriptionArn } };
    },
  }),
};
