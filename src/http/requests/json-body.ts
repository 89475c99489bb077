/** Reads a JSON body. A wrong content type, size, encoding, nesting and syntax have an error of their own each. */
import type { Diagnostic } from "../../core/diagnostic.ts";
import { repeatedMembers } from "../../core/json/repeated-members.ts";
import { ApiError, type Code, note, problem, quote } from "../../errors.ts";
import { type Notes, noteFirst } from "../../service/context.ts";
import type { Limits } from "../../service/limits.ts";

/**
 * The parsed body; members that an object has more than once are added to `notes`.
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
  noteFirst(repeatedNotes(text), notes, "repeated members");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(withoutExcerpt((error as Error).message) || "it is not a JSON value");
  }
}

function* repeatedNotes(text: string): Generator<Diagnostic> {
  for (const at of repeatedMembers(text))
    yield note("memberIgnored", `${quote(at)} is in the body more than once; the last one counts.`, at);
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
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(request)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
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

/** The parser's message without the excerpt of the body that it contains, which may be a secret. */
function withoutExcerpt(message: string): string {
  return message.replace(/(?:, )?(?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, "");
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
