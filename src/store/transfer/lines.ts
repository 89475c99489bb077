/** Splits bytes into lines, without their ends. */
import { InvalidExportError } from "./format.ts";

/** Maximum length of a line, in bytes: a blob of 190 MB. Longer lines are not read into memory. */
const maxLineBytes = 268_435_456;

export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let line = 1;
  for await (const chunk of bytes) {
    let from = 0;
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, to));
      const [whole, ...more] = parts;
      yield whole && more.length === 0 ? whole : Buffer.concat(parts);
      parts = [];
      size = 0;
      line += 1;
      from = to + 1;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxLineBytes)
      throw new InvalidExportError(line, `a line must be at most ${maxLineBytes} bytes`);
  }
  if (size > 0) yield Buffer.concat(parts);
}
