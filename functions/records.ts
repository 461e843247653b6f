export { toTransportRecord } from "../aws/event-records.ts";
