/** What errors of PostgreSQL and of the way to it mean: try again, not reachable, or ours. */
import { DependencyUnavailableError } from "../../../errors.ts";

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null | undefined)?.code ?? "");
}

/**
 * Serialisation failure, deadlock, lock not available, and a unique violation: the adapter asks first what is
 * taken, so that one can only come of a transaction that ran at the same time.
 */
const conflicts = new Set(["40001", "40P01", "55P03", "23505"]);

/** Whether the transaction met another one and may do better when it runs again. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error));
}

/** Schema, table or type exists by now. */
const taken = new Set(["23505", "42P06", "42P07", "42710"]);

export function isDuplicateObject(error: unknown): boolean {
  return taken.has(codeOf(error));
}

/** Schema or table does not exist yet. */
export function isMissingObject(error: unknown): boolean {
  return codeOf(error) === "3F000" || codeOf(error) === "42P01";
}

/** Connection exceptions, shutdowns of the server, and time-outs of connections. */
const lostStates = /^(08...|57P0[1-5]|25P0[34])$/;
const lostCalls =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
/** `pg` gives these no code. */
const lostMessages =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout e(xceeded|xpired)|Client was closed|The server does not support|timeout exceeded)/;

/** Whether the connection is gone, or nobody knows what it is at. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (lostStates.test(code) || lostCalls.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  return code === "" && error instanceof Error && lostMessages.test(error.message);
}

/** Too few resources, cancelled by a time-out, starting up, or a server that only reads. */
const strained = /^(53...|57014|58...|25006|XX...)$/;

/** A DependencyUnavailableError for what is not the adapter's fault, any other error as it is. */
export function unavailable(error: unknown): unknown {
  if (error instanceof DependencyUnavailableError) return error;
  if (!isConnectionLost(error) && !strained.test(codeOf(error))) return error;
  return new DependencyUnavailableError(`the database cannot be used now: ${messageOf(error)}`, {
    cause: error,
  });
}

/** Several addresses that were all refused make an error without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map((e: Error) => e.message).join(", ");
  return (error as Error).message;
}
