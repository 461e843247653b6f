import { browsers } from "./browsers.ts";
import { playAll } from "./play.ts";

playAll("browsers, and what waits in queues", browsers);
