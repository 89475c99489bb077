/** Serves the workbench: a page that shows the data of a simulator, on a port of its own. */
import { isIP } from "node:net";
import type { Edge } from "../edge.ts";
import { serveOnNode } from "../http/node-server.ts";
import { type DataContext, dataEndpoints } from "./data/endpoints.ts";
import { createSessionToken } from "./guard/session-token.ts";
import { createWorkbenchHandler } from "./handler.ts";
import { createEventLog } from "./log/event-log.ts";
import type { LogEntry } from "./messages.ts";
import { readPageFiles } from "./page-files.ts";

/** Options of a workbench. */
export interface WorkbenchOptions extends DataContext {
  /** The simulator whose data the page shows and changes. */
  readonly edge: Edge;
  /** Folder of the built page. */
  readonly pageFolder: string;
  /** TCP port from 0 to 65,535; 0 chooses a free one. */
  readonly port: number;
  /** Host name or address to listen on. Default `127.0.0.1`. */
  readonly hostname?: string;
  /** Host names under which the page is opened, besides `localhost`, loopback addresses and `hostname`. */
  readonly allowedHosts?: readonly string[];
  /** Session token. Default: a random one. */
  readonly token?: string;
  /** Entries that are in the log at the start, oldest first. */
  readonly entries?: readonly LogEntry[];
  /** Called with each unexpected error. */
  readonly onError?: (error: unknown) => void;
}

/** A running workbench. */
export interface Workbench {
  /** Address to open: `http://127.0.0.1:8788/#token`. The part after `#` is never sent to a server. */
  readonly url: string;
  /** Appends an entry to the log that open pages show. */
  log(entry: LogEntry): void;
  /** Ends the log streams, then stops as a server does. Further calls return the same promise. */
  close(): Promise<void>;
}

/** Time that requests under way have at the end, in milliseconds. */
const graceMs = 500;

/**
 * Starts a workbench.
 *
 * @returns rejects with Node's error when the server cannot listen, or when the page is not built
 */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { edge, port, hostname = "127.0.0.1", allowedHosts = [], onError } = options;
  const token = options.token ?? createSessionToken();
  const files = await readPageFiles(options.pageFolder);
  const log = createEventLog<LogEntry>();
  for (const entry of options.entries ?? []) log.append(entry);
  const isEveryAddress = /^(?:0\.0\.0\.0|::|\[::\])$/.test(hostname);
  const handler = createWorkbenchHandler({
    edge,
    files,
    log,
    endpoints: dataEndpoints(options),
    guard: { token, hosts: [...allowedHosts, hostname], anyAddress: isEveryAddress },
    ...(onError && { onError }),
  });
  const server = await serveOnNode(handler, { port, hostname, graceMs });
  const address = new URL(server.url);
  if (isEveryAddress) address.hostname = "127.0.0.1";
  else if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) === 0) address.hostname = hostname;
  return {
    url: `${address.origin}/#${token}`,
    log: (entry) => log.append(entry),
    close: () => {
      log.close();
      return server.close();
    },
  };
}
