/** Serves a fetch handler with node:http. Requests that Node itself rejects get the handler's error responses too. */
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { FetchHandler } from "./handler.ts";

/** Address of a server. */
export interface NodeServerOptions {
  /** TCP port from 0 to 65,535; 0 chooses a free one. */
  readonly port: number;
  /** Host name or address to listen on. Default `127.0.0.1`, which other machines cannot reach. */
  readonly hostname?: string;
}

/** A running server. */
export interface NodeServer {
  /** Its base URL, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Stops listening; resolves when all requests in progress are answered. */
  close(): Promise<void>;
}

/** Any fetch handler; without `reject`, malformed requests get a response without a body. */
export type ServedHandler = ((request: Request) => Promise<Response>) & Partial<Pick<FetchHandler, "reject">>;

/**
 * Starts an HTTP server.
 *
 * @returns rejects with Node's error when the server cannot listen, such as `EADDRINUSE`
 * @example
 * ```ts
 * const server = await serveOnNode(async () => new Response("hello"), { port: 0 });
 * await (await fetch(server.url)).text(); // => "hello"
 * await server.close();
 * ```
 */
export function serveOnNode(fetch: ServedHandler, options: NodeServerOptions): Promise<NodeServer> {
  const { port, hostname = "127.0.0.1" } = options;
  const rejectRequest = fetch.reject ?? ((_, status = 400) => new Response(null, { status }));
  const listener = getRequestListener(fetch, {
    hostname,
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError
        ? rejectRequest("The request target or the Host header is not a valid address.")
        : new Response(null, { status: 500 }),
  });
  // Not Node but the listener rejects a missing host, so that the response has the usual body.
  const server = createServer({ requireHostHeader: false }, listener);
  server.on("clientError", (error, socket) => void rejectOnSocket(rejectRequest, error, socket));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => {
      server.off("error", reject);
      const { address, family, port: taken } = server.address() as AddressInfo;
      const host = family === "IPv6" ? `[${address}]` : address;
      resolve({ url: `http://${host}:${taken}`, close: () => closeServer(server) });
    });
  });
}

/** Statuses of the errors of Node's parser; all others are 400. */
const parserStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Responds to bytes that are not an HTTP request, and closes the connection. */
async function rejectOnSocket(
  rejectRequest: FetchHandler["reject"],
  { code = "", message }: NodeJS.ErrnoException,
  socket: Duplex,
): Promise<void> {
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
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeIdleConnections();
  });
}
