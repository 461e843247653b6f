import type { Construct } from "constructs";

const key = "spanmq:depthLagSeconds";
const onAws = 60;
/** The deployment waits a few times as long within its 14 minutes. */
const longest = 120;

/** Seconds by which SQS's figures may lag: a minute on AWS, less on emulators (`cdk deploy -c spanmq:depthLagSeconds=1`). */
export const depthLagOf = ({ node }: Construct): number => {
  const given: unknown = node.tryGetContext(key);
  const seconds = Number(given ?? onAws);
  if (given === "" || !(seconds >= 0 && seconds <= longest))
    throw new Error(`context ${key} is ${JSON.stringify(given)}: give seconds, 0 to ${longest}; AWS needs ${onAws}`);
  return seconds;
};
