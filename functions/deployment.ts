import middy from "@middy/core";
import * as z from "zod";
import { refusedDestroy } from "../core/broker/sweep/refusal.ts";
import { type SweepPorts, sweep } from "../core/broker/sweep/sweep.ts";
import { type UpdatePorts, update } from "../core/broker/sweep/update.ts";
import type { BrokerSlice } from "../core/config/slice.ts";
import type { Addresses } from "../core/destination/addresses.ts";
import { jsonText, parse } from "./parse.ts";

export interface DeploymentPorts extends SweepPorts, UpdatePorts {
  readonly own: Addresses;
}

const request = z.object({
  RequestType: z.enum(["Create", "Update", "Delete"]),
  ResourceProperties: z.object({ slice: jsonText.pipe(z.custom<BrokerSlice>()) }),
  PhysicalResourceId: z.string().optional(),
});

/**
 * The stack's custom resource, after every other resource when the stack is made or changed, before them all when it goes: writes the
 * configuration slice into the brain, makes the key, tells control; at the end removes what no stack owns. It throws where messages would
 * be lost, and CloudFormation shows why.
 */
export const deploymentHandler = (ports: DeploymentPorts) =>
  middy<unknown, { readonly PhysicalResourceId: string }>().handler(async (event) => {
    const parsed = parse(request, event, "the stack's request isn't SpanMQ's, deploy again with the version that made the stack");
    const { RequestType, ResourceProperties, PhysicalResourceId } = parsed;
    const { slice } = ResourceProperties;
    await (RequestType === "Delete" ? end(ports, slice) : deploy(ports, slice));
    return { PhysicalResourceId: PhysicalResourceId ?? `spanmq-${slice.network}-${slice.broker}` };
  });

const deploy = async (ports: DeploymentPorts, slice: BrokerSlice): Promise<void> => {
  const refusal = await update(ports, slice, ports.own);
  if (refusal !== undefined) throw new Error(refusal);
};

const end = async (ports: DeploymentPorts, slice: BrokerSlice): Promise<void> => {
  const left = await sweep(ports, slice, ports.own);
  if (left.length > 0) throw new Error(refusedDestroy(slice.broker, left));
};
