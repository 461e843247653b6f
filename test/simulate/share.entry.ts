import { playMyShare } from "../support/histories/side-by-side.ts";
import { playShare } from "./run.ts";

await playMyShare(playShare);
