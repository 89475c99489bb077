/** Reads a JSON body: content type, size, encoding, nesting and syntax, each with its own refusal. */
import { ApiError, type Code, quote } from "../../errors.ts";
import type { Limits } from "../../service/limits.ts";

/**
 * The parsed body.
 *
 * @throws {ApiError} 9207 wrong content type, 10413 too large, 6007 malformed, 10400 nested too deeply
 */
export async function readJson(
  request: Request,
  limits: Limits,
  maxBytes = limits.bodyBytes,
): Promise<unknown> {
  assertJsonType(request.headers.get("content-type"));
  const text = decodeUtf8(await readBytes(request, maxBytes));
  if (text.trim() === "") throw malformed("the body is empty");
  assertDepth(text, limits.jsonDepth);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(withoutExcerpt((error as Error).message) || "it is no JSON value");
  }
}

function assertJsonType(type: string | null): void {
  const essence = type === null ? undefined : type.replace(/;.*/s, "").trim().toLowerCase();
  if (
    essence === undefined ||
    essence === "application/json" ||
    /^application\/[\w.+-]+\+json$/.test(essence)
  )
    return;
  throw new ApiError({
    code: 9207,
    message: `The content type is ${quote(type)}; it must be \`application/json\`.`,
  });
}

/** All bytes of a body, never more than the limit in memory. @throws {ApiError} 10413, or 10400 when it breaks off */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(request)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** A body as it comes. @throws {ApiError} with the code when it breaks off */
export async function* bodyChunks(request: Request, code: Code = 10400): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  try {
    yield* request.body as AsyncIterable<Uint8Array>;
  } catch {
    throw new ApiError({ code, message: "The body broke off before its end." });
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError({
    code: 10413,
    message: `The body is larger than the ${maxBytes} bytes that are allowed.`,
  });
}

function malformed(reason: string): ApiError {
  return new ApiError({ code: 6007, message: `The body is not JSON: ${reason}.` });
}

/** What is wrong, without the piece of the body that the message shows: it may hold a secret. */
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

/** Counts brackets outside of strings, so that nothing deep is ever built. */
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
        throw new ApiError({
          code: 10400,
          message: `The body is nested deeper than the ${max} levels that are allowed.`,
        });
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
}
