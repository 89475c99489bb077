/** Classifies errors of PostgreSQL and its connections: retry, unavailable, or a defect of the adapter. */
import { DependencyUnavailableError } from "../../../errors.ts";
import { driverReason, unavailableFor } from "../../driver-reasons.ts";

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null | undefined)?.code ?? "");
}

/**
 * Serialization failure, deadlock, lock not available, and unique violation: the adapter checks uniqueness first, so
 * that a violation comes only from a concurrent transaction.
 */
const conflicts = new Set(["40001", "40P01", "55P03", "23505"]);

/** Whether the transaction conflicts with another one and may succeed when it runs again. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error));
}

/** Unique violation; schema, table or type exists. */
const duplicates = new Set(["23505", "42P06", "42P07", "42710"]);

/** Whether another process has created the schema or table meanwhile. */
export function isDuplicateObject(error: unknown): boolean {
  return duplicates.has(codeOf(error));
}

/** Schema or table does not exist yet. */
export function isMissingObject(error: unknown): boolean {
  return codeOf(error) === "3F000" || codeOf(error) === "42P01";
}

/** Connection exceptions, shutdowns of the server, and time-outs of connections. */
const lostStates = /^(08...|57P0[1-5]|25P0[34])$/;
const lostCalls =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
/** Errors of `pg` without a code. */
const lostMessages =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout e(xceeded|xpired)|Client was closed|The server does not support|timeout exceeded)/;

/** Whether the connection is lost or in an unknown state. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (lostStates.test(code) || lostCalls.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  return code === "" && error instanceof Error && lostMessages.test(error.message);
}

/** A DependencyUnavailableError for errors of the server or the connection; any other error unchanged. */
export function unavailable(error: unknown): unknown {
  if (error instanceof DependencyUnavailableError) return error;
  const reason = driverReason(error);
  return reason === undefined ? error : unavailableFor("the database is unavailable", reason, error);
}
