/** A fetch handler on a socket of node's. */
import { type ServerType, serve } from "@hono/node-server";
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

/** @throws what node says when it cannot listen, such as `EADDRINUSE` */
export function serveOnNode(fetch: FetchHandler, options: NodeServerOptions): Promise<NodeServer> {
  const { port, hostname = "127.0.0.1" } = options;
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, hostname, overrideGlobalObjects: false }, (address) => {
      server.off("error", reject);
      const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
      resolve({ url: `http://${host}:${address.port}`, close: () => closeServer(server) });
    });
    server.once("error", reject);
  });
}

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    if ("closeIdleConnections" in server) server.closeIdleConnections();
  });
}
