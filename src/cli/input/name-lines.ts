/** Reads names from text, one a line: plain, or a JSON object with `domain`. Empty lines and comments (`#`) are skipped. */
import { readFeedRecord } from "../../service/brand/domains/feed-record.ts";

/** A name and its line number, from 1. */
export interface NameLine {
  readonly domain: string;
  readonly line: number;
  readonly firstSeenMs?: number;
}

/** A line that is not a name. */
export interface InvalidLine {
  readonly line: number;
  readonly message: string;
}

/** Maximum length of a line, in characters, so that a file without line ends does not fill the memory. */
const maxLine = 65_536;

/** The names of each chunk of a text. */
export async function* nameLines(
  bytes: AsyncIterable<Uint8Array>,
  onInvalid: (invalid: InvalidLine) => void,
): AsyncGenerator<readonly NameLine[], void, undefined> {
  let line = 0;
  for await (const texts of linesOf(bytes)) {
    const names: NameLine[] = [];
    for (const text of texts) {
      line += 1;
      const name = readLine(text, line);
      if (name && "message" in name) onInvalid(name);
      else if (name) names.push(name);
    }
    if (names.length > 0) yield names;
  }
}

function readLine(text: string, line: number): NameLine | InvalidLine | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  if (trimmed.length > maxLine) return { line, message: `A line must be at most ${maxLine} characters.` };
  return trimmed.startsWith("{") ? readObject(trimmed, line) : { domain: trimmed, line };
}

function readObject(text: string, line: number): NameLine | InvalidLine {
  try {
    const record = readFeedRecord(JSON.parse(text));
    if (!record.ok) return { line, message: record.problems[0].message };
    const { domain, firstSeenMs } = record.value;
    return { domain, line, ...(firstSeenMs !== undefined && { firstSeenMs }) };
  } catch (error) {
    return { line, message: `The line must be JSON: ${(error as Error).message}.` };
  }
}

/** The complete lines of each chunk; a line that is too long is cut off one character above the maximum. */
async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, maxLine + 1);
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield [rest];
}
