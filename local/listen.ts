import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on this machine's loopback address, so that nobody outside it is served. */
export const listen = async (server: Server, port: number): Promise<string> => {
  await inWords(port, () => new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Ends open connections too: an idle keep-alive socket would hold the server up. */
export const close = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });

/** Runs `start` and says in words what to do when its port is taken. */
export const inWords = async <T>(port: number, start: () => Promise<T>): Promise<T> => {
  try {
    return await start();
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE")) throw cause;
    throw new Error(`port ${port} is in use: end what listens there, or choose another port (0 takes any free one)`, { cause });
  }
};
