/** A fetch handler on a socket of node's. What node itself refuses is answered in the handler's words too. */
import { createServer, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { FetchHandler } from "./handler.ts";

export interface NodeServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Default `127.0.0.1`: a simulator is nobody else's business. */
  readonly hostname?: string;
}

export interface NodeServer {
  /** Where it listens, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Stops listening and waits for the requests under way. */
  close(): Promise<void>;
}

/** A handler of any kind; one without `reject` answers what is no request with a bare status. */
export type ServedHandler = ((request: Request) => Promise<Response>) & Partial<Pick<FetchHandler, "reject">>;

/** @throws what node says when it cannot listen, such as `EADDRINUSE` */
export function serveOnNode(fetch: ServedHandler, options: NodeServerOptions): Promise<NodeServer> {
  const { port, hostname = "127.0.0.1" } = options;
  const rejectRequest = fetch.reject ?? ((_, status = 400) => new Response(null, { status }));
  const listener = getRequestListener(fetch, {
    hostname,
    overrideGlobalObjects: false,
    errorHandler: (error) =>
      error instanceof RequestError
        ? rejectRequest("The request's target or its Host header is no address.")
        : new Response(null, { status: 500 }),
  });
  // A missing host is refused by the listener, so that it is answered like the others.
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

/** Statuses of what node's parser gives up on; all else is 400. */
const parserStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers bytes that are no HTTP request, and hangs up. */
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
  const response = rejectRequest(`This is no HTTP request that can be read: ${message}.`, status);
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
