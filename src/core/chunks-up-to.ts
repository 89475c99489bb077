/** The chunks of a stream; undefined when it has more bytes than the maximum, and the rest is not read. */
export async function chunksUpTo(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<readonly Uint8Array[] | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      // Leaving the loop cancels the stream.
      if (size > maxBytes) return undefined;
      chunks.push(chunk);
    }
  } catch (error) {
    // A stream that is too large stays so when its cancellation fails.
    if (size > maxBytes) return undefined;
    throw error;
  }
  return chunks;
}
