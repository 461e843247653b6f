import * as z from "zod";

/** A non-empty text, branded or not. */
export const id = <T extends string>() => z.custom<T>((value) => typeof value === "string" && value !== "", "must be a non-empty text");

/** An object with any keys. `z.record` would leave out `__proto__`, which is a lawful name of a property. */
export const mapOf = <T>(value: z.ZodType<T>) =>
  z
    .custom<object>((json) => typeof json === "object" && json !== null && !Array.isArray(json), "must be an object")
    .transform((json): [string, unknown][] => Object.entries(json))
    .pipe(z.array(z.tuple([z.string(), value])))
    .transform((entries): Readonly<Record<string, T>> => Object.fromEntries(entries));
