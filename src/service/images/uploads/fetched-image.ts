/** The bytes of what a caller's `fetchImage` returns; responses and buffers may come from another library or realm. */
import { chunksUpTo } from "../../../core/chunks-up-to.ts";
import { ApiError, problem } from "../../../errors.ts";

/** The members of a response that are read. */
interface ResponseLike {
  readonly status: number;
  readonly headers?: Headers;
  readonly bodyUsed?: boolean;
  readonly body?: unknown;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** @throws {Error} with the reason, or an ApiError 5413 */
export async function readFetched(fetched: unknown, maxBytes: number): Promise<Uint8Array> {
  if (isResponse(fetched)) return readResponse(fetched, maxBytes);
  const name = Object.prototype.toString.call(fetched).slice(8, -1);
  if (name === "ArrayBuffer") return new Uint8Array(fetched as ArrayBuffer);
  if (ArrayBuffer.isView(fetched) && name === "Uint8Array") return fetched as Uint8Array;
  throw new Error(
    `\`fetchImage\` must return a Response, an ArrayBuffer or a Uint8Array; found ${describe(fetched, name)}`,
  );
}

/** Whether it is a response, of whichever library or realm. */
export function isResponse(fetched: unknown): fetched is ResponseLike {
  if (typeof fetched !== "object" || fetched === null) return false;
  const { status, arrayBuffer } = fetched as Partial<ResponseLike>;
  return typeof status === "number" && typeof arrayBuffer === "function";
}

/** A primitive by its type, an object by its class. */
function describe(fetched: unknown, name: string): string {
  if (fetched === null || fetched === undefined) return String(fetched);
  return typeof fetched === "object" ? `an object of class ${name}` : `a ${typeof fetched}`;
}

async function readResponse(response: ResponseLike, maxBytes: number): Promise<Uint8Array> {
  const { status, bodyUsed, body } = response;
  if (status < 200 || status > 299) throw new Error(`the response of \`fetchImage\` has status ${status}`);
  if (bodyUsed) throw new Error("the body of the response of `fetchImage` has already been read");
  if (!isIterable(body)) return new Uint8Array(await response.arrayBuffer());
  const chunks = await chunksUpTo(body, maxBytes);
  if (chunks === undefined) throw tooLarge(maxBytes);
  return Buffer.concat(chunks);
}

function isIterable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function tooLarge(maxBytes: number): ApiError {
  const message = `The image at \`url\` must be at most ${maxBytes} bytes; it is larger.`;
  return new ApiError(problem(5413, message, "/url"));
}
