import type { Whereabouts } from "../aws/whereabouts.ts";
import type { ArrivalDoor } from "../core/broker/dispatch/door.ts";
import type { Views } from "../core/ports.ts";

/** Which door a queue is: our ingress, or the inbound of a link that ends here. */
export const doorFinder =
  (views: Views, whereabouts: () => Promise<Whereabouts>) =>
  async (queueArn: string): Promise<ArrivalDoor> => {
    const [{ slice }, where] = await Promise.all([views.broker(), whereabouts()]);
    if (queueArn === where.own.queueArn(where.own.ingressQueue)) return { door: "ingress" };
    const connector = slice.connectors.find(({ link, to }) => to === slice.broker && where.inbound(link)?.arn === queueArn);
    if (!connector)
      throw new Error(`${queueArn} is no door of broker ${slice.broker}: its connector left the configuration, or isn't deployed yet`);
    return { door: "inbound", link: connector.link };
  };
