import { type DestinationFault, describeDestinationFault } from "../destination/destination.ts";
import type { BrokerId, LinkId } from "../ids.ts";

/** Why a record is no message of the door it came by. It goes to the dead letters with this reason. */
export type Undecodable =
  | { readonly fault: "no-destination" }
  | DestinationFault
  | { readonly fault: "malformed-header"; readonly why: string }
  | { readonly fault: "newer-version"; readonly needs: number; readonly known: number }
  | { readonly fault: "malformed-body"; readonly content: string }
  | { readonly fault: "neither-signed-nor-envelope"; readonly from: BrokerId }
  | { readonly fault: "foreign-topic"; readonly topicArn: string }
  | { readonly fault: "malformed-probe"; readonly why: string }
  | { readonly fault: "foreign-probe"; readonly link: LinkId; readonly door: LinkId };

export const describeUndecodable = (undecodable: Undecodable): string => {
  switch (undecodable.fault) {
    case "no-destination":
      return 'the message says nowhere to go: set the message attribute "destination" (String), for example queue://orders.new';
    case "empty-destination":
    case "destination-too-long":
      return describeDestinationFault(undecodable);
    case "malformed-header":
      return `the message attribute "SpanMQ" is not one of ours: ${undecodable.why}; leave it to brokers and our client`;
    case "newer-version":
      return `the sender's wire format needs version ${undecodable.needs}, this broker knows ${undecodable.known}: update this broker`;
    case "malformed-body":
      return `the body is not the ${undecodable.content} that its header says: something changed it on the way`;
    case "neither-signed-nor-envelope":
      return `the message is neither signed by broker "${undecodable.from}" nor an SNS envelope: send to a topic or the ingress queue instead`;
    case "foreign-topic":
      return `${undecodable.topicArn} is no topic of this link: remove its subscription`;
    case "malformed-probe":
      return `the probe is not one of ours: ${undecodable.why}`;
    case "foreign-probe":
      return `a probe of link ${undecodable.link} came through the inbound queue of ${undecodable.door}: check who may send to it`;
    default:
      return undecodable satisfies never;
  }
};
