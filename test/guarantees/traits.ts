import { isFifoName } from "../../core/destination/fifo.ts";
import { type Moment, told } from "./moments.ts";
import type { BridgeScene, NetworkScene, Scene } from "./scenes.ts";

/** What a path may have, so that something can befall it there; and why it can't where the path hasn't. */
export const traits = {
  producer: "what the producer does is told at its own paths",
  sender: "no other broker and no SNS sends there: what a producer sends twice is two messages",
  pass: "no pass takes from it: an event source does",
  claim: "nothing is claimed: the receiver knows what it has, or nobody audits",
  "take-over": "nobody takes a claim over: AT_MOST_ONCE never does, or a consumer has the copy by then",
  release: "no claim is given back: there is none, or a refusal proves nothing of the target that didn't answer before",
  handler: "there is no handler of the application's on it",
  target: "it ends there",
  return: "what the target refuses goes another way at once, or stays where it rests",
  answer: "nothing is handed to another store, whose answer could be lost",
  shelter: "only a link has a shelter, for what it didn't answer",
  order: "only FIFO targets know a message by its deduplication id, and forget it after five minutes",
  parts: "it has one target",
  progress: "each part is claimed for itself, or there is one target",
  counter: "nothing comes to rest; where a refused message does, it goes on as on the path to rest",
  remove: "the event source deletes the copy",
  copy: "there is no copy of its own at a door",
  door: "one pass at a time has a lease, and what it took is hidden for minutes, not days",
  report: "nobody waits for its report",
  outage: "an outage of the peer is told where messages wait for its end",
} as const;
export type Trait = keyof typeof traits;

/** What a scene's path has. */
const traitsOf = (scene: Scene): ReadonlySet<Trait> => {
  switch (scene.plays) {
    case "network":
      return new Set(scene.end ? atAnEnd[scene.end] : onTheWay(scene));
    case "bridge":
      return new Set(overBridge(scene));
    case "once":
      return new Set(["claim", "take-over", "handler", "copy", "door"]);
    default:
      return scene satisfies never;
  }
};

const atAnEnd = { producer: ["producer"], consumer: ["copy", "door"] } as const;
const carried = ["target", "answer"] as const;

const onTheWay = ({
  aim,
  destination,
  silence,
  isUnaudited,
  subscribers,
  late,
  meanwhile,
  days,
  isPublished,
}: NetworkScene): readonly Trait[] => {
  const [isPass, isOfShelter] = [aim.work === "pass", silence !== undefined && aim.work === "pass"];
  const isPassedOn = isOfShelter || (isPass && aim.target === "own-queue");
  const isTold = (has: boolean, ...its: readonly Trait[]): readonly Trait[] => (has ? its : []);
  return [
    ...carried,
    ...isTold(!isUnaudited && !isPassedOn, "claim"),
    ...isTold(!isUnaudited && !isPassedOn && !(isPass && meanwhile), "take-over"),
    ...isTold(!isUnaudited && !isPassedOn && aim.target !== "undelivered", "release"),
    ...(isPass ? (["pass", "remove", "report", "copy"] as const) : (["copy", "door"] as const)),
    ...isTold(!isPass && (aim.at === "b" || isPublished === true), "sender"),
    ...isTold(!isPass && aim.target !== "link", "return"),
    ...isTold(aim.target === "link" && !isOfShelter, "shelter"),
    ...isTold(isFifoName(destination), "order"),
    ...isTold(destination.includes(","), "parts"),
    ...isTold(subscribers !== undefined, "parts"),
    ...isTold(subscribers !== undefined && !isUnaudited, "progress"),
    ...isTold(!isPass && late !== undefined, "counter"),
    ...isTold(isOfShelter && days === undefined, "outage"),
  ];
};

const overBridge = ({ mode, from }: BridgeScene): readonly Trait[] => [
  ...carried,
  "copy",
  ...(mode === "DUPLICATES_OK" ? [] : (["claim", "release"] as const)),
  ...(mode === "ONCE_AND_ONLY_ONCE" ? (["take-over"] as const) : []),
  ...(mode === "AT_MOST_ONCE" ? (["remove"] as const) : []),
  ...(from === "topic" ? (["sender"] as const) : []),
  ...(from === "parked" ? (["pass", "remove"] as const) : (["door"] as const)),
];

/** Can it happen on this path? What it needs and the path lacks says why not. */
export const canBefall = (moment: Moment, scene: Scene): boolean => {
  const has = traitsOf(scene);
  return told(moment).needs.every((trait) => has.has(trait));
};
