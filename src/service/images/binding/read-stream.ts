/** Reads a stream of bytes whole, up to a maximum. */
import { anyIterable, aUint8Array, requireArgument } from "../../../core/arguments.ts";

/** The bytes; undefined when there are more than the maximum, and the rest is not read. */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  requireArgument("stream", stream, anyIterable);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    requireArgument("chunk", chunk, aUint8Array);
    length += chunk.byteLength;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
