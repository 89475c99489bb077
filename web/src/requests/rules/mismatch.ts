/** Why a selector does not cover an operation. */
import type { OperationView, SelectorView } from "../../../../src/workbench/messages.ts";

/** The reasons. */
export type Mismatch = "no-operation" | "no-hosts" | "host" | "excluded";

/** The first reason; undefined when the selector covers the operation. Hosts are compared without case. */
export function mismatchOf(
  { hosts, excluded }: SelectorView,
  operation: Pick<OperationView, "id" | "host"> | undefined,
): Mismatch | undefined {
  if (operation === undefined) return "no-operation";
  if (hosts.length === 0) return "no-hosts";
  if (!hosts.some((host) => host.toLowerCase() === operation.host.toLowerCase())) return "host";
  return excluded.includes(operation.id) ? "excluded" : undefined;
}
