import { CreateTopicCommand, GetTopicAttributesCommand, SubscribeCommand } from "@aws-sdk/client-sns";
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll } from "vitest";
import { oneAttempt, snsIn, sqsIn } from "../../../aws/clients.ts";
import { sqsContents } from "../../../aws/contents.ts";
import { sqsDepths } from "../../../aws/depths.ts";
import { sqsEvents } from "../../../aws/events.ts";
import { snsForeignSubscriptions } from "../../../aws/foreign-subscriptions.ts";
import { awsMadeThings } from "../../../aws/made-things.ts";
import { sqsProbes } from "../../../aws/probes.ts";
import { awsResources } from "../../../aws/resources.ts";
import { sqsRestingQueue } from "../../../aws/resting-queue.ts";
import { awsSetup } from "../../../aws/setup.ts";
import { snsSubscriptions } from "../../../aws/subscriptions.ts";
import { awsTargets } from "../../../aws/targets.ts";
import { sqsReturns } from "../../../aws/visibility.ts";
import { type Place, type QueuePlace, whereaboutsOf } from "../../../aws/whereabouts.ts";
import { toTransportRecord } from "../../../aws/wire.ts";
import type { BrokerId } from "../../../core/ids.ts";
import type { TransportRecord } from "../../../core/message/message.ts";
import { type Emulators, startEmulators } from "../../../local/emulators.ts";
import { sha256 } from "../hash.ts";
import type { Hostile } from "../hostile/hostile.ts";
import { type BrokerInWorld, eu, networkSeenFrom, type OpenWorld, us, type World } from "./world.ts";

/** The environment that leads to the emulators. */
export const emulatorEnvironment = ({ sqs, sns, dynamodb }: Emulators) => ({
  AWS_REGION: "us-east-1",
  AWS_ENDPOINT_URL_SQS: sqs,
  AWS_ENDPOINT_URL_SNS: sns,
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
});

/** Emulators as ports see them, and for the test's own hands what stands behind a hostile layer. */
export interface RunningEmulators extends Emulators {
  readonly direct: Emulators;
}

/** Starts the emulators once for the file that calls it, behind a hostile layer if there is one. */
export const useEmulators = (layer?: Hostile): (() => RunningEmulators) => {
  let running: RunningEmulators | undefined;
  beforeAll(async () => {
    const direct = await startEmulators();
    running = { ...(layer ? await layer.before(direct) : direct), direct };
  });
  afterAll(async () => {
    await layer?.stop();
    await running?.stop();
  });
  return () => {
    if (!running) throw new Error("the emulators run in tests and their hooks only: open the world there");
    return running;
  };
};

/** The adapters on emulators that run as long as the test file. */
export const useEmulatorWorlds = (layer?: Hostile): OpenWorld => {
  const emulators = useEmulators(layer);
  let opened = 0;
  return async () => openEmulatorWorld(emulators(), `n${++opened}`);
};

const openEmulatorWorld = (emulators: RunningEmulators, network: string): World => {
  const setup = awsSetup(emulatorEnvironment(emulators));
  const direct = awsSetup(emulatorEnvironment(emulators.direct));
  const [sqs, sns] = [sqsIn(direct), snsIn(direct)];

  const broker = (id: BrokerId): BrokerInWorld => {
    const where = whereaboutsOf(networkSeenFrom(id, network), sha256);
    const whereabouts = async () => where;
    const { region } = where.own.place;
    const own = {
      whereabouts,
      sqs: sqsIn(setup)(region),
      sns: snsIn(setup)(region),
      peerSqs: sqsIn(setup, oneAttempt),
      peerSns: snsIn(setup, oneAttempt),
    };
    return {
      where,
      targets: awsTargets(own),
      events: sqsEvents(own),
      probes: sqsProbes(whereabouts, own.peerSqs),
      resources: awsResources({ ...own, network }),
      made: awsMadeThings({ ...own, own: where.own, network }),
      contents: sqsContents(where.own, own.sqs),
      subscriptions: snsSubscriptions(own),
      foreign: snsForeignSubscriptions(own),
      depths: sqsDepths(whereabouts, own.sqs),
      restingQueue: sqsRestingQueue({ ...own, visibilitySeconds: 120 }),
      returns: sqsReturns(own.sqs),
    };
  };

  const nameIn = ({ arn }: Place) => arn.slice(arn.lastIndexOf(":") + 1);
  const succeeds = (call: Promise<unknown>) =>
    call.then(
      () => true,
      () => false,
    );

  const drain = async (place: QueuePlace): Promise<readonly TransportRecord[]> => {
    const { region, url } = place;
    const { Messages = [] } = await sqs(region).send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ["All"],
        MessageSystemAttributeNames: ["All"],
      }),
    );
    if (Messages.length === 0) return [];
    await Promise.all(Messages.map(({ ReceiptHandle }) => sqs(region).send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }))));
    return [...Messages.map(toTransportRecord), ...(await drain(place))];
  };

  return {
    us: broker(us),
    eu: broker(eu),
    make: async (place) => {
      if (place.service === "sqs") await sqs(place.region).send(new CreateQueueCommand({ QueueName: nameIn(place) }));
      else await sns(place.region).send(new CreateTopicCommand({ Name: nameIn(place) }));
    },
    remove: async ({ region, url }) => void (await sqs(region).send(new DeleteQueueCommand({ QueueUrl: url }))),
    subscribe: async (topic, queue) => {
      const command = new SubscribeCommand({ TopicArn: topic.arn, Protocol: "sqs", Endpoint: queue.arn });
      return (await sns(topic.region).send(command)).SubscriptionArn ?? "";
    },
    exists: (place) =>
      place.service === "sqs"
        ? succeeds(sqs(place.region).send(new GetQueueAttributesCommand({ QueueUrl: place.url })))
        : succeeds(sns(place.region).send(new GetTopicAttributesCommand({ TopicArn: place.arn }))),
    drain,
  };
};
