/** Names from text: one a line, plain or as a JSON object with `domain`. Empty lines and lines with `#` first are skipped. */
import { readSeen } from "../../service/brand/domains/feed-record.ts";

/** A name, and the line it stands on. */
export interface NameLine {
  readonly domain: string;
  readonly line: number;
  readonly firstSeenMs?: number;
}

/** A line that is no name. */
export interface BadLine {
  readonly line: number;
  readonly message: string;
}

/** Longest line that is kept whole, in characters: what is longer is no name, and a file without line ends must not fill the memory. */
const maxLine = 65_536;

/** The names of a text as it comes, those of each chunk together. */
export async function* nameLines(
  bytes: AsyncIterable<Uint8Array>,
  onBad: (bad: BadLine) => void,
): AsyncGenerator<readonly NameLine[], void, undefined> {
  let line = 0;
  for await (const texts of linesOf(bytes)) {
    const names: NameLine[] = [];
    for (const text of texts) {
      line += 1;
      const name = readLine(text, line);
      if (name && "message" in name) onBad(name);
      else if (name) names.push(name);
    }
    if (names.length > 0) yield names;
  }
}

function readLine(text: string, line: number): NameLine | BadLine | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  if (trimmed.length > maxLine) return { line, message: `The line has more than ${maxLine} characters.` };
  return trimmed.startsWith("{") ? readObject(trimmed, line) : { domain: trimmed, line };
}

function readObject(text: string, line: number): NameLine | BadLine {
  try {
    const seen = readSeen(JSON.parse(text));
    if (typeof seen === "string") return { line, message: seen };
    const { domain, firstSeenMs } = seen;
    return { domain, line, ...(firstSeenMs !== undefined && { firstSeenMs }) };
  } catch (error) {
    return { line, message: `The line is not JSON: ${(error as Error).message}.` };
  }
}

/** Complete lines, those of each chunk together. Of a line that is too long, only as much as shows that it is. */
async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!.slice(0, maxLine + 1);
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield [rest];
}
