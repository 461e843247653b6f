/** The simulator's is the one that applications get. */
export { memoryAudit } from "../../../aws/memory-audit.ts";
