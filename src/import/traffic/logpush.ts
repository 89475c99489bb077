/**
 * Reads the log records of HTTP requests that Logpush writes (`observed`: data set `http_requests`, one JSON object a
 * line, with the fields that were chosen for the job).
 *
 * Headers and cookies are there only as custom fields (`RequestHeaders`, `Cookies`), one value each. A record without
 * the field does not show them; a record with it shows them if they are among the configured names, which the other
 * records of the file tell.
 */
import { isJsonObject, type JsonObject, parseJsonObject } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { parseAddress } from "../../engine/tokens/expression/values/address.ts";
import { parseTimestamp } from "../../service/time.ts";
import {
  type RecordedRequest,
  RecordFault,
  type Recording,
  type Silence,
  type TrafficSink,
  typeInWords,
} from "./recorded-request.ts";
import { passedChallenge, readEdge, textOf } from "./security-events.ts";

/** The replacement of `${` by an option of Logpush against CVE-2021-44228 (`observed`); it is not undone. */
const changedByOption = "x{";

const changedRemark = "has `x{` in its URL, which Logpush may have written in the place of `${`";

/** Nanoseconds, or seconds, since 1970: the two numeric forms of a timestamp. */
const nanosecondsFrom = 1e17;
const maxSeconds = 1e11;

/** Times that a date can have (ECMA-262, time values), in milliseconds. */
const maxTimeMs = 8.64e15;

/**
 * Reads one line.
 *
 * @param number of the line, from 1
 */
export function readLogpushLine(line: string, number: number, sink: TrafficSink): void {
  if (isBlank(line)) return;
  // The parser's own message would quote the line, which has secrets.
  const record = parseJsonObject(line);
  if (record === undefined) sink.rejected({ position: number, reason: "the line is not a JSON object" });
  else passRecord(record, number, sink);
}

/** Reads an array of records, as people save a few of them. A failure is a clause about the whole file. */
export function readLogpushArray(value: unknown, sink: TrafficSink): Result<void, string> {
  if (!Array.isArray(value)) return failure(`the records must be an array; found ${typeInWords(value)}`);
  for (const [i, record] of value.entries()) {
    if (isJsonObject(record)) passRecord(record, i + 1, sink);
    else sink.rejected({ position: i + 1, reason: "the record is not a JSON object" });
  }
  return success(undefined);
}

function passRecord(record: JsonObject, number: number, sink: TrafficSink): void {
  const read = readRecord(record, number);
  if (read instanceof RecordFault) sink.rejected({ position: number, reason: read.reason });
  else {
    if (read.url.includes(changedByOption)) sink.noted?.(changedRemark);
    sink.request(read);
  }
}

function isBlank(line: string): boolean {
  return line.length === 0 || line.trim() === "";
}

function readRecord(record: JsonObject, number: number): RecordedRequest | RecordFault {
  const method = record["ClientRequestMethod"];
  if (typeof method !== "string" || method === "") return faultOf("ClientRequestMethod", method);
  const url = readUrl(record);
  if (typeof url !== "string") return url;
  const nowMs = readTime(record["EdgeStartTimestamp"]);
  if (nowMs instanceof RecordFault) return nowMs;
  const headers = readHeaders(record);
  if (headers instanceof RecordFault) return headers;
  // All members are always there: records of one shape are faster.
  return {
    name: textOf(record["RayID"]) ?? `line ${number}`,
    position: number,
    method,
    url,
    headers,
    recording: recordingOf(record),
    nowMs,
    given: readGiven(record),
    zoneName: textOf(record["ZoneName"]),
    edge: readEdge(record),
  };
}

function faultOf(field: string, value: unknown, allowed = "a string that is not empty"): RecordFault {
  if (value === undefined) return new RecordFault(`\`${field}\` is missing; add it to the fields of the job`);
  const found = value === "" ? "an empty string" : typeInWords(value);
  return new RecordFault(`\`${field}\` must be ${allowed}; found ${found}`);
}

/** `ClientRequestURI` has the query, `ClientRequestPath` has not. */
function readUrl(record: JsonObject): string | RecordFault {
  const host = record["ClientRequestHost"];
  if (typeof host !== "string" || host === "") return faultOf("ClientRequestHost", host);
  const scheme = record["ClientRequestScheme"] ?? "https";
  if (scheme !== "https" && scheme !== "http")
    return faultOf("ClientRequestScheme", scheme, "`http` or `https`");
  const uri = record["ClientRequestURI"] ?? record["ClientRequestPath"];
  if (typeof uri !== "string") return faultOf("ClientRequestURI", uri);
  if (uri.startsWith("/")) return `${scheme}://${host}${uri}`;
  if (/^https?:\/\//i.test(uri)) return uri;
  return new RecordFault("`ClientRequestURI` is not a path that starts with `/`");
}

/** The fields of a record with the value of a field of custom rules, as they are there. */
const givenFields = [
  ["ClientASN", "ip.src.asnum"],
  ["BotScore", "cf.bot_management.score"],
  ["WAFAttackScore", "cf.waf.score"],
] as const;

/** The values that custom rules read besides the request; undefined for a record without any of it. */
function readGiven(record: JsonObject): RecordedRequest["given"] {
  const ip = textOf(record["ClientIP"]);
  const country = textOf(record["ClientCountry"]);
  const numbers = givenFields.filter(([name]) => Number.isSafeInteger(record[name]));
  const isAddress = ip !== undefined && parseAddress(ip) !== undefined;
  const isPassed = passedChallenge(record);
  if (!isAddress && country === undefined && numbers.length === 0 && !isPassed) return undefined;
  const fields = {
    ...(country !== undefined && { "ip.src.country": country.toUpperCase() }),
    ...Object.fromEntries(numbers.map(([name, field]) => [field, record[name]])),
  };
  return { ...(isAddress && { ip }), fields, ...(isPassed && { challengePassed: true }) };
}

/** A number of nanoseconds or seconds since 1970, or an RFC 3339 string. */
function readTime(value: unknown): number | undefined | RecordFault {
  if (value === undefined) return undefined;
  const ms =
    typeof value === "number"
      ? timeOfNumber(value)
      : typeof value === "string"
        ? (parseTimestamp(value) ?? Number.NaN)
        : Number.NaN;
  if (Math.abs(ms) <= maxTimeMs) return ms;
  return faultOf("EdgeStartTimestamp", value, "an RFC 3339 time, or seconds or nanoseconds since 1970");
}

function timeOfNumber(value: number): number {
  if (value >= nanosecondsFrom) return value / 1e6;
  return value >= 0 && value < maxSeconds ? value * 1000 : Number.NaN;
}

/** Fields that have a header of their own in every job. */
const headerFields = [
  ["ClientRequestUserAgent", "user-agent"],
  ["ClientRequestReferer", "referer"],
] as const;

function readHeaders(record: JsonObject): [string, string][] | RecordFault {
  const headers: [string, string][] = [["host", record["ClientRequestHost"] as string]];
  const fault = addHeaders(record["RequestHeaders"], headers) ?? addCookies(record["Cookies"], headers);
  if (fault !== undefined) return fault;
  for (const [field, name] of headerFields) {
    const value = record[field];
    if (typeof value === "string" && value !== "") headers.push([name, value]);
  }
  return headers;
}

function addHeaders(fields: unknown, headers: [string, string][]): RecordFault | undefined {
  if (fields === undefined || fields === null) return undefined;
  if (!isJsonObject(fields)) return faultOf("RequestHeaders", fields, "an object");
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== "string") return faultOf("RequestHeaders", value, "an object of strings");
    headers.push([name, value]);
  }
  return undefined;
}

/** Names are encoded, because a name with `=` or `;` would be split. */
function addCookies(fields: unknown, headers: [string, string][]): RecordFault | undefined {
  if (fields === undefined || fields === null) return undefined;
  if (!isJsonObject(fields)) return faultOf("Cookies", fields, "an object");
  let cookie = "";
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== "string") return faultOf("Cookies", value, "an object of strings");
    cookie += `${cookie === "" ? "" : "; "}${encodeName(name)}=${value}`;
  }
  if (cookie !== "") headers.push(["cookie", cookie]);
  return undefined;
}

const plainName = /^[\w-]+$/;

function encodeName(name: string): string {
  return plainName.test(name) ? name : encodeURIComponent(name.toWellFormed());
}

/** One object for each combination of fields, so that records share them. */
const recordings: (Recording | undefined)[] = [];

/** The fields that decide about a recording, each with its bit. */
const shownBits = { headers: 1, cookies: 2, query: 4, userAgent: 8, referer: 16 } as const;

function recordingOf(record: JsonObject): Recording {
  const shown =
    bit(record["RequestHeaders"], shownBits.headers) |
    bit(record["Cookies"], shownBits.cookies) |
    bit(record["ClientRequestURI"], shownBits.query) |
    bit(record["ClientRequestUserAgent"], shownBits.userAgent) |
    bit(record["ClientRequestReferer"], shownBits.referer);
  recordings[shown] ??= createRecording(shown);
  return recordings[shown];
}

function bit(value: unknown, mask: number): number {
  return value === undefined || value === null ? 0 : mask;
}

function createRecording(shown: number): Recording {
  const exceptions = new Map<string, Silence>();
  if (shown & shownBits.userAgent) exceptions.set("user-agent", "absent");
  if (shown & shownBits.referer) exceptions.set("referer", "absent");
  return {
    headers: shown & shownBits.headers ? "unsure" : "stripped",
    cookies: shown & shownBits.cookies ? "unsure" : "stripped",
    query: shown & shownBits.query ? "absent" : "stripped",
    exceptions,
    onlyFirst: true,
  };
}
