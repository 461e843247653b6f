import * as z from "zod";
import { idShape, networkSchema } from "./schema/network.ts";

/** The JSON Schema of `network.jsonc`, for editors; ids of brokers are held to their shape here too. */
export const networkJsonSchema = (): object => {
  const schema = z.toJSONSchema(networkSchema, { io: "input" });
  const brokers = { ...(schema.properties?.brokers as object), propertyNames: { type: "string", pattern: idShape.source } };
  return { ...schema, title: "SpanMQ network", properties: { ...schema.properties, brokers } };
};
