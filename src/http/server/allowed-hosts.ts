/** The check of the Host header, which keeps pages of other sites out by names that they point here (DNS rebinding). */

import type { IncomingMessage } from "node:http";
import { runCommand } from "../../core/text/run-command.ts";

import { type CodedDiagnostic, problem, quote } from "../../errors.ts";

import { isProbePath } from "../endpoints/endpoint.ts";
import { isAddress, isHostName } from "./addresses.ts";

/** The entry of a list of allowed hosts that allows every host. */
const anyHost = "*";

/**
 * A check of requests, which are answered with an error before the handler sees them. Without a list only the presence of the header is checked.
 *
 * @throws {TypeError} when an entry is not a host name
 */
export function createHostCheck(
  allowed: readonly string[] | undefined,
): (incoming: IncomingMessage) => CodedDiagnostic | undefined {
  for (const name of allowed ?? []) assertHostName(name);
  const names =
    allowed === undefined || allowed.includes(anyHost) ? undefined : new Set(allowed.map(normalize));
  return (incoming) => {
    const hosts = hostHeaders(incoming.rawHeaders);
    if (hosts.length > 1) return problem(10400, "The header `Host` must occur once; found more than one.");
    const [host = ""] = hosts;
    if (host === "" && incoming.httpVersion !== "1.0") return problem(10400, "The header `Host` is missing.");
    if (!names || isProbe(incoming)) return undefined;
    const rejected = [host, ...targetHost(incoming.url)].find(
      (name) => name !== "" && !isAllowed(normalize(withoutPort(name)), names),
    );
    return rejected === undefined ? undefined : misdirected(rejected);
  };
}

/** @throws {TypeError} */
function assertHostName(name: string): void {
  if (isHostName(name)) return;
  throw new TypeError(
    `allowedHosts has ${quote(name)}; it must be a host name without a port, or "${anyHost}" for every host`,
  );
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function isAllowed(name: string, names: ReadonlySet<string>): boolean {
  return isAddress(name) || name === "localhost" || name.endsWith(".localhost") || names.has(name);
}

export function withoutPort(host: string): string {
  return host.replace(/:\d*$/, "");
}

function hostHeaders(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "host");
}

/** The host of a request target in absolute form, which takes precedence over the header (RFC 9112, 3.2.2). */
function targetHost(target = ""): readonly string[] {
  return target.startsWith("/") || !URL.canParse(target) ? [] : [new URL(target).hostname];
}

function isProbe({ method, url = "" }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && isProbePath(url.split("?", 1)[0] ?? "");
}

function misdirected(host: string): CodedDiagnostic {
  const message = `The host ${quote(host)} is not one that this server answers for; \`${runCommand} serve --allow-host <name>\` (option \`allowedHosts\` of \`serveOnNode\`) adds one.`;
  return problem(10421, message);
}
