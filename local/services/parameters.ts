/** An AWS error as a service puts it on the wire. */
export class ServiceFault extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = code;
    this.code = code;
    this.status = status;
  }
}

interface Parameter {
  readonly Name: string;
  readonly Type: string;
  readonly Value: string;
  readonly Version: number;
}
interface ParameterRequest {
  readonly Name: string;
  readonly Type?: string;
  readonly Value?: string;
  readonly Overwrite?: boolean;
  readonly WithDecryption?: boolean;
}

/** The part of SSM that SpanMQ calls: parameters by name, one region apart from another. */
export interface Parameters {
  call(region: string, action: string, request: ParameterRequest): object;
}

export const localParameters = (): Parameters => {
  const stored = new Map<string, Parameter>();

  return {
    call(region, action, request) {
      const key = `${region} ${request.Name}`;
      const parameter = stored.get(key);
      switch (action) {
        case "PutParameter":
          return put(stored, key, request);
        case "GetParameter":
          if (!parameter) throw notFound(request.Name);
          return { Parameter: readable(parameter, request.WithDecryption === true) };
        case "DeleteParameter":
          if (!stored.delete(key)) throw notFound(request.Name);
          return {};
        default:
          throw new ServiceFault("UnknownOperationException", `SSM ${action} isn't embedded: add it to local/services/parameters.ts`);
      }
    },
  };
};

const put = (stored: Map<string, Parameter>, key: string, { Name, Type, Value, Overwrite }: ParameterRequest): object => {
  const existing = stored.get(key);
  if (existing && !Overwrite) throw new ServiceFault("ParameterAlreadyExists", "The parameter already exists.");
  const type = Type ?? existing?.Type;
  if (!type || !Value) throw new ServiceFault("ValidationException", "A parameter needs a type and a value.");
  const parameter = { Name, Type: type, Value, Version: (existing?.Version ?? 0) + 1 };
  stored.set(key, parameter);
  return { Version: parameter.Version, Tier: "Standard" };
};

const notFound = (name: string): ServiceFault => new ServiceFault("ParameterNotFound", `Parameter ${name} not found.`);

/** Without decryption a secure value is ciphertext: here a text that no reader takes for its value. */
const readable = (parameter: Parameter, decrypted: boolean): Parameter =>
  parameter.Type === "SecureString" && !decrypted ? { ...parameter, Value: `encrypted:${parameter.Version}` } : parameter;
