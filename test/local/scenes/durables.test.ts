import { durables } from "./durables.ts";
import { playAll } from "./play.ts";

playAll("durable subscriptions abroad", durables);
