/** The options of `serve` about its socket: address, hosts, cross-origin pages, log. */

import type { EdgeOptions } from "../../edge.ts";
import type { CorsOption } from "../../http/responses/cors.ts";
import { isBase, isHostName } from "../../http/server/addresses.ts";
import type { RequestRecord } from "../../http/server/request-log.ts";
import type { Io } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import type { serverOptions } from "../options/server.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";

/** The values of the options. */
export interface ServerSettings {
  readonly port: number;
  readonly hostname: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly publicBaseUrl: string | undefined;
  readonly deliveryBaseUrl: string | undefined;
  readonly cors: CorsOption | undefined;
  readonly graceMs: number;
  readonly keepAliveMs: number;
  readonly onResponse: ((record: RequestRecord) => void) | undefined;
}

/**
 * The options of the command line.
 *
 * @param given options of the options file, whose hosts are allowed too
 */
export function readServerOptions(
  options: ValuesOf<typeof serverOptions>,
  given: Pick<EdgeOptions, "publicBaseUrl" | "deliveryBaseUrl" | "zoneHosts">,
  io: Io,
): ServerSettings {
  const { port, publicUrl: publicBaseUrl, deliveryUrl: deliveryBaseUrl, allowHost, cors, grace } = options;
  const hostname = options.host?.replace(/^\[(.*)\]$/, "$1");
  const ownUrls = [publicBaseUrl ?? given.publicBaseUrl, deliveryBaseUrl ?? given.deliveryBaseUrl];
  const ownHosts = ownUrls.flatMap((url) => (url && isBase(url) ? [new URL(url).hostname] : []));
  return {
    port,
    hostname,
    allowedHosts: [
      ...allowHost,
      ...ownHosts,
      ...Object.keys(given.zoneHosts ?? {}),
      ...(hostname && isHostName(hostname) ? [hostname] : []),
    ],
    publicBaseUrl,
    deliveryBaseUrl,
    cors: corsOf(cors),
    graceMs: grace * 1_000,
    keepAliveMs: options.keepAlive * 1_000,
    onResponse: printerOf(options.log, io),
  };
}

function corsOf(words: readonly string[]): CorsOption | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  if (first === "none") return false;
  return first === "*" ? "*" : words;
}

function printerOf(format: "text" | "json" | undefined, io: Io): ServerSettings["onResponse"] {
  if (format === undefined) return undefined;
  const print = format === "json" ? JSON.stringify : logLine;
  return (record) => io.stdout.write(`${print(record)}\n`);
}

function logLine({ method, path, status, ms, traceId }: RequestRecord): string {
  return escapeControlCharacters(`${method} ${path} ${status ?? "-"} ${ms}ms ${traceId ?? "-"}`);
}
