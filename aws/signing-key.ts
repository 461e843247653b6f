import {
  DeleteParameterCommand,
  GetParameterCommand,
  ParameterAlreadyExists,
  ParameterNotFound,
  PutParameterCommand,
  type SSMClient,
} from "@aws-sdk/client-ssm";
import type { PublicKey } from "../core/message/hello.ts";
import { makeKey, publicKeyOf } from "./keys.ts";

/** The private key in a SecureString parameter: made once, never overwritten, removed with the broker. */
export const ssmSigningKey = (ssm: SSMClient, parameter: string) => {
  const stored = async (): Promise<string | undefined> => {
    try {
      return (await ssm.send(new GetParameterCommand({ Name: parameter, WithDecryption: true }))).Parameter?.Value;
    } catch (error) {
      if (error instanceof ParameterNotFound) return undefined;
      throw error;
    }
  };
  const make = async (): Promise<string | undefined> => {
    const { privateKey } = makeKey();
    try {
      await ssm.send(new PutParameterCommand({ Name: parameter, Value: privateKey, Type: "SecureString", Overwrite: false }));
      return privateKey;
    } catch (error) {
      if (error instanceof ParameterAlreadyExists) return stored();
      throw error;
    }
  };
  return {
    ensure: async (): Promise<PublicKey> => {
      const privateKey = (await stored()) ?? (await make());
      if (!privateKey) throw new Error(`parameter ${parameter} was removed while it was read: deploy again`);
      return publicKeyOf(privateKey);
    },
    remove: async (): Promise<void> => {
      try {
        await ssm.send(new DeleteParameterCommand({ Name: parameter }));
      } catch (error) {
        if (!(error instanceof ParameterNotFound)) throw error;
      }
    },
  };
};
