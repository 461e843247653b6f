import { destinationKey } from "../../destination/destination.ts";
import type { Loads } from "../../ports.ts";
import type { RestingPlace } from "../../routing/plan.ts";
import { levelsOf, type Ranking } from "../../routing/ranking.ts";
import type { HasRoom } from "../../routing/route.ts";
import type { Candidate, DestinationView, LocalCandidate } from "../../routing/view.ts";

/** For each destination whether candidates of one level have room together; a yes takes one place of it. */
export type Rooms = (view: DestinationView) => HasRoom;

/** Reads how full local consumers' queues are, and only where a lower level waits behind them. A level with a link has room always. */
export const openRooms = async (
  loads: Loads,
  views: readonly DestinationView[],
  rankingOf: (view: DestinationView) => Ranking | undefined = () => undefined,
): Promise<Rooms> => {
  const left = new Map<string, number>();
  const measure = async (view: DestinationView, candidate: LocalCandidate): Promise<void> => {
    left.set(nameOf(view, candidate), candidate.capacity - (await loads.read(placeOf(candidate, view))));
  };
  const measured = (level: readonly Candidate[]) => (level.some(hasAlwaysRoom) ? [] : level.filter((one) => one.to !== "link"));
  await Promise.all(
    views.flatMap((view) =>
      levelsOf(view.candidates, rankingOf(view))
        .slice(0, -1)
        .flatMap((level) => measured(level).map((candidate) => measure(view, candidate))),
    ),
  );

  return (view) => (level) => {
    const rooms = level.map((candidate) => ({ candidate, room: left.get(nameOf(view, candidate)) ?? Number.POSITIVE_INFINITY }));
    const total = rooms.reduce((sum, { room }) => sum + room, 0);
    if (total <= 0) return false;
    const { candidate, room } = rooms.reduce((most, one) => (one.room > most.room ? one : most));
    if (candidate.to === "link" || !Number.isFinite(room)) return true;
    left.set(nameOf(view, candidate), room - 1);
    loads.add(placeOf(candidate, view), 1);
    return true;
  };
};

/** A link takes what its selectors do, whatever waits beyond it. */
const hasAlwaysRoom = ({ to, selectors }: Candidate): boolean => to === "link" && selectors === undefined;

const nameOf = ({ destination }: DestinationView, { id }: Candidate): string => `${destinationKey(destination)}|${id}`;

const placeOf = (candidate: LocalCandidate, { destination }: DestinationView): RestingPlace =>
  candidate.to === "consumers" ? { to: "queue", destination } : { to: "private", queue: candidate.queue };
