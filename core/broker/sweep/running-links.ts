import type { BrokerSlice, NetworkConnector } from "../../config/slice.ts";
import type { LinkId } from "../../ids.ts";
import { isClosed, type LinkRecord } from "../../link/link.ts";
import type { LeftOfLink } from "../../link/removal.ts";
import type { Hello } from "../../message/hello.ts";
import type { Brain } from "../../ports.ts";

/** A link that may still carry something. */
export interface RunningLink {
  readonly link: LinkId;
  readonly why: string;
}

/** Links with an end here that `after` no longer has and that haven't stopped. */
export const runningLinks = async (brain: Brain, before: BrokerSlice, after: BrokerSlice): Promise<readonly RunningLink[]> => {
  const { broker } = before;
  const kept = new Set(after.connectors.map(({ link }) => link));
  const gone = before.connectors.filter(({ link, from, to }) => !kept.has(link) && [from, to].includes(broker));
  const judged = await Promise.all(
    gone.map(async (connector): Promise<RunningLink[]> => {
      const { link } = connector;
      const why =
        connector.from === broker
          ? whySending(connector, (await brain.read("link", "", link))?.value)
          : whyReceiving(connector, (await brain.read("hello", "", link))?.value.hello);
      return why === undefined ? [] : [{ link, why }];
    }),
  );
  return judged.flat();
};

/** The owner goes when its receiver has heard that nothing comes any more, or isn't there: nobody could tell it afterwards. */
const whySending = ({ removed = false }: NetworkConnector, record: LinkRecord | undefined): string | undefined => {
  if (!record || record.answeredAt === 0 || isClosed(record)) return undefined;
  const { removal, answeredAt, state } = record;
  if (!removal) return removed ? "is draining" : "runs";
  if (removal.state === "draining") return `is draining: ${describeLeft(removal.left)}`;
  return answeredAt >= removal.since || state === "waiting for peer" ? undefined : "has stopped, and its receiver hasn't answered yet";
};

/** The receiver keeps its inbound until the owner has said that nothing comes any more. One that was never heard sends nothing. */
const whyReceiving = ({ from }: NetworkConnector, hello: Hello | undefined): string | undefined =>
  !hello || hello.stopped ? undefined : `hasn't stopped at ${from}, which sends`;

const describeLeft = ({ undelivered, subscriptions }: LeftOfLink): string =>
  undelivered + subscriptions === 0
    ? "nothing is left, but copies that were planned before may still be on their way"
    : `${undelivered} messages undelivered, ${subscriptions} topics subscribed`;
