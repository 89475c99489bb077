/** `--admin-port`: a listener of its own for the administrative interface. */

import { type NodeServer, serveOnNode } from "../../http/node-server.ts";
import { isHostName } from "../../http/server/addresses.ts";
import { UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import type { adminOptions } from "../options/server.ts";
import { type Administered, createAdminHandler } from "./admin-handler.ts";

/** Time that requests under way have at the end, in milliseconds. */
const graceMs = 500;

/**
 * Starts the listener that `--admin-port` asks for.
 *
 * @param allowedHosts host names besides `localhost`, IP addresses and that of `--admin-host`
 * @throws {UsageError} when the address cannot be used
 */
export async function openAdmin(
  { adminPort: port, adminHost: hostname = "127.0.0.1" }: ValuesOf<typeof adminOptions>,
  server: Administered,
  allowedHosts: readonly string[],
): Promise<NodeServer | undefined> {
  if (port === undefined) return undefined;
  const hosts = [...allowedHosts, ...(isHostName(hostname) ? [hostname] : [])];
  const options = { port, hostname, graceMs, allowedHosts: hosts };
  return serveOnNode(createAdminHandler(server), options).catch((error: Error) => {
    throw new UsageError(`the administrative interface cannot listen on port ${port}: ${error.message}`);
  });
}
