import { expect } from "vitest";

/** However busy the machine is. */
export const patiently = { timeout: 130_000, interval: 20 };

/** Waits for what becomes true by itself. In tests that run side by side take `vi.waitUntil`: this one asks which test is running. */
export const eventually = <T>(read: () => T) => expect.poll(read, patiently);
