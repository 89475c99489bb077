/** `--metrics-port`: a listener of its own that Prometheus reads. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import type { metricsOptions } from "../options/server.ts";

/** The address of the metrics; undefined without `--metrics-port`. */
export interface MetricsAddress {
  readonly port: number;
  readonly host: string;
}

export function readMetricsAddress(options: ValuesOf<typeof metricsOptions>): MetricsAddress | undefined {
  const { metricsPort: port, metricsHost: host = "127.0.0.1" } = options;
  return port === undefined ? undefined : { port, host };
}

/** Metrics as text. */
export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

/** A listener that was started. */
export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Maximum time of a request, in milliseconds. */
const requestMs = 10_000;

/** Serves the metrics at `/metrics`. @throws {UsageError} when the address cannot be used */
export async function serveMetrics(
  page: MetricsPage,
  { port, host }: MetricsAddress,
): Promise<MetricsServer> {
  const server = createServer(
    { requestTimeout: requestMs, headersTimeout: requestMs },
    async (request, response) => {
      const [status, headers, body] = await answer(page, request.method, request.url);
      response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body);
    },
  );
  server.maxConnections = 64;
  await listen(server, port, host);
  const { port: used, family, address } = server.address() as AddressInfo;
  const name = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `http://${name}:${used}/metrics`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Answer = readonly [status: number, headers: Record<string, string>, body: string];

const plain = { "content-type": "text/plain; charset=utf-8" };

async function answer(page: MetricsPage, method = "", url = ""): Promise<Answer> {
  if (url.split("?")[0] !== "/metrics") return [404, plain, "The metrics are at /metrics.\n"];
  if (method !== "GET" && method !== "HEAD") return [405, { ...plain, allow: "GET, HEAD" }, "Use GET.\n"];
  try {
    return [200, { "content-type": page.contentType, "cache-control": "no-store" }, await page.text()];
  } catch {
    return [503, plain, "The metrics cannot be read now.\n"];
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw new UsageError(`cannot listen on port ${port} of ${host}: ${(error as Error).message}`);
  }
}
