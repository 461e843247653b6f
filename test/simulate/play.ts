import { type Census, fatesOf } from "../support/histories/fates.ts";
import { dice } from "../support/hostile/dice.ts";
import { simulate } from "../support/simulator/network.ts";
import { noting } from "./crossings.ts";
import { linksOf, rowsOf } from "./features.ts";
import type { History } from "./history.ts";
import { isAsJustified } from "./laws/demand.ts";
import { stuckIn } from "./laws/messages.ts";
import { expectationsOf } from "./model/expectations.ts";
import type { Picture } from "./model/picture.ts";
import type { Played } from "./played.ts";
import { troublesOf } from "./troubles.ts";
import { type World, worldOf } from "./world.ts";

const minute = 60_000;
/** Longer than any window of a rate. */
const aWindow = 6_000;
/** Minutes: a queue that was sent to directly is looked at every ten at the longest. What takes longer doesn't come. */
const patience = 30;

/** Plays a history to its end, when all is well again. The same one goes the same way. */
export const play = async (history: History): Promise<{ readonly played: Played; readonly census: Census }> => {
  const { network, seed, faults, faultsFromTheStart, subscriptionLagMs } = history;
  const fates = fatesOf(dice(seed), rowsOf(history));
  const links = linksOf(network);
  /** Between two brokers, or all that begin or end at one. */
  const touching = (one: string, other?: string) =>
    links.flatMap(({ link, from, to }) => {
      const ends = [from, to];
      return ends.includes(one) && ends.includes(other ?? one) ? [link] : [];
    });
  let now = (): number => 0;
  let hints = 0;
  const troubles = troublesOf(fates, faults, touching, () => now());
  const counting: typeof troubles = {
    ...troubles,
    fate: (from, event) => {
      if (event.event.event === "hint") hints += 1;
      return troubles.fate(from, event);
    },
  };
  const disturbance = noting(counting, () => now());
  if (faultsFromTheStart) fates.begin();
  const net = await simulate(network, { disturbance, subscriptionLagMs, startFor: 0 });
  now = net.now;
  const world = worldOf(
    net,
    faults.some((fault) => fault === "hints lost" || fault === "control dies"),
  );
  const pictures = gathering();

  for (const step of history.before) await world.take(step);
  const wasWell = !faultsFromTheStart && (await untilWell(world));
  fates.begin();
  pictures.add(world.picture());
  for (const step of history.steps) {
    await world.take(step);
    pictures.add(world.picture());
  }
  fates.end();
  world.heal();
  pictures.add(world.picture());
  if (history.steps.some(({ step }) => step === "unsubscribe")) {
    await world.run(faults.includes("control dies") ? 6 * minute : minute); // an invocation that died holds so long what it took
    await world.insist();
  }
  await untilWell(world);
  await world.run(minute / 2); // until the last subscriptions are effective
  hints = 0;
  for (const quietSend of history.quietSends) {
    world.sendQuietly(quietSend);
    await world.run(aWindow); // each goes by itself
  }
  await world.run(2 * minute); // a new topic's messages come again at growing intervals
  const rest = { left: world.left(), found: world.found(), crossings: disturbance.crossings, hints };
  await world.gatherIn();
  await world.run(aWindow);
  const repeats = faults.length > 0 || history.steps.some(({ step }) => step === "cut" || step === "hush");
  return {
    census: fates.census,
    played: { pictures: pictures.all(), wasWell, sent: world.sent(), received: world.received(), repeats, ...rest },
  };
};

/** Lets time go by until demand is what consumers justify, no message waits for anybody, and control has done what it was told. */
const untilWell = async (world: World): Promise<boolean> => {
  const justified = expectationsOf(world.picture());
  for (let turn = 0; turn < patience; turn += 1) {
    await world.run(minute);
    const isQuiet = world.isIdle() && stuckIn(world.left(), justified).length === 0;
    if (isQuiet && isAsJustified(world.found(), justified)) return true;
  }
  return false;
};

/** Pictures that differ from the one before. */
const gathering = () => {
  const pictures: Picture[] = [];
  let last = "";
  return {
    add: (picture: Picture): void => {
      const text = JSON.stringify(picture);
      if (text !== last) pictures.push(picture);
      last = text;
    },
    all: (): readonly [Picture, ...Picture[]] => pictures as [Picture, ...Picture[]],
  };
};
