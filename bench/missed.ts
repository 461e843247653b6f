import { limits } from "./limits.ts";
import type { Findings } from "./run.ts";

/** Which figures miss what we demand, each in a sentence with figure and limit. Parts that weren't measured miss nothing. */
export const missedLimits = ({ calls, control, throughput, outage }: Findings): readonly string[] => [
  ...(calls?.paths ?? []).flatMap(({ path, callsPerMessage, writesPerMessage, auditReads, atMost }) => [
    ...(atMost ? exceeded(`${path}: SQS calls of a message`, callsPerMessage.sqs, atMost.sqs) : []),
    ...(atMost ? exceeded(`${path}: DynamoDB writes of a message`, writesPerMessage, atMost.writes) : []),
    ...exceeded(`${path}: reads of the audit`, auditReads, 0),
  ]),
  ...[...Map.groupBy(control ?? [], ({ what }) => what)].flatMap(([what, counted]) => {
    const [few, many] = counted.map(({ callsPerDestination }) => callsPerDestination.sum);
    if (few === undefined || many === undefined) return [];
    return exceeded(`${what}: calls of control for each of ${limits.manyDestinations} destinations`, many, few);
  }),
  ...(throughput ?? []).flatMap(({ way, mode, ratio }) =>
    ratio >= limits.throughputRatio
      ? []
      : [
          `${way}, ${mode}: messages a second, as a share of the bare loop's: ${shown(ratio)}, demanded is at least ${limits.throughputRatio}`,
        ],
  ),
  ...(outage
    ? [
        ...exceeded("p50 of a local queue while a peer hangs : undisturbed", outage.healthyQueue.ratio, limits.healthyQueueRatio),
        ...exceeded(
          `seconds until ${outage.catchUp.messages} messages sent meanwhile have arrived`,
          outage.catchUp.seconds,
          limits.catchUpSeconds,
        ),
      ]
    : []),
];

/** Quotients of whole numbers of calls: what differs behind the sixth digit is rounding. */
const exceeded = (what: string, figure: number, atMost: number): readonly string[] =>
  figure <= atMost + 1e-6 ? [] : [`${what}: ${shown(figure)}, demanded is at most ${shown(atMost)}`];

const shown = (figure: number): string => String(Number(figure.toFixed(3)));
