/**
 * Reads access logs of servers before or behind an edge: nginx (`combined`), load balancers (ALB) and CloudFront
 * (`observed`: their documentation). They have no tokens: headers and cookies count as left out by the recorder.
 */

import { latin1Bytes, utf8Text } from "#bytes";
import { readUrl } from "../../core/idna/url.ts";
import { decodePercents } from "../../core/text/percent-decoding.ts";
import { parseAddress } from "../../engine/tokens/expression/values/address.ts";
import { parseTimestamp } from "../../service/time.ts";
import { type RecordedRequest, RecordFault, type Recording, type Silence } from "./recorded-request.ts";

/** Reads one line; undefined for a line that is not a request, such as a comment. */
export type LogLineReader = (line: string, number: number) => RecordedRequest | RecordFault | undefined;

/** The parts of a line that all logs have. */
interface LogLine {
  /** Method, target and version, or the target alone beside `method`. */
  readonly method: string;
  readonly url: string;
  readonly timeMs: number | undefined;
  readonly referer: string | undefined;
  readonly userAgent: string | undefined;
  readonly name?: string | undefined;
  /** The address of the client. */
  readonly ip: string | undefined;
}

const absent = "-";

/** The headers that the logs have; everything else was left out. */
const shownHeaders: ReadonlyMap<string, Silence> = new Map([
  ["user-agent", "absent"],
  ["referer", "absent"],
]);

const recording: Recording = {
  headers: "stripped",
  cookies: "stripped",
  query: "absent",
  exceptions: shownHeaders,
  onlyFirst: true,
};

/** One log format: how a line of it looks, and its reader. */
export interface AccessLogFormat {
  /** Whether the start of a text has this format. */
  readonly start: RegExp;
  /** Creates the reader of a file. @param host of requests whose log has none */
  readonly reader: (host: string | undefined) => LogLineReader;
}

const isoTime = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

/** The formats of access logs. */
export const accessLogs = {
  nginx: {
    start: /^(?:\S+ )?\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "/,
    reader: readNginx,
  },
  alb: { start: new RegExp(`^(?:https?|h2|grpcs|wss?) ${isoTime} \\S+ \\S+:\\d+ `), reader: () => readAlb },
  cloudfront: { start: /^#Version: 1\.0\r?\n#Fields: /, reader: createCloudFrontReader },
} as const satisfies Readonly<Record<string, AccessLogFormat>>;

function requestOf(line: LogLine, number: number): RecordedRequest | RecordFault {
  const { method, url, timeMs, referer, userAgent } = line;
  const parts = readUrl(url);
  if (!parts) return new RecordFault("the address is not a URL");
  const headers: [string, string][] = [["host", parts.host]];
  if (userAgent !== undefined) headers.push(["user-agent", userAgent]);
  if (referer !== undefined) headers.push(["referer", referer]);
  const name = line.name ?? `line ${number}`;
  const given = line.ip !== undefined && parseAddress(line.ip) !== undefined && { given: { ip: line.ip } };
  return { name, position: number, method, url, headers, recording, nowMs: timeMs, ...given };
}

function shown(value: string | undefined): string | undefined {
  return value === undefined || value === absent || value === "" ? undefined : value;
}

/** `METHOD target HTTP/version`. */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/[\d.]+$/;

const badRequestLine = "the request is not a method, a target and a version";

/** Combined format, with an optional host before it, as `vhost_combined` has. */
const nginxLine =
  /^(?:(?<host>[^\s[\]"]+) )?(?<ip>\S+) \S+ \S+ \[(?<time>[^\]]+)\] "(?<request>[^"\\]*(?:\\.[^"\\]*)*)" \d{3} (?:\d+|-)(?: "(?<referer>[^"\\]*(?:\\.[^"\\]*)*)" "(?<agent>[^"\\]*(?:\\.[^"\\]*)*)")?/;

function readNginx(defaultHost: string | undefined): LogLineReader {
  return (line, number) => {
    if (line.trim() === "") return undefined;
    const parts = nginxLine.exec(line)?.groups;
    if (!parts) return new RecordFault("the line is not in the format `combined` of nginx");
    const [, method, target = ""] = requestLine.exec(plainText(parts["request"] ?? "")) ?? [];
    if (method === undefined) return new RecordFault(badRequestLine);
    const host = parts["host"] ?? defaultHost;
    if (host === undefined && target.startsWith("/"))
      return new RecordFault("the log has no host; name it with `--host`");
    const timeMs = commonLogTime(parts["time"] ?? "");
    if (timeMs === undefined)
      return new RecordFault("the time is not `day/month/year:hour:minute:second zone`");
    const url = target.startsWith("/") ? `https://${host}${target}` : target;
    const [referer, userAgent] = [parts["referer"], parts["agent"]].map((value) =>
      shown(value && plainText(value)),
    );
    return requestOf({ method, url, timeMs, referer, userAgent, ip: parts["ip"] }, number);
  };
}

/** `\xHH` and `\"`, which nginx writes in strings. */
function plainText(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes = text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_all, hex?: string, plain?: string) =>
    hex === undefined ? (plain ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return utf8Text(latin1Bytes(bytes));
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `25/Nov/2026:10:00:00 +0100`, in milliseconds since 1970. */
function commonLogTime(text: string): number | undefined {
  const found = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/.exec(text);
  if (!found) return undefined;
  const [, day, name = "", year, time, hours, minutes] = found;
  const month = String(months.indexOf(name) + 1).padStart(2, "0");
  return parseTimestamp(`${year}-${month}-${day}T${time}${hours}:${minutes}`);
}

/** Positions of the fields of a load balancer's line (`observed`). */
const albFields = { time: 1, client: 3, request: 12, userAgent: 13, traceId: 17 } as const;

function readAlb(line: string, number: number): RecordedRequest | RecordFault | undefined {
  if (line.trim() === "") return undefined;
  const fields = line.match(/"[^"]*"|\S+/g) ?? [];
  const field = (at: number) => fields[at]?.replace(/^"|"$/g, "");
  const [, method, target = ""] = requestLine.exec(field(albFields.request)?.trim() ?? "") ?? [];
  if (method === undefined) return new RecordFault(badRequestLine);
  const timeMs = parseTimestamp(field(albFields.time) ?? "");
  if (timeMs === undefined) return new RecordFault("the time must be an RFC 3339 time");
  // A handshake of WebSocket is a request of HTTP.
  const url = target.replace(/^ws(s?):/, "http$1:");
  const userAgent = shown(field(albFields.userAgent));
  // The port of the client follows its address; one of IPv6 is in brackets.
  const ip = field(albFields.client)
    ?.replace(/:\d+$/, "")
    .replace(/^\[|\]$/g, "");
  return requestOf(
    { method, url, timeMs, referer: undefined, userAgent, name: shown(field(albFields.traceId)), ip },
    number,
  );
}

/** The names of its fields are in the file; values are encoded as in URLs. */
function createCloudFrontReader(): LogLineReader {
  let names: readonly string[] = [];
  return (line, number) => {
    if (line.startsWith("#Fields:")) names = line.slice("#Fields:".length).trim().split(/\s+/);
    if (line.startsWith("#") || line.trim() === "") return undefined;
    const values = line.split("\t");
    const value = (name: string) => shown(values[names.indexOf(name)]);
    const needed = ["date", "time", "cs-method", "cs-uri-stem"].find((name) => value(name) === undefined);
    if (needed !== undefined) return new RecordFault(`the field \`${needed}\` is missing`);
    const host = value("x-host-header") ?? value("cs(Host)");
    if (host === undefined) return new RecordFault("the field `x-host-header` is missing");
    const timeMs = parseTimestamp(`${value("date")}T${value("time")}Z`);
    if (timeMs === undefined) return new RecordFault("`date` and `time` must be a date and a time");
    const scheme = value("cs-protocol")?.endsWith("s") === false ? "http" : "https";
    const query = value("cs-uri-query");
    const url = `${scheme}://${host}${value("cs-uri-stem")}${query === undefined ? "" : `?${query}`}`;
    const [referer, userAgent] = ["cs(Referer)", "cs(User-Agent)"].map((name) => {
      const text = value(name);
      return text && (decodePercents(text) ?? text);
    });
    const method = value("cs-method") as string;
    const [name, ip] = [value("x-edge-request-id"), value("c-ip")];
    return requestOf({ method, url, timeMs, referer, userAgent, name, ip }, number);
  };
}
