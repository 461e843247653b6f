import { GetQueueUrlCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { vi } from "vitest";
import { patiently } from "../../support/eventually.ts";
import { type Ledger, ledger } from "../../support/ledger.ts";
import type { HostileNetwork } from "./a-hostile-network.ts";
import { untilDone } from "./exchange.ts";
import { expectNoneLost } from "./none-lost.ts";

/** A plain SDK sends straight to a queue of us whose only consumer is in eu: nothing but the queue's depth shows it. */
export const directSendsLoseNothing = async (network: HostileNetwork, name: string): Promise<Ledger> => {
  const book = ledger();
  const [us, eu] = [await untilDone(() => network.connectTo("us")), await untilDone(() => network.connectTo("eu"))];
  const receive = ({ text }: { readonly text: string }) => book.received("eu", text);
  await untilDone(() => eu.consume(`queue://orders.${name}`, receive));
  await untilDone(() => eu.ready());
  book.sent("routed", ["eu"]);
  await untilDone(() => us.send(`queue://orders.${name}`, "routed"));
  const { sqs } = network.direct("us");
  const QueueName = `spanmq-orders-us-q-orders-${name}`;
  const QueueUrl = await vi.waitUntil(
    () =>
      sqs.send(new GetQueueUrlCommand({ QueueName })).then(
        (answer) => answer.QueueUrl,
        () => undefined,
      ),
    patiently,
  );
  const bodies = Array.from({ length: 10 }, (_, i) => `direct ${i}`);
  for (const body of bodies) book.sent(body, ["eu"]);
  await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: bodies.map((MessageBody, i) => ({ Id: `${i}`, MessageBody })) }));
  await expectNoneLost(network, book);
  return book;
};
