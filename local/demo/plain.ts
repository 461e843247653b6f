import { PublishCommand, SubscribeCommand } from "@aws-sdk/client-sns";
import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { bodies, type Stage, until } from "./stage.ts";

/** (d) Plain AWS at both edges: any SDK produces, any SQS poller consumes, no client library of ours. */
export const plainAws = async (stage: Stage): Promise<void> => {
  const { network, at, say } = stage;
  const [us, eu] = [at("us"), at("eu")];
  const [here, there] = [network.clientsFor(us.place.region), network.clientsFor(eu.place.region)];
  say("(d) a plain SDK in us, plain SQS pollers in eu");

  const inbox = await there.sqs.send(new CreateQueueCommand({ QueueName: "my-own-prices" }));
  await there.sns.send(
    new SubscribeCommand({ TopicArn: eu.topicArn(eu.topic("prices.plain")), Protocol: "sqs", Endpoint: eu.queueArn("my-own-prices") }),
  );

  say("    5 messages to the ingress queue with a `destination` attribute, 5 publishes without any attribute");
  for (const body of bodies("order", 5)) {
    const destination = { DataType: "String", StringValue: "queue://plain.orders" };
    await here.sqs.send(
      new SendMessageCommand({ QueueUrl: us.queueUrl(us.ingressQueue), MessageBody: body, MessageAttributes: { destination } }),
    );
  }
  for (const body of bodies("price", 5))
    await here.sns.send(new PublishCommand({ TopicArn: us.topicArn(us.topic("prices.plain")), Message: body }));

  const orders = await takeAll(there.sqs, eu.queueUrl(eu.queue("plain.orders")), 5);
  const prices = (await takeAll(there.sqs, inbox.QueueUrl ?? "", 5)).map((envelope) => String(JSON.parse(envelope).Message));
  stage.found("(d) plain queue message", bodies("order", 5).join(" "), orders.toSorted().join(" "));
  stage.found("(d) plain topic message", bodies("price", 5).join(" "), prices.toSorted().join(" "));
};

/** What a plain poller does: receive, use the body, delete. */
export const takeAll = async (sqs: SQSClient, QueueUrl: string, count: number, patience?: number): Promise<string[]> => {
  const taken: string[] = [];
  await until(async () => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }));
    for (const { Body = "", ReceiptHandle } of Messages) {
      taken.push(Body);
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    return taken.length >= count;
  }, patience);
  return taken;
};
