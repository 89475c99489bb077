/** Names members in messages, where a JSON pointer would be hard to read. */
import { quote } from "../../../errors.ts";

/**
 * The quoted path of a member for messages, from its RFC 6901 pointer.
 *
 * @example memberPath("/edge_ips/ips/0") // "`edge_ips.ips[0]`"
 */
export function memberPath(pointer: string): string {
  const [first = "", ...rest] = pointer.slice(1).split("/").map(unescapeSegment);
  return quote(
    first + rest.map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join(""),
  );
}

function unescapeSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
