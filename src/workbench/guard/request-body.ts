/** Reads the body of a request up to a maximum size. */

import { isUtf8 } from "node:buffer";
import { chunksUpTo } from "../../core/chunks-up-to.ts";
import { RequestFault } from "./request-fault.ts";

/** The body in bytes. @throws {RequestFault} 413 when it has more than `maxBytes` */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new RequestFault(413, `The body has more than ${maxBytes} bytes, the maximum.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks = request.body ? await chunksUpTo(request.body, maxBytes) : [];
  if (chunks === undefined) throw tooLarge();
  return Buffer.concat(chunks);
}

/** The JSON body. @throws {RequestFault} 415 for another content type, 413 when it is too large, 400 when it is not JSON */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json(?:;|$)/i.test(type.trim()))
    throw new RequestFault(415, "The content type must be `application/json`.");
  const bytes = await readBytes(request, maxBytes);
  try {
    if (isUtf8(bytes)) return JSON.parse(bytes.toString("utf8"));
  } catch {
    // The parser's message would quote the body.
  }
  throw new RequestFault(400, "The body is not JSON.");
}
