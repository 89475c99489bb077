/** Serves a fetch handler with node:http. Requests that Node itself rejects get the handler's error responses too. */

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import {
  aFunction,
  anyValue,
  arrayOf,
  aString,
  integerFrom,
  optional,
  optionsOf,
  requireArguments,
} from "../core/arguments.ts";
import { catalogue, quote } from "../errors.ts";
import { LostAnswer, sentPart } from "./faults/faulty-answer.ts";
import type { FetchHandler } from "./handler.ts";
import { wholeBody } from "./responses/whole-body.ts";
import { createHostCheck } from "./server/allowed-hosts.ts";
import { type Connections, trackConnections } from "./server/connections.ts";
import { rememberPeer } from "./server/peer.ts";
import { type RequestRecord, requestRecord, traceIdOf } from "./server/request-log.ts";
import {
  defaultTimeLimits,
  hasBody,
  limitTimes,
  type TimeLimits,
  watchBodies,
} from "./server/time-limits.ts";
import { endReading, readAfterLastResponse, readUnreadBody } from "./server/unread-body.ts";

/** Address and behaviour of a server. */
export interface NodeServerOptions {
  /** TCP port from 0 to 65,535; 0 chooses a free one. */
  readonly port: number;
  /** Host name or address to listen on. Default `127.0.0.1`, which other machines cannot reach. */
  readonly hostname?: string;
  /**
   * Host names (without port, in any letter case) under which the server answers, besides `localhost`, the names
   * under it, and IP addresses; `*` allows every name. A request for another host is rejected with 421, except
   * the probes. Default: no check.
   */
  readonly allowedHosts?: readonly string[];
  /** Time that requests under way have after `close`, in milliseconds. Default 5,000. */
  readonly graceMs?: number;
  /** Time that an idle connection is kept for further requests, in milliseconds; 0: none is kept. Default 5,000. */
  readonly keepAliveMs?: number;
  /** Called after each response, for a log. Errors that it throws are ignored. */
  readonly onResponse?: (record: RequestRecord) => void;
}

const serverOptions = optionsOf<NodeServerOptions>("serveOnNode", {
  port: integerFrom(0, 65_535),
  hostname: optional(aString),
  allowedHosts: optional(arrayOf(aString)),
  graceMs: anyValue,
  keepAliveMs: anyValue,
  onResponse: optional(aFunction),
});

/** Defaults of `graceMs` and `keepAliveMs`. */
const defaultGraceMs = 5_000;
const defaultKeepAliveMs = 5_000;

/** A running server. */
export interface NodeServer {
  /** Its base URL, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /**
   * Stops listening, ends idle connections and event streams, and answers the requests that have arrived; ends what is
   * left after the grace period, and resolves. Further calls return the same promise.
   */
  close(): Promise<void>;
}

/**
 * Any fetch handler. Without `reject`, which the handler of an edge has, malformed requests get a response without a body, and
 * a response that is sent before the whole request has arrived may be lost.
 */
export type ServedHandler = ((request: Request) => Promise<Response>) & Partial<Pick<FetchHandler, "reject">>;

/**
 * Starts an HTTP server.
 *
 * @returns rejects with Node's error when the server cannot listen, such as `EADDRINUSE`
 * @throws {TypeError | RangeError} for an invalid host name, grace period or time of idle connections
 * @example
 * ```ts
 * const server = await serveOnNode(async () => new Response("hello"), { port: 0 });
 * await (await fetch(server.url)).text(); // => "hello"
 * await server.close();
 * ```
 */
export function serveOnNode(fetch: ServedHandler, options: NodeServerOptions): Promise<NodeServer> {
  return serveWithLimits(fetch, options, defaultTimeLimits);
}

/** The same with other time limits of headers and bodies. */
export function serveWithLimits(
  fetch: ServedHandler,
  options: NodeServerOptions,
  limits: TimeLimits,
): Promise<NodeServer> {
  requireArguments({
    fetch: [fetch, aFunction],
    options: [options, serverOptions],
  });
  const { port, graceMs = defaultGraceMs, keepAliveMs = defaultKeepAliveMs } = options;
  checkTime("graceMs", graceMs);
  checkTime("keepAliveMs", keepAliveMs);
  const hostname = (options.hostname ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  const { server, connections } = createNodeServer(fetch, { ...options, keepAliveMs }, limits);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => {
      server.off("error", reject);
      const { address, port: taken } = server.address() as AddressInfo;
      resolve({ url: `http://${authority(address, taken)}`, close: () => connections.close(graceMs) });
    });
  });
}

/** Maximum delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

function checkTime(name: "graceMs" | "keepAliveMs", ms: number): void {
  if (!(typeof ms === "number" && ms >= 0 && ms <= maxTimerMs))
    throw new RangeError(`${name} is ${quote(ms)}; it must be a number of milliseconds from 0`);
}

function createNodeServer(
  fetch: ServedHandler,
  { allowedHosts, onResponse, keepAliveMs }: NodeServerOptions & { readonly keepAliveMs: number },
  limits: TimeLimits,
): { readonly server: Server; readonly connections: Connections } {
  const rejectRequest: FetchHandler["reject"] =
    fetch.reject ?? ((_, status = 400) => new Response(null, { status }));
  // An edge answers when it needs no more of the body; another handler may send it back, or read it later.
  const isEdge = fetch.reject !== undefined;
  const checkHost = createHostCheck(allowedHosts);
  const traceIds = new WeakMap<object, string | null>();
  const answer = async (request: Request, { incoming, outgoing }: Exchange): Promise<Response> => {
    rememberPeer(request, incoming.socket.remoteAddress);
    const rejection = checkHost(incoming);
    const response = rejection
      ? rejectRequest(rejection.message, catalogue[rejection.code].status, rejection.code)
      : await orLost(fetch(withoutEmptyBody(request, incoming)));
    if (response === undefined) return endWithoutAnswer(incoming);
    if ((isEdge || rejection) && !(await readUnreadBody(incoming))) outgoing.shouldKeepAlive = false;
    await connections.untilAnswerable();
    if (onResponse) traceIds.set(outgoing, traceIdOf(response));
    if (isEventStream(response)) connections.markEndless(outgoing);
    const part = sentPart(response);
    if (part !== undefined) return sendPart(response, part, outgoing);
    const body = wholeBody(response);
    return body === undefined ? response : sendWhole(response, body, outgoing);
  };
  const listener = getRequestListener((request, exchange) => answer(request, exchange as Exchange), {
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError
        ? rejectRequest("The request target or the Host header is not a valid address.")
        : new Response(null, { status: 500 }),
  });
  // Not Node but the listener rejects a missing host, so that the response has the usual body.
  const looks = { connectionsCheckingInterval: limits.windowMs };
  const server = createServer({ requireHostHeader: false, ...looks }, (incoming, outgoing) => {
    if (keepAliveMs === 0) outgoing.shouldKeepAlive = false;
    readAfterLastResponse(incoming);
    connections.begin(outgoing);
    bodies.begin(incoming, outgoing);
    if (onResponse) reportEnd(incoming, outgoing, traceIds, onResponse);
    // The address of a request without a host (HTTP/1.0) begins with the server's own.
    incoming.headers.host ||= authority(incoming.socket.localAddress, incoming.socket.localPort);
    void listener(incoming, outgoing);
  });
  const connections = trackConnections(server);
  const reject = (error: NodeJS.ErrnoException, socket: Duplex) =>
    void rejectOnSocket(rejectRequest, error, socket);
  server.on("clientError", reject);
  const bodies = watchBodies(limits, ({ socket }, outgoing) => {
    // Bytes after the start of a response, or before one that an earlier request waits for, would be read as a part of it.
    if (outgoing.headersSent || outgoing.socket === null) socket.destroy();
    else reject(tooSlow, socket);
  });
  limitTimes(server, bodies, limits, keepAliveMs);
  return { server, connections };
}

/** Undefined for an answer that an injected fault cuts off before its first byte. */
async function orLost(answer: Promise<Response>): Promise<Response | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof LostAnswer) return undefined;
    throw error;
  }
}

function endWithoutAnswer({ socket }: IncomingMessage): Response {
  socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

function sendWhole(
  { status, headers }: Response,
  body: string | Uint8Array,
  outgoing: ServerResponse,
): Response {
  outgoing.writeHead(status, {
    ...Object.fromEntries(headers),
    "content-length": Buffer.byteLength(body),
  });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

/** Sends the headers and a part of the body, and ends the connection. */
function sendPart({ status, headers }: Response, part: Uint8Array, outgoing: ServerResponse): Response {
  outgoing.writeHead(status, Object.fromEntries(headers));
  outgoing.write(part, () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

/** A request and its response in Node's own types. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

function authority(address = "127.0.0.1", port = 0): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** A request without a body has `body: null`, as a request that was never sent has. */
function withoutEmptyBody(request: Request, incoming: IncomingMessage): Request {
  return hasBody(incoming) ? request : Object.defineProperty(request, "body", { value: null });
}

function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Calls `onResponse` at the end of the response, or of the connection before it. */
function reportEnd(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  traceIds: WeakMap<object, string | null>,
  onResponse: (record: RequestRecord) => void,
): void {
  const start = performance.now();
  outgoing.once("close", () => {
    try {
      const ms = performance.now() - start;
      onResponse(requestRecord(incoming, outgoing, traceIds.get(outgoing) ?? null, ms));
    } catch {
      // The log has no other place for its own errors.
    }
  });
}

/** Statuses of the errors of Node's parser; all others are 400. */
const parserStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The body of a request arrives too slowly, as Node says it of headers. */
const tooSlow = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });

/** Connections that get no further response. */
const rejected = new WeakSet<Duplex>();

/** Responds to bytes that are not an HTTP request, and closes the connection. */
async function rejectOnSocket(
  rejectRequest: FetchHandler["reject"],
  { code = "", message }: NodeJS.ErrnoException,
  socket: Duplex,
): Promise<void> {
  // Bytes after those that were rejected are not answered again.
  if (rejected.has(socket)) return;
  rejected.add(socket);
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = parserStatuses[code] ?? 400;
  const response = rejectRequest(`The bytes are not a valid HTTP request: ${message}.`, status);
  const body = await response.text();
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  endReading(socket);
}
