import { createServer } from "node:http";
import { close, listen } from "../../local/listen.ts";

/**
 * What `start` says when the port `offset` after its first is taken; `taken` stands for that port. Any test may hold one of the ports
 * before it just now, and then that is said: ask until it isn't.
 */
export const besideASquatter = async (offset: number, start: (port: number) => Promise<{ stop(): Promise<void> }>): Promise<string> => {
  const squatter = createServer();
  const port = Number(new URL(await listen(squatter, 0)).port);
  const said = await start(port - offset).then(
    async ({ stop }) => {
      await stop();
      return "started";
    },
    (error: Error) => error.message.replace(`port ${port} `, "port taken "),
  );
  await close(squatter);
  return said;
};
