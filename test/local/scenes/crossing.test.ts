import { crossing } from "./crossing.ts";
import { playAll } from "./play.ts";

playAll("what of a queue crosses a link", crossing);
