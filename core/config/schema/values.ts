import * as z from "zod";

// A value's message is the rest of the sentence that its key path begins, so that one fault reads as one sentence.

export const flag = () => z.boolean("must be true or false");

export const whole = (must: string, from: number, to: number = Number.MAX_SAFE_INTEGER) => z.int(must).min(from, must).max(to, must);

export const text = (must: string, shape: RegExp) => z.string(must).regex(shape, must);
