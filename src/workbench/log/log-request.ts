/** The log entry of a request that a server has answered. */
import type { RequestRecord } from "../../http/server/request-log.ts";
import type { LogEntry } from "../messages.ts";

/** @param atMs time of the end of the response, in milliseconds since 1970 */
export function logRequest({ method, path, status, ms }: RequestRecord, atMs: number): LogEntry {
  return { kind: "answer", atMs, method, path, status, ms };
}
