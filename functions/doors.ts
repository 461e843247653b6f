import type { Whereabouts } from "../aws/whereabouts.ts";
import type { ArrivalDoor } from "../core/broker/dispatch/door.ts";
import { lanesOf } from "../core/config/ordered.ts";
import type { Views } from "../core/ports.ts";

/** Which door a queue is: our ingress or feed, or the inbound of a link that ends here, either way of each. */
export const doorFinder =
  (views: Views, whereabouts: () => Promise<Whereabouts>) =>
  async (queueArn: string): Promise<ArrivalDoor> => {
    const [{ slice }, where] = await Promise.all([views.broker(), whereabouts()]);
    const { ingressQueue, ingressFifoQueue, feedQueue, queueArn: arnOf } = where.own;
    if ([ingressQueue, ingressFifoQueue].map(arnOf).includes(queueArn)) return { door: "ingress" };
    if ([false, true].map((fifo) => arnOf(feedQueue(fifo))).includes(queueArn)) return { door: "feed" };
    const connector = slice.connectors.find(
      ({ link, to, fifo }) => to === slice.broker && lanesOf({ fifo }).some((lane) => where.inbound(link, lane)?.arn === queueArn),
    );
    if (!connector)
      throw new Error(`${queueArn} is no door of broker ${slice.broker}: its connector left the configuration, or isn't deployed yet`);
    return { door: "inbound", link: connector.link };
  };
