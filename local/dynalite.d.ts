declare module "dynalite" {
  import type { Server } from "node:http";

  const dynalite: (options?: { readonly createTableMs?: number; readonly deleteTableMs?: number }) => Server;
  export = dynalite;
}
