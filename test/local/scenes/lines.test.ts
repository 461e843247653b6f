import { queuesFar, topicsFar } from "./lines.ts";
import { playAll } from "./play.ts";

playAll("how far messages get", [...queuesFar, ...topicsFar]);
