/** Reads a body of lines with observed names. */
import { ApiError, problem, quote } from "../../errors.ts";
import type { Limits } from "../../service/limits.ts";
import { readBytes } from "./json-body.ts";

/** Content types of a body of lines; without one, the body is read as lines too. */
export const lineTypes = ["text/plain", "application/x-ndjson", "application/jsonl"] as const;

/**
 * The lines of a body, without decoding them.
 *
 * @throws {ApiError} 9207 another content type, 10413 too many bytes or lines
 */
export async function readLines(request: Request, limits: Limits): Promise<readonly Uint8Array[]> {
  assertLineType(request.headers.get("content-type"));
  const bytes = await readBytes(request, limits.observationBytes);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return splitLines(hasMark ? bytes.subarray(3) : bytes, limits.observationLines);
}

function assertLineType(type: string | null): void {
  const essence = type?.replace(/;.*/s, "").trim().toLowerCase();
  if (essence === undefined || lineTypes.some((each) => each === essence)) return;
  const allowed = lineTypes.map((each) => `\`${each}\``).join(", ");
  throw new ApiError(problem(9207, `The content type must be one of ${allowed}; found ${quote(type)}.`));
}

function splitLines(bytes: Uint8Array, maxLines: number): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    if (lines.length === maxLines)
      throw new ApiError(problem(10413, `The body must have at most ${maxLines} lines; it has more.`));
    const end = bytes.indexOf(0x0a, from);
    lines.push(bytes.subarray(from, end < 0 ? bytes.length : end));
    from = end < 0 ? bytes.length : end + 1;
  }
  return lines;
}
