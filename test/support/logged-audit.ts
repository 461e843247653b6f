import type { Audit } from "../../core/carry/audit.ts";

/** An audit that notes each of its steps. */
export const loggedAudit = <P>(audit: Audit<P>, log: string[]): Audit<P> => {
  const noted = <A extends readonly unknown[], R>(step: string, call: (...args: A) => R) => {
    return (...args: A): R => {
      log.push(step);
      return call(...args);
    };
  };
  return {
    claim: noted("claim", audit.claim),
    takeOver: noted("take over", audit.takeOver),
    progress: noted("progress", audit.progress),
    settle: noted("settle", audit.settle),
    release: noted("release", audit.release),
  };
};
