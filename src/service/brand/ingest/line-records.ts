/** Reads the lines of a body or file of observed names as records of a feed. */

import { isUtf8 } from "node:buffer";
import { withoutExcerpt } from "../../../core/json/parse-error.ts";
import { messageOf } from "../../../core/message-of.ts";
import { quote } from "../../../errors.ts";

/** Maximum length of a line, in bytes (`chosen`). */
export const maxLineBytes = 65_536;

/** A line with a record of a feed, or the reason why it has no record. */
export type LineRecord = { readonly record: unknown } | { readonly message: string };

/**
 * Reads one line: a name, or a record as JSON. Undefined for an empty line or a comment (`#`).
 *
 * @example
 * ```ts
 * readLineRecord("paypa1.example"); // => { record: "paypa1.example" }
 * readLineRecord("# names of today"); // => undefined
 * ```
 */
export function readLineRecord(line: Uint8Array | string): LineRecord | undefined {
  if (typeof line !== "string" && !(line instanceof Uint8Array))
    return { message: `A line must be text or its bytes; found ${quote(line)}.` };
  if (line.length > maxLineBytes) return { message: `A line must be at most ${maxLineBytes} bytes.` };
  if (typeof line !== "string" && !isUtf8(line)) return { message: "The line is not UTF-8." };
  const text = (typeof line === "string" ? line : Buffer.from(line).toString()).trim();
  if (text === "" || text.startsWith("#")) return undefined;
  return /^[{["]/.test(text) ? readJsonRecord(text) : { record: text };
}

function readJsonRecord(text: string): LineRecord {
  try {
    return { record: JSON.parse(text) };
  } catch (error) {
    return { message: `The line is not JSON: ${reasonOf(error)}.` };
  }
}

function reasonOf(error: unknown): string {
  return withoutExcerpt(messageOf(error)) || "it is malformed";
}
