import { answering, type Call, isOutput, outputOf, subjectOf, withInput } from "../call.ts";
import type { Fault } from "../fault.ts";
import { refusal } from "../refusal.ts";

/** Deletion protection: kept here, since the emulator doesn't know it. */
export const protectedTables: Fault = ({ isOn, fired, ask }) => {
  const protectedOnes = new Set<string>();
  const protect = (call: Call, isProtected = false) => protectedOnes[isProtected ? "add" : "delete"](subjectOf(call));
  return async (call, next) => {
    const { action, input, region } = call;
    const { DeletionProtectionEnabled, ...others } = input;
    if (call.service !== "dynamodb") return next(call);
    if (action === "DeleteTable" && isOn() && protectedOnes.has(subjectOf(call))) {
      fired();
      return refusal(
        call,
        "ValidationException",
        `Resource cannot be deleted as it is currently protected against deletion: ${input.TableName}`,
      );
    }
    if (action === "UpdateTable" && DeletionProtectionEnabled !== undefined && isOn()) {
      protect(call, DeletionProtectionEnabled);
      const described = await ask("dynamodb", region, "DescribeTable", { TableName: input.TableName ?? "" });
      const { Table: TableDescription = {} } = outputOf(call, described);
      return isOutput(described) ? answering(call, { TableDescription }) : described;
    }
    const fate = await next(action === "CreateTable" && DeletionProtectionEnabled !== undefined ? withInput(call, others) : call);
    if (action === "CreateTable" && isOutput(fate)) protect(call, DeletionProtectionEnabled);
    if (action !== "DescribeTable" || !isOutput(fate) || !isOn()) return fate;
    const { Table = {} } = outputOf(call, fate);
    return answering(call, { Table: { ...Table, DeletionProtectionEnabled: protectedOnes.has(subjectOf(call)) } });
  };
};
