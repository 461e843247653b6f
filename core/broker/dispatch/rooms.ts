import { destinationKey } from "../../destination/destination.ts";
import type { Loads } from "../../ports.ts";
import type { RestingPlace } from "../../routing/plan.ts";
import { levelName, levelsOf, type Ranking } from "../../routing/ranking.ts";
import type { HasRoom } from "../../routing/route.ts";
import type { Candidate, DestinationView, LocalCandidate } from "../../routing/view.ts";

/** For each destination whether a level has room; a yes takes one place of it. */
export type Rooms = (view: DestinationView) => HasRoom;

/** Reads how full local consumers' queues are, and only where a lower level waits behind them. A level with a link has room always. */
export const openRooms = async (
  loads: Loads,
  views: readonly DestinationView[],
  rankingOf: (view: DestinationView) => Ranking | undefined = () => undefined,
): Promise<Rooms> => {
  const nameOf = (view: DestinationView, [first]: readonly Candidate[]): string =>
    `${destinationKey(view.destination)}|${first ? levelName(first, rankingOf(view)) : ""}`;
  const left = new Map<string, number>();
  const measure = async (view: DestinationView, level: readonly Candidate[]): Promise<void> => {
    const local = level.filter((candidate) => candidate.to !== "link");
    if (local.length < level.length) return;
    const rooms = await Promise.all(local.map(async (candidate) => candidate.capacity - (await loads.read(placeOf(candidate, view)))));
    left.set(
      nameOf(view, level),
      rooms.reduce((sum, room) => sum + room, 0),
    );
  };
  await Promise.all(
    views.flatMap((view) =>
      levelsOf(view.candidates, rankingOf(view))
        .slice(0, -1)
        .map((level) => measure(view, level)),
    ),
  );

  return (view) => (level) => {
    const room = left.get(nameOf(view, level));
    if (room === undefined) return true;
    if (room <= 0) return false;
    left.set(nameOf(view, level), room - 1);
    const [first] = level;
    if (first && first.to !== "link") loads.add(placeOf(first, view), 1);
    return true;
  };
};

const placeOf = (candidate: LocalCandidate, { destination }: DestinationView): RestingPlace =>
  candidate.to === "consumers" ? { to: "queue", destination } : { to: "private", queue: candidate.queue };
