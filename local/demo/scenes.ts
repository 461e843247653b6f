import { setTimeout as pause } from "node:timers/promises";
import { plainAws } from "./plain.ts";
import { bodies, countOf, depthOf, type Stage, until, type Watched, watch, watchTopic } from "./stage.ts";

/** All scenes: a topic's subscriptions take their time beside the queues. */
export const playAll = async (stage: Stage): Promise<void> => {
  await Promise.all([topic(stage), sharing(stage).then(() => resting(stage))]);
  await plainAws(stage);
  await Promise.all([stage.us.close(), stage.eu.close()]);
};

/** (a) One consumer here, two in the other region: how 30 messages are shared. */
const sharing = async (stage: Stage): Promise<void> => {
  const { us, eu, say } = stage;
  const open = (queue: string, options = {}) =>
    Promise.all([watch(us, queue, options), watch(eu, queue, options), watch(eu, queue, options)]);
  say("(a) three queues, each with one consumer in us and two in eu");
  const conduit = await open("queue://orders.new");
  const each = await open("queue://bulk.jobs");
  const exact = await open("queue://bulk.exact", { prefetchSize: 10 });
  await Promise.all([us.ready(), eu.ready()]);
  for (const queue of ["orders.new", "bulk.jobs", "bulk.exact"]) {
    say(`    30 messages to ${queue} in us`);
    await Promise.all(bodies(queue, 30).map((body) => us.send(`queue://${queue}`, body)));
  }
  await until(() => [conduit, each, exact].every((watched) => countOf(watched) >= 30));
  const [here, ...there] = conduit;
  stage.found("(a) conduit: us / eu", "15 / 15", `${here.received.length} / ${countOf(there)}`);
  const [local, ...remote] = each;
  stage.found("(a) non-conduit: us / eu", "10 / 20", `${local.received.length} / ${countOf(remote)}`);
  stage.found("(a) non-conduit: consumers at work", "3 of 3", `${each.filter(({ received }) => received.length > 0).length} of 3`);
  stage.found("(a) private queues: us / eu / eu", "10 / 10 / 10", exact.map(({ received }) => received.length).join(" / "));
};

/** (b) A topic with subscribers in both regions. */
const topic = async (stage: Stage): Promise<void> => {
  const { us, eu, say } = stage;
  say("(b) a subscriber of prices.eur in each region; a new subscription counts as effective after 15 s, as on AWS");
  const [here, there] = await Promise.all([watchTopic(us, "topic://prices.eur"), watchTopic(eu, "topic://prices.eur")]);
  await Promise.all([us.ready(), eu.ready()]);
  say("    10 messages published in us, 10 in eu");
  const published = [...bodies("us", 10), ...bodies("eu", 10)].toSorted();
  await Promise.all([
    ...bodies("us", 10).map((body) => us.publish("topic://prices.eur", body)),
    ...bodies("eu", 10).map((body) => eu.publish("topic://prices.eur", body)),
  ]);
  await until(() => [here, there].every(({ received }) => received.length >= 20));
  const verdictOn = ({ received }: Watched) =>
    String(received.map(({ text }) => text).toSorted()) === String(published) ? "each of 20 once" : `${received.length} received`;
  stage.found("(b) topic: subscriber in us", "each of 20 once", verdictOn(here));
  stage.found("(b) topic: subscriber in eu", "each of 20 once", verdictOn(there));
};

/** (c) Nobody remote: nothing crosses. A remote consumer appears: what rests crosses. */
const resting = async (stage: Stage): Promise<void> => {
  const { us, eu, at, say } = stage;
  const queue = at("us").queue("orders.late");
  const inbound = at("eu").inboundQueue(at("us").place.id, "us-eu");
  say("(c) 10 messages to orders.late in us, which nobody consumes");
  await Promise.all(bodies("late", 10).map((body) => us.send("queue://orders.late", body)));
  await until(async () => (await depthOf(stage, "us", queue)) === 10);
  await pause(2_000);
  const crossed = (await depthOf(stage, "eu", inbound)) + (await depthOf(stage, "eu", at("eu").queue("orders.late")));
  stage.found("(c) nobody remote: rest / crossed", "10 / 0", `${await depthOf(stage, "us", queue)} / ${crossed}`);
  say("    a consumer of orders.late appears in eu");
  const there = await watch(eu, "queue://orders.late");
  await until(async () => there.received.length >= 10 && (await depthOf(stage, "us", queue)) === 0);
  const left = await depthOf(stage, "us", queue);
  stage.found("(c) then: arrived in eu / left in us", "10 / 0", `${there.received.length} / ${left}`);
};
