import type * as z from "zod";
import type { networkSchema } from "./schema/network.ts";

/** A configuration as it is written, in `network.jsonc` or `network.ts`. */
export type NetworkInput = z.input<typeof networkSchema>;

/**
 * Gives a `network.ts` its types.
 * @example
 * export default defineNetwork({ network: "orders", brokers: { us: { region: "us-east-1" }, eu: { region: "eu-west-1" } }, links: ["us <-> eu"] });
 */
export const defineNetwork = (config: NetworkInput): NetworkInput => config;
