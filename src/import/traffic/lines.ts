/** Splits bytes into lines of text, one at a time, so that memory does not grow with the file. */
import { allocateBytes, concatBytes, isUtf8, utf8Text, viewBytes } from "#bytes";

/** Maximum length of a line, in bytes (`chosen`; a log record has 1 to 20 KiB). */
export const maxLineBytes = 4 * 1024 * 1024;

/** Receives the lines; numbers start at 1. */
export interface LineSink {
  /** A line without its end. */
  line(text: string, number: number): void;
  /** A line that is longer than the maximum or not UTF-8. */
  rejected(reason: string, number: number): void;
}

/** Accepts the bytes of a file in chunks of any size. */
export interface LineSplitter {
  /** Accepts the next bytes; they may be reused after the call. */
  push(chunk: Uint8Array): void;
  /** Accepts the end of the file. */
  end(): void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The character that replaces invalid bytes in decoded text. */
const replacement = "\ufffd";

/**
 * Creates a splitter. Lines end with LF or CRLF.
 *
 * @param maxBytes maximum length of a line; a longer one is discarded and reported
 */
export function createLineSplitter(sink: LineSink, maxBytes: number = maxLineBytes): LineSplitter {
  let number = 1;
  /** The start of a line whose end is in a later chunk. */
  let parts: Uint8Array[] = [];
  let length = 0;

  function finish(bytes: Uint8Array): void {
    if (bytes.length > maxBytes) sink.rejected(`the line is longer than ${maxBytes} bytes`, number);
    else emit(bytes);
    number++;
  }

  function emit(bytes: Uint8Array): void {
    const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
    const text = utf8Text(bytes, 0, end);
    if (text.includes(replacement) && !isUtf8(bytes)) sink.rejected("the line is not UTF-8", number);
    else sink.line(text, number);
  }

  /** Keeps a part only while the line can still be accepted. */
  function keep(part: Uint8Array): void {
    length += part.length;
    if (length <= maxBytes) parts.push(concatBytes([part]));
    else parts = [];
  }

  function finishParts(last: Uint8Array): void {
    keep(last);
    if (length > maxBytes) {
      sink.rejected(`the line is longer than ${maxBytes} bytes`, number);
      number++;
    } else finish(concatBytes(parts));
    parts = [];
    length = 0;
  }

  return {
    push(chunk) {
      const bytes = viewBytes(chunk);
      let start = 0;
      for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, start)) {
        const line = bytes.subarray(start, at);
        if (length === 0) finish(line);
        else finishParts(line);
        start = at + 1;
      }
      if (start < bytes.length) keep(bytes.subarray(start));
    },
    end() {
      if (length > 0) finishParts(allocateBytes(0));
    },
  };
}
