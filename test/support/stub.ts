interface Stack {
  add(
    middleware: (next: never) => (args: { readonly input: object }) => Promise<{ output: never; response: object }>,
    options: object,
  ): void;
}

/** Lets a real SDK client's commands stop before serialization: `answer` gives the output, or throws what the service says. */
export const stubbed = <C extends { readonly middlewareStack: unknown }>(client: C, answer: (input: never) => unknown): C => {
  const stack = client.middlewareStack as Stack;
  stack.add(
    () =>
      async ({ input }) => ({ output: (await answer(input as never)) as never, response: {} }),
    {
      step: "initialize",
      priority: "low",
      name: "stub",
    },
  );
  return client;
};
