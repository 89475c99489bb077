/** The options of commands that serve the page, and its start. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Edge } from "../../edge.ts";
import { isHostName } from "../../http/server/allowed-hosts.ts";
import type { DataContext } from "../../workbench/data/endpoints.ts";
import type { LogEntry } from "../../workbench/messages.ts";
import { startWorkbench, type Workbench } from "../../workbench/workbench.ts";
import { type CommandInput, type Io, stringOption, UsageError } from "../command.ts";
import { version } from "../version.ts";
import { readPort } from "./server-options.ts";

const defaultPort = "8788";

export const workbenchOptions = {
  "workbench-port": {
    type: "string",
    value: "number",
    help: `Port of the workbench, 0 to 65535; 0 selects a free port. Default ${defaultPort}.`,
  },
  "workbench-host": {
    type: "string",
    value: "address",
    help: "Address that the workbench listens on. Default 127.0.0.1, which other machines cannot reach.",
  },
} as const;

/** The address of a workbench. */
export interface WorkbenchAddress {
  readonly port: number;
  readonly hostname: string;
}

/** @throws {UsageError} */
export function readWorkbenchAddress(input: CommandInput): WorkbenchAddress {
  const hostname = stringOption(input, "workbench-host")?.replace(/^\[(.*)\]$/, "$1") ?? "127.0.0.1";
  if (!isHostName(hostname) || hostname === "*")
    throw new UsageError(`--workbench-host must be a host name or an address; found \`${hostname}\``);
  return {
    port: readPort(stringOption(input, "workbench-port") ?? defaultPort, "--workbench-port"),
    hostname,
  };
}

/** What a command shows. */
export interface ShownData extends Omit<DataContext, "version"> {
  readonly edge: Edge;
  readonly entries?: readonly LogEntry[];
}

/** Starts the page. @throws {UsageError} when the port is taken, or the page is not built */
export async function openWorkbench(
  { port, hostname }: WorkbenchAddress,
  shown: ShownData,
  io: Io,
): Promise<Workbench> {
  const pageFolder = io.env?.["EDGEPROOF_PAGE"] ?? builtPage();
  try {
    return await startWorkbench({
      ...shown,
      version,
      pageFolder,
      port,
      hostname,
      onError: (error) => io.stderr.write(`workbench: ${(error as Error)?.stack ?? error}\n`),
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new UsageError(`the page of the workbench is not in ${pageFolder}; \`npm run build\` makes it`);
    throw new UsageError(`the workbench cannot listen on port ${port}: ${message}`);
  }
}

/** The folder of the page in the package. */
function builtPage(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve("edgeproof/package.json")), "dist", "workbench");
}
