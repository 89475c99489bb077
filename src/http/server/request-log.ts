/** The printable parts of a request in a log: no API token, upload token, key or signature. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { decodePercents } from "../../core/text/percent-decoding.ts";
import { mask, maskAddress, maskQuery } from "../../core/text/secrets.ts";
import { uploadPath } from "../endpoints/endpoint.ts";
import { wireNames } from "../wire-names.ts";

/** One request and its response. */
export interface RequestRecord {
  /** HTTP method. */
  readonly method: string;
  /** Request target with its query; signatures, keys and tokens are replaced by `***`. */
  readonly path: string;
  /** HTTP status; null when the connection ended before the response began. */
  readonly status: number | null;
  /** Time from the headers of the request to the end of the response, in milliseconds. */
  readonly ms: number;
  /** Trace id of the response; null when it has none. */
  readonly traceId: string | null;
}

/** Name of the last segment of the path of upload addresses. */
const uploadSegment = uploadPath.split("/").at(-1) ?? uploadPath;

/** A request target without its secrets. */
export function maskTarget(target: string): string {
  const [path = "", ...query] = target.split("?");
  return [maskPath(maskAddress(path)), ...(query.length > 0 ? [maskQuery(query.join("?"))] : [])].join("?");
}

/** Everything after the account hash of an upload address is secret, however the address is written. */
function maskPath(path: string): string {
  const segments = path.split(/\/|%2f/i);
  const at = segments.findIndex((segment) =>
    (decodePercents(segment) ?? segment).toLowerCase().includes(uploadSegment),
  );
  if (at < 0) return path;
  const filled = segments.slice(0, at + 1);
  return [...filled, mask].join("/");
}

const traceHeaders = Object.values(wireNames).map((names) => names.traceHeader);

/** The trace id of a response. */
export function traceIdOf(response: Response | undefined): string | null {
  return traceHeaders.map((name) => response?.headers.get(name)).find((id) => id) ?? null;
}

/** The record of a request whose response has ended. */
export function requestRecord(
  { method = "", url = "" }: IncomingMessage,
  { headersSent, statusCode }: ServerResponse,
  traceId: string | null,
  ms: number,
): RequestRecord {
  const status = headersSent ? statusCode : null;
  return { method, path: maskTarget(url), status, ms: Math.round(ms * 10) / 10, traceId };
}
