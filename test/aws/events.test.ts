import { useEmulatorWorlds } from "../support/worlds/emulator-world.ts";
import { openMemoryWorld } from "../support/worlds/memory-world.ts";
import { eventsContract } from "./contracts/events.ts";

eventsContract("memory events", openMemoryWorld);
eventsContract("AWS events", useEmulatorWorlds());
