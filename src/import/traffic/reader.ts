/**
 * Reads a file of recorded requests in chunks: detects the format, and passes each request to a sink. Logs are read in
 * constant memory; archives and curl commands are kept up to a maximum.
 */

import { concatBytes, isUtf8, utf8Text } from "#bytes";
import {
  aFunction,
  aNumber,
  anyValue,
  aString,
  aUint8Array,
  objectWith,
  optional,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../../core/arguments.ts";
import { createJsonIndex } from "../../core/json-index.ts";
import { parseJsonSource } from "../../core/json-source.ts";
import { createLineIndex } from "../../core/line-index.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { utf8Chunks } from "../../core/text-decoding.ts";
import { otherFormatHint } from "../other-formats.ts";
import { accessLogs } from "./access-logs.ts";
import { readCurl } from "./curl.ts";
import { detectionLength, detectTrafficFormat, type TrafficFormat, trafficFormats } from "./format.ts";
import { readHar } from "./har.ts";
import { createLineSplitter, type LineSplitter } from "./lines.ts";
import { readLogpushArray, readLogpushLine } from "./logpush.ts";
import { readPostman } from "./postman.ts";
import { RecordFault, type TrafficSink } from "./recorded-request.ts";

/** Maximum size of an archive or of a file of curl commands, in bytes (`chosen`). */
export const maxWholeFileBytes = 256 * 1024 * 1024;

/** Larger texts are not searched for the position of a syntax error. */
const maxLocatedLength = 16 * 1024 * 1024;

/** Options of {@link createTrafficReader}. */
export interface TrafficReaderOptions {
  /** The format. Default: detected. */
  readonly format?: TrafficFormat;
  /** Maximum size of an archive or of a file of curl commands, in bytes. Default 256 MiB. */
  readonly maxWholeFileBytes?: number;
  /** Host of requests whose log has none, such as the default format of nginx. */
  readonly host?: string;
}

const readerOptions = optionsOf<TrafficReaderOptions>("createTrafficReader", {
  format: anyValue,
  maxWholeFileBytes: optional(aNumber),
  host: optional(aString),
});

/** Accepts the bytes of a file in chunks of any size. */
export interface TrafficReader {
  /** Accepts the next bytes; they may be reused after the call. */
  push(chunk: Uint8Array): void;
  /** Whether the file is given up: further bytes are ignored, and `end` is a failure. */
  readonly hasFailed: boolean;
  /** Accepts the end of the file. A failure is a clause about the whole file, without values of the file. */
  end(): Result<TrafficFormat, string>;
}

interface State {
  format: TrafficFormat | undefined;
  /** Bytes before the format is known, then the bytes of formats that are read as a whole. */
  chunks: Uint8Array[];
  length: number;
  lines: LineSplitter | undefined;
  /** Set when the file is given up. */
  failed: string | undefined;
}

/**
 * Creates a reader of one file.
 *
 * @example
 * ```ts
 * const urls: string[] = [];
 * const sink = { request: (r: { url: string }) => void urls.push(r.url), rejected: () => {}, skipped: () => {} };
 * const reader = createTrafficReader(sink);
 * reader.push(Buffer.from("curl https://api.example.com/"));
 * reader.end(); // => { ok: true, value: "curl" }
 * urls; // => ["https://api.example.com/"]
 * ```
 */
export function createTrafficReader(sink: TrafficSink, options: TrafficReaderOptions = {}): TrafficReader {
  requireArguments({
    sink: [
      sink,
      objectWith({ request: aFunction, rejected: aFunction, skipped: aFunction, noted: optional(aFunction) }),
    ],
    options: [options, readerOptions],
  });
  const maxBytes = options.maxWholeFileBytes ?? maxWholeFileBytes;
  const state: State = { format: undefined, chunks: [], length: 0, lines: undefined, failed: undefined };
  const utf8 = utf8Chunks();
  function accept(chunk: Uint8Array): void {
    if (state.failed !== undefined) return;
    if (state.lines !== undefined) state.lines.push(chunk);
    else keep(state, chunk, maxBytes);
    if (state.format === undefined && state.length >= detectionLength) detect(state, options, sink);
  }
  return {
    push: (chunk) => {
      requireArgument("chunk", chunk, aUint8Array);
      accept(utf8.push(chunk));
    },
    get hasFailed() {
      return state.failed !== undefined;
    },
    end() {
      accept(utf8.end());
      if (state.format === undefined && state.failed === undefined) detect(state, options, sink);
      if (state.failed !== undefined) return failure(state.failed);
      return finish(state, sink);
    },
  };
}

function keep(state: State, chunk: Uint8Array, maxBytes: number): void {
  state.length += chunk.length;
  state.chunks.push(concatBytes([chunk]));
  if (state.length <= maxBytes || state.format === undefined) return;
  state.chunks = [];
  state.failed = `${trafficFormats[state.format]} of more than ${maxBytes} bytes; split it into smaller files`;
}

function detect(state: State, options: TrafficReaderOptions, sink: TrafficSink): void {
  const start = withoutByteOrderMark(concatBytes(state.chunks));
  state.format = options.format ?? detectTrafficFormat(utf8Text(start, 0, detectionLength));
  const line = state.format && lineReader(state.format, start, options, sink);
  if (line !== undefined) {
    state.lines = createLineSplitter({
      line,
      rejected: (reason, position) => sink.rejected({ position, reason }),
    });
    state.lines.push(start);
    state.chunks = [];
  } else if (state.format === undefined) {
    state.chunks = [];
    state.failed = start.length === 0 ? "the file is empty" : otherFormat(start);
  }
}

/** The reader of a line, for formats that have one record a line. */
function lineReader(
  format: TrafficFormat,
  start: Uint8Array,
  { host }: TrafficReaderOptions,
  sink: TrafficSink,
): ((text: string, number: number) => void) | undefined {
  if (format === "har" || format === "curl" || format === "postman") return undefined;
  if (format !== "logpush") {
    const read = accessLogs[format].reader(host);
    return (text, number) => {
      const found = read(text, number);
      if (found instanceof RecordFault) sink.rejected({ position: number, reason: found.reason });
      else if (found !== undefined) sink.request(found);
    };
  }
  const isArray = utf8Text(start, 0, detectionLength).trimStart().startsWith("[");
  return isArray ? undefined : (text, number) => readLogpushLine(text, number, sink);
}

function otherFormat(start: Uint8Array): string {
  return otherFormatHint(utf8Text(start, 0, detectionLength)) ?? unknownFormat;
}

const unknownFormat = `the format is not known; it must be one of: ${Object.values(trafficFormats).join(", ")}`;

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function finish(state: State, sink: TrafficSink): Result<TrafficFormat, string> {
  const format = state.format as TrafficFormat;
  if (state.lines !== undefined) {
    state.lines.end();
    return success(format);
  }
  const bytes = withoutByteOrderMark(concatBytes(state.chunks));
  state.chunks = [];
  if (!isUtf8(bytes)) return failure("the file is not UTF-8");
  const text = utf8Text(bytes);
  const read = readWhole(format, text, sink);
  return read.ok ? success(format) : read;
}

function readWhole(format: TrafficFormat, text: string, sink: TrafficSink): Result<void, string> {
  if (format === "curl") return success(readCurl(text, sink));
  if (format === "har") return readHarText(text, sink);
  const value = parse(text);
  if (!value.ok) return value;
  return format === "postman" ? readPostman(value.value, sink) : readLogpushArray(value.value, sink);
}

function readHarText(text: string, sink: TrafficSink): Result<void, string> {
  const value = parse(text);
  return value.ok ? readHar(value.value, withLines(text, sink)) : value;
}

/** Passes everything on, with the lines of the entries. */
function withLines(text: string, sink: TrafficSink): TrafficSink {
  const { startOf } = createJsonIndex(text);
  const positionAt = createLineIndex(text);
  const line = (position: number) => positionAt(startOf(`/log/entries/${position - 1}`)).line;
  return {
    request: (request) => sink.request({ ...request, line: line(request.position) }),
    rejected: (record) => sink.rejected({ ...record, line: line(record.position) }),
    skipped: (reason) => sink.skipped(reason),
    noted: (remark) => sink.noted?.(remark),
  };
}

/** The parser's own message would quote the text, which has secrets. */
function parse(text: string): Result<unknown, string> {
  try {
    return success(JSON.parse(text));
  } catch {
    return failure(`the file is not JSON${positionOfFault(text)}`);
  }
}

function positionOfFault(text: string): string {
  const read = text.length > maxLocatedLength ? undefined : parseJsonSource(text);
  if (read === undefined || read.ok) return "";
  const { line, column } = read.problems[0].at.start;
  return `: syntax error at line ${line}, column ${column}`;
}
