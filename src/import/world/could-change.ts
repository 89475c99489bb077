/** Which answers an undecided part could change. */
import { arrayOf, aString, objectWith, optional, requireArguments } from "../../core/arguments.ts";
import type { Undecided } from "../undecided.ts";

/** A request whose answer is asked for. */
export interface AnsweredRequest {
  /** Id of its zone. */
  readonly zone: string;
  /** Absent for all hosts of the zone. */
  readonly host?: string;
  /** Id of the operation that it matches; absent when it matches none, or when that is not known. */
  readonly operation?: string;
}

const aPart = objectWith({
  subject: optional(objectWith({ zone: optional(aString) })),
  effect: optional(
    objectWith({ hosts: optional(arrayOf(aString)), exceptOperations: optional(arrayOf(aString)) }),
  ),
});
const aRequest = objectWith({ zone: aString, host: optional(aString), operation: optional(aString) });

/**
 * The undecided parts that could change the answer to a request. A host with variables, such as
 * `{hostVar1}.example.com`, counts for every host.
 *
 * @example
 * ```ts
 * const text = JSON.stringify({ success: true, result: [{ id: "z1", name: "example.com", account: { id: "a" } }] });
 * const { report } = worldFrom([{ name: "zone.json", text }]);
 * couldChange(report.undecided, { zone: "z1", host: "api.example.com" }); // => []
 * ```
 */
export function couldChange(undecided: readonly Undecided[], request: AnsweredRequest): readonly Undecided[] {
  requireArguments({ undecided: [undecided, arrayOf(aPart)], request: [request, aRequest] });
  return undecided.filter((part) => concerns(part, request));
}

function concerns({ subject, effect }: Undecided, request: AnsweredRequest): boolean {
  const zone = subject?.["zone"];
  if (effect === undefined || (zone !== undefined && zone !== request.zone)) return false;
  const { hosts, exceptOperations } = effect;
  if (request.operation !== undefined && exceptOperations?.includes(request.operation)) return false;
  if (hosts === undefined || request.host === undefined) return hosts === undefined || hosts.length > 0;
  const host = request.host.toLowerCase().replace(/\.$/, "");
  return hosts.some((template) => template.includes("{") || template.replace(/:\d+$/, "") === host);
}
