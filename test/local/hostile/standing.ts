import { ListQueuesCommand, type Message, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import type { BrokerName, HostileNetwork } from "./a-hostile-network.ts";

/** A message found in a queue, past the layer. */
export interface Standing {
  readonly broker: BrokerName;
  readonly queue: string;
  readonly body: string;
}

/** What is visible in all queues that `isAsked` picks by name. It is hidden from others for their visibility timeout. */
export const standing = async ({ direct }: HostileNetwork, isAsked: (queue: string) => boolean): Promise<readonly Standing[]> => {
  const visibleIn = async (broker: BrokerName, queue: string): Promise<readonly Standing[]> => {
    const command = new ReceiveMessageCommand({ QueueUrl: `http://sqs/000000000000/${queue}`, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await direct(broker).sqs.send(command);
    const found = Messages.map((message) => ({ broker, queue, body: bodyOf(message) }));
    return found.length === 0 ? [] : [...found, ...(await visibleIn(broker, queue))];
  };
  // The emulator lists the queues of all regions, and a name says whose it is.
  const { QueueUrls = [] } = await direct("us").sqs.send(new ListQueuesCommand({}));
  const queues = QueueUrls.map((url) => url.split("/").at(-1) ?? "").filter(isAsked);
  return (await Promise.all(queues.map((queue) => visibleIn(queue.startsWith("spanmq-orders-us-") ? "us" : "eu", queue)))).flat();
};

/** Out of SNS's envelope, if it is in one. */
const bodyOf = ({ Body = "" }: Message): string => (Body.startsWith('{"Type":"Notification"') ? JSON.parse(Body).Message : Body);
