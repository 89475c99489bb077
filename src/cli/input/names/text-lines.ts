/** The lines of a text in UTF-8 or UTF-16. */
import { unicodeEncodingOf } from "../../../core/text-decoding.ts";

/** Maximum length of a line, in characters, so that a file without line ends does not fill the memory. */
export const maxLineLength = 65_536;

/** The complete lines of each chunk; a line that is too long is cut off one character above the maximum. */
export async function* textLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = "";
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(unicodeEncodingOf(chunk));
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, maxLineLength + 1);
    if (lines.length > 0) yield lines;
  }
  rest += decoder?.decode() ?? "";
  if (rest !== "") yield [rest];
}
