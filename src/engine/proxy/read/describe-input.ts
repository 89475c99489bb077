/** Describes members and values in messages. */
import { pointerSegments } from "../../../core/json-pointer.ts";
import { quote } from "../../../errors.ts";

/**
 * The quoted path of a member for messages, from its RFC 6901 pointer.
 *
 * @example memberPath("/edge_ips/ips/0") // "`edge_ips.ips[0]`"
 */
export function memberPath(pointer: string): string {
  const [first = "", ...rest] = pointerSegments(pointer);
  return quote(
    first + rest.map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join(""),
  );
}

/**
 * A value for messages: its JSON type, or its JavaScript type when JSON cannot represent it, with strings and numbers.
 *
 * @example describeValue("on") // "the string `on`"
 */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  if (typeof value === "string" || typeof value === "number") return `the ${typeof value} ${quote(value)}`;
  if (typeof value !== "object") return `a ${typeof value}`;
  return Array.isArray(value) ? "an array" : "an object";
}
