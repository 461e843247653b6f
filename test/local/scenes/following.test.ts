import { playAll } from "./play.ts";
import { replays } from "./replays.ts";

playAll("selectors over links, and messages that follow their consumers", replays);
