import {
  InvokeCommand,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { DeleteParameterCommand, GetParameterCommand, GetParametersCommand, PutParameterCommand } from "@aws-sdk/client-ssm";
import { afterAll, describe, expect, test } from "vitest";
import { type Clients, clientsFor, destroyClients } from "../../../local/endpoints.ts";
import { eventSources } from "../../../local/event-sources.ts";
import { localFunctions } from "../../../local/functions.ts";
import { startServices } from "../../../local/services/server.ts";
import { eventually } from "../../support/eventually.ts";

const functions = localFunctions();
const sources = eventSources();
const services = await startServices(functions, sources);
const nowhere = "http://127.0.0.1:9";
const at = (region: string): Clients =>
  clientsFor({ sqs: nowhere, sns: nowhere, dynamodb: nowhere, ssm: services.address, lambda: services.address }, region);
const us = at("us-east-1");
const eu = at("eu-west-1");
afterAll(async () => {
  destroyClients(us);
  destroyClients(eu);
  await services.stop();
});

describe("the embedded SSM", () => {
  test("a secure parameter is kept, read with decryption only, and removed", async () => {
    await us.ssm.send(new PutParameterCommand({ Name: "/key", Type: "SecureString", Value: "secret" }));
    const read = (WithDecryption: boolean) => us.ssm.send(new GetParameterCommand({ Name: "/key", WithDecryption }));
    expect((await read(true)).Parameter).toMatchObject({ Value: "secret", Version: 1 });
    expect((await read(false)).Parameter?.Value).not.toContain("secret");
    await us.ssm.send(new DeleteParameterCommand({ Name: "/key" }));
    await expect(read(true)).rejects.toMatchObject({ name: "ParameterNotFound" });
    await expect(us.ssm.send(new DeleteParameterCommand({ Name: "/key" }))).rejects.toMatchObject({ name: "ParameterNotFound" });
  });

  test("a parameter is overwritten only on request and lives in one region", async () => {
    const put = (Value: string, Overwrite: boolean) =>
      us.ssm.send(new PutParameterCommand({ Name: "/once", Type: "String", Value, Overwrite }));
    await put("first", false);
    await expect(put("second", false)).rejects.toMatchObject({ name: "ParameterAlreadyExists" });
    expect(await put("second", true)).toMatchObject({ Version: 2 });
    await expect(eu.ssm.send(new GetParameterCommand({ Name: "/once" }))).rejects.toMatchObject({ name: "ParameterNotFound" });
  });

  test("a call it doesn't know is refused with the file to extend", async () => {
    await expect(us.ssm.send(new GetParametersCommand({ Names: ["a"] }))).rejects.toThrow("add it to local/services/parameters.ts");
  });
});

describe("the embedded Lambda", () => {
  const seen: unknown[] = [];
  functions.add({
    arn: "arn:aws:lambda:us-east-1:000000000000:function:greet",
    name: "greet",
    timeoutSeconds: 3,
    create: async () => async (event) => {
      seen.push(event);
      if ((event as { fail?: boolean }).fail) throw new Error("no greeting");
      return { hello: event };
    },
  });
  const invoke = (clients: Clients, payload: object, InvocationType: "Event" | "RequestResponse") =>
    clients.lambda.send(new InvokeCommand({ FunctionName: "greet", InvocationType, Payload: JSON.stringify(payload) }));

  test("an invocation that waits gets the handler's answer", async () => {
    const { Payload, StatusCode } = await invoke(us, { a: 1 }, "RequestResponse");
    expect([StatusCode, JSON.parse(Payload?.transformToString() ?? "")]).toEqual([200, { hello: { a: 1 } }]);
  });

  test("a handler's error is an answer marked as one", async () => {
    const { FunctionError, Payload } = await invoke(us, { fail: true }, "RequestResponse");
    expect([FunctionError, JSON.parse(Payload?.transformToString() ?? "")]).toEqual([
      "Unhandled",
      { errorType: "Error", errorMessage: "no greeting" },
    ]);
  });

  test("an asynchronous one is accepted at once and runs", async () => {
    expect(await invoke(us, { later: true }, "Event")).toMatchObject({ StatusCode: 202 });
    await eventually(() => seen).toContainEqual({ later: true });
  });

  test("a function of another region isn't found", async () => {
    await expect(invoke(eu, {}, "Event")).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  test("a call it doesn't know is refused with the file to extend", async () => {
    await expect(us.lambda.send(new ListFunctionsCommand())).rejects.toThrow("add it to local/services/server.ts");
  });
});

test("an event source is found by its function and queue, and switched; what it has begun it ends", async () => {
  const log: string[] = [];
  const run = () => {
    log.push("runs");
    return { end: () => void log.push("ends"), stop: async () => void log.push("stops") };
  };
  const [queueArn, functionArn] = ["arn:aws:sqs:us-east-1:000000000000:q", "arn:aws:lambda:us-east-1:000000000000:function:f"];
  const how = { batchSize: 1, windowSeconds: 0, reportsFailures: true, concurrency: 1 };
  sources.add({ queueArn, functionArn, enabled: true, ...how }, run);
  const states = async () => {
    const asked = new ListEventSourceMappingsCommand({ FunctionName: "f", EventSourceArn: queueArn });
    return (await us.lambda.send(asked)).EventSourceMappings?.map(({ UUID, State }) => ({ UUID, State })) ?? [];
  };
  const [found] = await states();
  expect(found?.State).toBe("Enabled");
  const turn = (Enabled: boolean) => us.lambda.send(new UpdateEventSourceMappingCommand({ UUID: found?.UUID, Enabled }));
  expect((await turn(false)).State).toBe("Disabled");
  expect((await states()).map(({ State }) => State)).toEqual(["Disabled"]);
  await turn(true);
  await turn(true);
  expect(log).toEqual(["runs", "ends", "runs"]);
  await sources.stop();
  expect(log).toEqual(["runs", "ends", "runs", "ends", "stops", "stops"]);
});
