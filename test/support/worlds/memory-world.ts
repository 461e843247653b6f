import { type Place, type QueuePlace, whereaboutsOf } from "../../../aws/whereabouts.ts";
import type { BrokerId } from "../../../core/ids.ts";
import { sha256 } from "../hash.ts";
import { memoryCloud } from "../memory/cloud.ts";
import { memoryPorts } from "../memory/ports.ts";
import { eu, networkSeenFrom, type OpenWorld, us } from "./world.ts";

/** A cloud of its own for each world; its clock stands still, and SNS follows a filter at once. */
export const openMemoryWorld: OpenWorld = async () => {
  const cloud = memoryCloud(() => 1_000, { filterLagMs: 0 });
  const broker = (id: BrokerId) => {
    const network = networkSeenFrom(id, "memory");
    return { ...memoryPorts(cloud, network, sha256), where: whereaboutsOf(network, sha256) };
  };
  const storeOf = ({ service }: Place) => (service === "sqs" ? cloud.queues : cloud.topics);
  return {
    us: broker(us),
    eu: broker(eu),
    make: async (place) => storeOf(place).create(place.arn),
    remove: async ({ arn }) => cloud.queues.delete(arn),
    subscribe: async (topic, queue) => cloud.topics.subscribe(topic.arn, queue.arn) ?? "",
    exists: async (place) => storeOf(place).exists(place.arn),
    drain: async ({ arn }: QueuePlace) => {
      const copies = cloud.queues.receive(arn, Number.POSITIVE_INFINITY, 60_000) ?? [];
      for (const { receipt } of copies) cloud.queues.remove(arn, receipt);
      return copies;
    },
  };
};
