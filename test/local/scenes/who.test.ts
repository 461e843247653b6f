import { playAll } from "./play.ts";
import { rates } from "./rates.ts";
import { shares } from "./shares.ts";

playAll("who gets a queue's messages, and how many at a time", [...rates, ...shares]);
