/** Reads a JSON body. A wrong content type, size, encoding, nesting and syntax have an error of their own each. */

import { chunksUpTo } from "../../core/chunks-up-to.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { jsonOddities } from "../../core/json/oddities.ts";
import { withoutExcerpt } from "../../core/json/parse-error.ts";
import { ApiError, type Code, note, problem, quote } from "../../errors.ts";
import { type Notes, noteFirst } from "../../service/context.ts";
import type { Limits } from "../../service/limits.ts";

/**
 * The parsed body; members that an object has more than once, and integers that are rounded, are added to `notes`.
 *
 * @throws {ApiError} 9207 wrong content type, 10413 too large, 6007 malformed, 10400 nested too deeply
 */
export async function readJson(
  request: Request,
  limits: Limits,
  notes: Notes,
  maxBytes = limits.bodyBytes,
): Promise<unknown> {
  assertJsonType(request.headers.get("content-type"));
  const text = decodeUtf8(await readBytes(request, maxBytes));
  if (text.trim() === "") throw malformed("it is empty");
  assertDepth(text, limits.jsonDepth);
  const value = parse(text);
  noteFirst(oddityNotes(text), notes, "repeated members and rounded numbers");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(withoutExcerpt((error as Error).message) || "it is not a JSON value");
  }
}

function* oddityNotes(text: string): Generator<Diagnostic> {
  for (const { kind, pointer: at } of jsonOddities(text))
    yield kind === "repeated"
      ? note("memberIgnored", `${quote(at)} is in the body more than once; the last one counts.`, at)
      : note("valueNoted", `The number at ${quote(at)} is rounded; integers are exact to 2^53 - 1.`, at);
}

function assertJsonType(type: string | null): void {
  const essence = type === null ? undefined : type.replace(/;.*/s, "").trim().toLowerCase();
  if (
    essence === undefined ||
    essence === "application/json" ||
    /^application\/[\w.+-]+\+json$/.test(essence)
  )
    return;
  throw new ApiError(problem(9207, `The content type must be \`application/json\`; found ${quote(type)}.`));
}

/**
 * All bytes of a body; never holds more than the limit in memory.
 *
 * @throws {ApiError} 10413 too large, 10400 connection closed before the end
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks = await chunksUpTo(bodyChunks(request), maxBytes);
  if (chunks === undefined) throw tooLarge(maxBytes);
  const [first, ...others] = chunks;
  return first && others.length === 0 ? first : Buffer.concat(chunks);
}

/** The chunks of a body. @throws {ApiError} with `code` when the connection closes before the end */
export async function* bodyChunks(request: Request, code: Code = 10400): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  try {
    yield* request.body as AsyncIterable<Uint8Array>;
  } catch {
    throw new ApiError(problem(code, "The body is incomplete: the connection closed before its end."));
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(problem(10413, `The body must be at most ${maxBytes} bytes; it is larger.`));
}

function malformed(reason: string): ApiError {
  return new ApiError(problem(6007, `The body is not JSON: ${reason}.`));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("it is not UTF-8");
  }
}

/** Counts brackets outside of strings, so that no deep value is ever built. */
function assertDepth(text: string, max: number): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i++;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > max)
        throw new ApiError(
          problem(10400, `The body must be nested at most ${max} levels deep; it is nested deeper.`),
        );
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
}
