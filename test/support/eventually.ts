import { expect } from "vitest";

/** Waits for what becomes true by itself, however busy the machine is. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 20 });
