/** Seconds until a copy that was received so often comes again: two, doubling with each receive to half an hour. */
export const backOff = (receiveCount: number): number => Math.min(1_800, 2 ** Math.min(Math.max(receiveCount, 1), 11));
