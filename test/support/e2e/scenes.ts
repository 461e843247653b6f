import { type Connection, connect } from "../../../client/index.ts";
import type { NetworkInput } from "../../../core/config/define-network.ts";
import type { BrokerPlace } from "../../../core/destination/place.ts";
import type { Clients } from "../../../local/endpoints.ts";
import { browsers } from "../../local/scenes/browsers.ts";
import { crossing } from "../../local/scenes/crossing.ts";
import { durables } from "../../local/scenes/durables.ts";
import { replays } from "../../local/scenes/replays.ts";
import { networkFor, placed } from "../../local/scenes/scene.ts";
import { shares } from "../../local/scenes/shares.ts";
import type { Ground } from "../../local/scenes/stage.ts";
import type { Cloud } from "./cloud.ts";

/** A browser, selectors, priorities, what is excluded, a durable subscription: as on the embedded runtime. */
const played = /^(A30|CND-5, better|QUE-7|C6, C2|D41):/;

export const scenes = placed([...browsers, ...replays, ...shares, ...crossing, ...durables].filter(({ rule }) => played.test(rule)));

/** Connectors of the scenes, whose a is `from` here and whose b is `to`. */
export const connectorsTo = (to: string): NonNullable<NetworkInput["brokers"][string]["networkConnectors"]> =>
  (networkFor(scenes).brokers.a?.networkConnectors ?? []).map((connector) => ({ ...connector, to }));

/** A deployed network as what scenes are played on. What they begin must end before it is destroyed: `leave` does that. */
export const groundOn = (cloud: Cloud, network: string, place: (at: string) => BrokerPlace): Ground & { leave(): Promise<void> } => {
  const open: Connection[] = [];
  const clients = new Map<string, Clients>();
  return {
    network,
    place,
    clients: (at) => {
      const known = clients.get(at) ?? cloud.clientsFor(place(at).region);
      clients.set(at, known);
      return known;
    },
    connectTo: async (at, problems, clientID) => {
      const { id: broker, region } = place(at);
      const onProblem = (problem: Error) => void problems.push(problem);
      const connection = await connect({
        network,
        broker,
        env: cloud.environmentFor(region),
        onProblem,
        ...(clientID !== undefined && { clientID }),
      });
      open.push(connection);
      return connection;
    },
    // Minutes pass by themselves.
    tick: async () => {},
    leave: async () => void (await Promise.all(open.map((connection) => connection.close()))),
  };
};
