import middy from "@middy/core";
import * as z from "zod";
import { keepConfiguration } from "../core/broker/control/configuration.ts";
import type { BrokerSlice } from "../core/config/slice.ts";
import type { PublicKey } from "../core/message/hello.ts";
import type { Brain, Events } from "../core/ports.ts";
import { jsonText, parse } from "./parse.ts";

/** The broker's signing key, kept where only its own functions read it. */
export interface SigningKey {
  /** Answers the public half; makes the key if there is none. */
  ensure(): Promise<PublicKey>;
  remove(): Promise<void>;
}

export interface DeploymentPorts {
  readonly brain: Brain;
  /** To our own control queue. */
  readonly events: Events;
  readonly key: SigningKey;
}

const request = z.object({
  RequestType: z.enum(["Create", "Update", "Delete"]),
  ResourceProperties: z.object({ slice: jsonText.pipe(z.custom<BrokerSlice>()) }),
  PhysicalResourceId: z.string().optional(),
});

/**
 * The stack's custom resource: writes the configuration slice into the brain, makes the key, tells control. Runs after every other
 * resource of the stack. What is left of a broker at its end is the next issue's; its key goes here, since no stack owns it.
 */
export const deploymentHandler = (ports: DeploymentPorts, clock: () => number) =>
  middy<unknown, { readonly PhysicalResourceId: string }>().handler(async (event) => {
    const parsed = parse(request, event, "the stack's request isn't SpanMQ's, deploy again with the version that made the stack");
    const { RequestType, ResourceProperties, PhysicalResourceId } = parsed;
    const { slice } = ResourceProperties;
    const answer = { PhysicalResourceId: PhysicalResourceId ?? `spanmq-${slice.network}-${slice.broker}` };
    if (RequestType === "Delete") {
      await ports.key.remove();
      return answer;
    }
    const key = await ports.key.ensure();
    await keepConfiguration(ports, slice, key, clock());
    return answer;
  });
