/**
 * Reads an HTTP archive (HAR 1.2), as browsers and proxies export it.
 *
 * Browsers built on Chromium leave out the headers `authorization` and `cookie` unless asked for sensitive data, and do
 * not mark the file (`observed`). A file of theirs in which no request has either is read as stripped of them
 * (`chosen`).
 */
import { readUrl } from "../../core/idna/url.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { parseTimestamp } from "../../service/time.ts";
import {
  completeRecording,
  type RecordedRequest,
  RecordFault,
  type Recording,
  type TrafficSink,
  typeInWords,
} from "./recorded-request.ts";

/** The creator of files that may be stripped (`observed`). */
const strippingCreator = "WebInspector";

const strippedHeaders: ReadonlySet<string> = new Set(["authorization", "cookie"]);

/** The recording of a stripped file. */
const strippedRecording: Recording = {
  ...completeRecording,
  cookies: "stripped",
  exceptions: new Map([...strippedHeaders].map((name) => [name, "stripped"])),
};

/** Preflights have no credentials (Fetch standard, section 3.3), so nothing was left out. */
const preflightHeader = "access-control-request-method";

type Pairs = [string, string][];

/**
 * Reads a parsed archive: `log.entries`, in order. A failure is a clause about the whole file.
 *
 * @param value the value of the JSON file
 */
export function readHar(value: unknown, sink: TrafficSink): Result<void, string> {
  const log = isJsonObject(value) ? value["log"] : undefined;
  if (!isJsonObject(log)) return failure(`\`log\` must be an object; found ${typeInWords(log)}`);
  const entries = log["entries"];
  if (!Array.isArray(entries))
    return failure(`\`log.entries\` must be an array; found ${typeInWords(entries)}`);
  const recording = isStripped(log["creator"], entries) ? strippedRecording : completeRecording;
  for (const [i, entry] of entries.entries()) readEntry(entry, i + 1, recording, sink);
  return success(undefined);
}

function isStripped(creator: unknown, entries: readonly unknown[]): boolean {
  if (!isJsonObject(creator) || creator["name"] !== strippingCreator) return false;
  return !entries.some((entry) =>
    requestHeadersOf(entry).some(([name]) => strippedHeaders.has(name.toLowerCase())),
  );
}

/** The headers and cookies of an entry, as far as they can be read. */
function requestHeadersOf(entry: unknown): Pairs {
  const request = isJsonObject(entry) ? entry["request"] : undefined;
  if (!isJsonObject(request)) return [];
  const headers = readPairs(request["headers"]);
  const cookies = readPairs(request["cookies"]);
  return [...(headers ?? []), ...(cookies ?? []).map((): [string, string] => ["cookie", ""])];
}

function readEntry(entry: unknown, position: number, recording: Recording, sink: TrafficSink): void {
  const request = isJsonObject(entry) ? entry["request"] : undefined;
  if (!isJsonObject(entry) || !isJsonObject(request)) {
    sink.rejected({ position, reason: "the entry must be an object with the member `request`" });
    return;
  }
  const reason = skipReason(entry, request["url"]);
  if (reason !== undefined) sink.skipped(reason);
  else pass(readRequest(entry, request, position, recording), position, sink);
}

function pass(read: RecordedRequest | RecordFault, position: number, sink: TrafficSink): void {
  if (read instanceof RecordFault) sink.rejected({ position, reason: read.reason });
  else sink.request(read);
}

function readRequest(
  entry: JsonObject,
  request: JsonObject,
  position: number,
  recording: Recording,
): RecordedRequest | RecordFault {
  const { method, url: address } = request;
  if (typeof method !== "string") return notAString("method", method);
  if (typeof address !== "string") return notAString("url", address);
  // The handshake of a WebSocket is a request of HTTP (RFC 6455, section 4.1).
  const url = address.replace(/^ws(s?):/i, "http$1:");
  const started = entry["startedDateTime"];
  const nowMs = typeof started === "string" ? parseTimestamp(started) : undefined;
  if (nowMs === undefined) return new RecordFault("`startedDateTime` must be an RFC 3339 time");
  const headers = readHeaders(request, url);
  if (headers === undefined)
    return new RecordFault("`headers` must be an array of objects with `name` and `value`");
  const isPreflight =
    method === "OPTIONS" && headers.some(([name]) => name.toLowerCase() === preflightHeader);
  const shown = isPreflight ? completeRecording : recording;
  const given = readBody(request["postData"]);
  return {
    name: `entry ${position}`,
    position,
    method,
    url,
    headers,
    nowMs,
    recording: shown,
    ...(given && { given }),
  };
}

/** The text of a body. Browsers leave files out of forms with several parts (`observed`), so those are unknown. */
function readBody(postData: unknown): RecordedRequest["given"] {
  if (!isJsonObject(postData)) return undefined;
  const { text, mimeType, encoding } = postData;
  if (typeof text !== "string" || text === "" || encoding !== undefined) return undefined;
  return /^multipart\//i.test(String(mimeType)) ? undefined : { body: text };
}

function notAString(member: string, value: unknown): RecordFault {
  return new RecordFault(`\`${member}\` must be a string; found ${typeInWords(value)}`);
}

const edgeSchemes: ReadonlySet<string> = new Set(["http", "https", "ws", "wss"]);

/** Requests that never reached the edge. */
function skipReason(entry: JsonObject, url: unknown): string | undefined {
  const scheme =
    typeof url !== "string" ? undefined : /^([a-z][a-z0-9+.-]{0,31}):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && !edgeSchemes.has(scheme)) return `the URL has the scheme ${scheme}`;
  return typeof entry["_fromCache"] === "string" ? "answered from the browser's cache" : undefined;
}

/** Headers without the pseudo headers of HTTP/2; cookies of the list when no header has them. */
function readHeaders(request: JsonObject, url: string): Pairs | undefined {
  const all = readPairs(request["headers"]);
  if (all === undefined) return undefined;
  const headers = all.filter(([name]) => !name.startsWith(":"));
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);
  const cookies = readPairs(request["cookies"]) ?? [];
  if (cookies.length > 0 && !has("cookie")) {
    headers.push(["cookie", cookies.map(([name, value]) => `${name}=${value}`).join("; ")]);
  }
  const host = readUrl(url)?.host;
  if (!has("host") && host !== undefined) headers.unshift(["host", host]);
  return headers;
}

/** A list of objects with name and value; undefined when it is not one. A missing list is empty. */
function readPairs(list: unknown): Pairs | undefined {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return undefined;
  const pairs: Pairs = [];
  for (const item of list) {
    if (!isJsonObject(item)) return undefined;
    const { name, value } = item;
    if (typeof name !== "string" || typeof value !== "string") return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}
