import type { DrainPorts } from "../../../core/broker/dispatch/drain.ts";
import type { ClaimAnswer } from "../../../core/carry/audit.ts";
import type { HandOver, RestingCopy } from "../../../core/ports.ts";
import type { Plan, Target } from "../../../core/routing/plan.ts";
import type { Disturbance } from "../../support/simulator/disturbance.ts";
import { bodiesIn } from "../cells.ts";
import { playNetwork } from "./history.ts";

/** What became of a message in the history of this seed, call by call: for whoever wants to know why it was lost or doubled. */
export const storyOf = async (seed: number, body: string): Promise<readonly string[]> => {
  const lines: string[] = [];
  await playNetwork(seed, (disturbance, now) => witnessed(disturbance, now, (line) => void lines.push(line)));
  const isAbout = (line: string): boolean => line.split(/[ ,]/).includes(body);
  const ids = new Set(lines.filter(isAbout).flatMap((line) => [...line.matchAll(/ (?:id|copy)=(\S+)/g)].map(([, id = ""]) => id)));
  return lines.filter((line) => isAbout(line) || (/ (claim|takeOver|settle|release|progress) /.test(line) && ids.has(lastOf(line))));
};

/** A claim's key ends with the id of its message, or of its copy. */
const lastOf = (line: string): string => (/ key=(\S+)/.exec(line)?.[1] ?? "").split("|").at(-1) ?? "";

const start = Date.UTC(2026, 0, 1);
const witnessed = <D extends Disturbance>(disturbance: D, now: () => number, tell: (line: string) => void): D => {
  let invocations = 0;
  const say = (line: string): void => tell(`${((now() - start) / 1_000).toFixed(1)} s ${line}`);
  const invocation = <P extends DrainPorts>(given: P, work: "batch" | "pass", about: unknown): P => {
    const ports = disturbance.invocation(given, work, about);
    const who = `${given.identity.self} ${work} ${++invocations}`;
    /** One line for each thing of a call; a call that dies has no answers. */
    const heard =
      <X, M extends readonly unknown[], R>(
        name: string,
        call: (things: readonly X[], ...more: M) => Promise<R>,
        show: (thing: X) => string,
        answerAt: (answers: R, index: number) => string = () => "",
      ) =>
      async (things: readonly X[], ...more: M): Promise<R> => {
        const sayAll = (end: (index: number) => string): void => {
          for (const [index, thing] of things.entries()) say(`${who} ${name} ${show(thing)} => ${end(index)}`);
        };
        try {
          const answers = await call(things, ...more);
          sayAll((index) => answerAt(answers, index));
          return answers;
        } catch (error) {
          sayAll(() => `died: ${error}`);
          throw error;
        }
      };
    const { audit, targets, resting } = ports;
    const keyOf = ({ key, attempt }: { readonly key: string; readonly attempt: string }): string => `key=${key} by ${attempt}`;
    return {
      ...ports,
      targets: { handOver: heard("handOver", targets.handOver, handOverIn, (answers, index) => JSON.stringify(answers[index])) },
      audit: {
        claim: heard(
          "claim",
          audit.claim,
          (claim) => `${keyOf(claim)} ${planIn(claim.plan)}`,
          (answers, index) => claimIn(answers[index]),
        ),
        takeOver: async (claim, found, at) => {
          const answer = await audit.takeOver(claim, found, at);
          say(`${who} takeOver ${keyOf(claim)} => ${answer}`);
          return answer;
        },
        progress: heard("progress", audit.progress, (claim) => `${keyOf(claim)} left ${planIn(claim.left)}`),
        settle: heard("settle", audit.settle, keyOf, (answers, index) => `${answers[index]}`),
        release: heard("release", audit.release, keyOf),
      },
      resting: {
        ...resting,
        remove: (place, copies) => heard("remove", (going: readonly RestingCopy[]) => resting.remove(place, going), copyIn)(copies),
      },
    };
  };
  return {
    ...disturbance,
    invocation,
    received: (queues, arn, copies, by) => {
      for (const copy of copies) say(`${by} receives from ${arn.slice(arn.lastIndexOf(":") + 1)} ${copyIn(copy)}`);
      disturbance.received(queues, arn, copies, by);
    },
    died: (queues, arn, copies) => {
      for (const copy of copies) say(`died at ${copyIn(copy)}`);
      disturbance.died(queues, arn, copies);
    },
    deletes: (copy, by) => {
      const holds = disturbance.deletes(copy, by);
      say(`${by} deletes ${copyIn(copy)} => ${holds ? "gone" : "it comes again"}`);
      return holds;
    },
  };
};

const wireIn = ({ body, attributes }: HandOver["wire"]): string => {
  const { id = "", path = [], destination = "" } = JSON.parse(attributes.SpanMQ?.value ?? "{}");
  return `${bodiesIn(body).join()} id=${id} path=${path.join(">")} ${destination}`;
};
const copyIn = (copy: RestingCopy): string => `${wireIn(copy)} copy=${copy.id} received ${copy.receiveCount} times`;
const targetIn = (target: Target): string =>
  [target.to, ...("link" in target ? [target.link] : "queue" in target ? [target.queue] : [])].join(" ");
const handOverIn = ({ target, wire }: HandOver): string => `${wireIn(wire)} to ${targetIn(target)}`;
const planIn = (plan: Plan): string => {
  const targets = plan.plan === "fan-out" ? plan.targets : plan.plan === "hand-over" ? [plan.target] : [];
  return `${plan.plan} ${targets.map(targetIn).join()} (${plan.reason})`;
};
const claimIn = (answer: ClaimAnswer<Plan> | undefined): string =>
  answer?.answer === "found"
    ? `found ${answer.record.state} by ${answer.record.attempt}: ${planIn(answer.record.plan)}`
    : JSON.stringify(answer);
