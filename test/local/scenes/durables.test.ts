import { durables, unseen } from "./durables.ts";
import { playAll } from "./play.ts";

playAll("durable subscriptions abroad", durables);
playAll("one that no connector has seen", unseen);
