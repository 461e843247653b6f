import * as z from "zod";

/** JSON inside a text. An error doesn't quote it. */
export const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("no JSON");
    return z.NEVER;
  }
});

/** Reads what a deployment has set; `otherwise` says what isn't right then and what to do, and each fault follows by its name. */
export const parse = <T>(schema: z.ZodType<T>, input: unknown, otherwise: string): T => {
  const { success, data, error } = schema.safeParse(input);
  if (!success) throw new Error(`${otherwise}:\n${z.prettifyError(error)}`);
  return data;
};
