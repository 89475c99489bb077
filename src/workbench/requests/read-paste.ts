/** Reads what people paste: curl commands, a HAR, log records, a URL with headers, a bare JWT. Nothing is run or sent. */
import { isUrl } from "../../core/idna/url.ts";
import { stripBearer } from "../../engine/tokens/zone/find-token.ts";
import { parseTokenSource } from "../../engine/tokens/zone/token-source.ts";
import { counted } from "../../errors.ts";
import { detectTrafficFormat, trafficFormats } from "../../import/traffic/format.ts";
import type { RecordedRequest } from "../../import/traffic/recorded-request.ts";
import { requestsFrom } from "../../import/traffic/requests-from.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { PasteResult, PlainRequest, SampleRequest } from "../messages.ts";

/** Where a bare token is put: the request that the page shows, and the sources of the zone's configurations. */
export interface PasteContext {
  /** The request of the page; its other headers are kept. */
  readonly request: PlainRequest;
  /** Token sources of the zone, in the order in which they are tried. */
  readonly sources: readonly string[];
}

/** Maximum number of requests of one paste that the page lists. */
const maxRequests = 200;

/**
 * Reads a pasted text.
 *
 * @throws {RequestFault} 400 when it has another format
 */
export function readPaste(text: string, context: PasteContext): PasteResult {
  const trimmed = unquote(text.replace(/^\ufeff/, "").trim());
  if (trimmed === "") throw new RequestFault(400, "There is nothing to read; paste a request first.");
  const token = tokenIn(trimmed);
  if (token !== undefined) return { format: "JWT", requests: [withToken(token, context)], rejected: [] };
  if (detectTrafficFormat(trimmed) !== undefined) return readTraffic(trimmed);
  const fetched = readHead(trimmed);
  if (fetched) return { format: "URL with headers", requests: [fetched], rejected: [] };
  throw new RequestFault(
    400,
    "The text is not a request; it must be a curl command, a HAR, a URL with or without headers, or a JWT.",
  );
}

/** Quotes and semicolons around a copied value. */
function unquote(text: string): string {
  const [, , inner] = /^(["'`])([^"'`\n]*)\1[,;]?$/.exec(text) ?? [];
  return inner === undefined ? text : inner.trim();
}

const jwt = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** A token alone, or in a line such as `Authorization: Bearer ...`, possibly broken into lines. */
function tokenIn(text: string): string | undefined {
  const value = unquote(text.replace(/^(?:proxy-)?authorization\s*:\s*/i, "").trim());
  const token = stripBearer(value).replaceAll(/\s+/g, "");
  const start = token.split(".", 1)[0] ?? "";
  // The header of a token is a JSON object: `{"` in base64url.
  return jwt.test(token) && start.startsWith("ey") ? token : undefined;
}

/** Puts the token into the first source, in the form that the source usually has. */
export function withToken(token: string, { request, sources }: PasteContext): SampleRequest {
  const parsed = parseTokenSource(sources[0] ?? 'http.request.headers["authorization"][0]');
  const isCookie = parsed.ok && parsed.value.name === "http.request.cookies";
  const key = parsed.ok ? parsed.value.key : "authorization";
  const name = isCookie ? "cookie" : key.toLowerCase();
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name);
  const value = isCookie ? `${key}=${token}` : name === "authorization" ? `Bearer ${token}` : token;
  return { title: "JWT", method: request.method, url: request.url, headers: [...others, [name, value]] };
}

/** The reader's own message has no values of the text. */
function readTraffic(text: string): PasteResult {
  const { format, requests, rejected, skipped } = requestsFrom(text);
  const shown = requests.slice(0, maxRequests);
  return {
    format: trafficFormats[format],
    requests: shown.map(({ name, method, url, headers, given }) => ({
      title: `${name}: ${method} ${new URL(url).pathname}`,
      method,
      url,
      headers,
      ...plainGiven(given),
    })),
    rejected: [
      ...rejected.slice(0, maxRequests).map(({ position, reason }) => `At ${position}: ${reason}.`),
      ...Object.entries(skipped).map(
        ([reason, count]) => `${counted(count, "request")} left out: ${reason}.`,
      ),
      ...(requests.length > maxRequests ? [`Only the first ${maxRequests} requests are listed.`] : []),
    ],
  };
}

/** The other values of a recorded request, whose bodies are text. */
function plainGiven({ body, ...others }: RecordedRequest["given"] = {}) {
  return { ...others, ...(typeof body === "string" && { body }) };
}

/** Unusual methods in capitals only: `wget` before a URL is a command. */
const methodName = /^(?:get|head|post|put|patch|delete|options|[A-Z][A-Z-]*)$/;

/**
 * A URL, or a request line, followed by headers: `GET https://a.example/x`, `GET /x HTTP/1.1` with a header `Host`, or
 * a URL alone. Lines after an empty one are the body.
 */
function readHead(text: string): SampleRequest | undefined {
  const [first = "", ...lines] = text.split(/\r?\n/);
  const words = first.trim().split(/\s+/);
  const isVersioned = /^HTTP\/[\d.]+$/i.test(words.at(-1) ?? "");
  const [target, method = "GET", ...more] = (isVersioned ? words.slice(0, -1) : words).reverse();
  if (target === undefined || more.length > 0 || !methodName.test(method)) return undefined;
  const end = lines.findIndex((line, i) => i > 0 && line.trim() === "");
  const headers = readHeaders(end < 0 ? lines : lines.slice(0, end));
  const body = end < 0 ? "" : lines.slice(end + 1).join("\n");
  if (headers === undefined) return undefined;
  const host = headers.find(([name]) => name.toLowerCase() === "host")?.[1];
  const url = absoluteUrl(target, host);
  return url === undefined
    ? undefined
    : {
        title: `${method.toUpperCase()} ${url}`,
        method: method.toUpperCase(),
        url,
        headers,
        ...(body !== "" && { body }),
      };
}

/** Undefined when a line is not a header. HTTP/2's `:authority` and the like, and comments, are left out. */
/** The ends of lines that are not those of the text. */
const lineEnd = /[\r\u2028\u2029]/;

const headerStart = /^(?:-H\s+)?["']?([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:/;

/** The value without the comma and the quotation mark of the line. */
function withoutQuote(value: string): string {
  return value.replace(/,$/, "").replace(/["']$/, "");
}

function readHeaders(lines: readonly string[]): readonly (readonly [string, string])[] | undefined {
  const headers: (readonly [string, string])[] = [];
  for (const line of lines.filter((candidate) => candidate.trim() !== "")) {
    const text = line.trim();
    const [start, name] = lineEnd.test(text) ? [] : (headerStart.exec(text) ?? []);
    if (start !== undefined && name !== undefined)
      headers.push([name, withoutQuote(text.slice(start.length).trimStart())]);
    else if (!/^\s*[:#]/.test(line)) return undefined;
  }
  return headers;
}

/** A path needs the header `Host`; a host without a scheme is read as https. */
function absoluteUrl(target: string, host: string | undefined): string | undefined {
  const text = unquote(target.replace(/^<(.*)>$/, "$1"));
  const url = text.startsWith("/") && host !== undefined ? `https://${host}${text}` : text;
  const absolute = /^https?:\/\//i.test(url)
    ? url
    : /^[\w-]+(\.[\w-]+)+(:\d+)?([/?]|$)|^localhost\b/.test(url)
      ? `https://${url}`
      : undefined;
  return absolute !== undefined && isUrl(absolute) ? absolute : undefined;
}
