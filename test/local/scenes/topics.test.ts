import { playAll } from "./play.ts";
import { topics } from "./topics.ts";

playAll("what of a topic crosses a link", topics);
