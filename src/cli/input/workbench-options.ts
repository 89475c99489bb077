/** Starts the page of the workbench, for commands that serve it. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Edge } from "../../edge.ts";
import type { DataContext } from "../../workbench/data/endpoints.ts";
import type { LogEntry } from "../../workbench/messages.ts";
import { startWorkbench, type Workbench } from "../../workbench/workbench.ts";
import { type Io, UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import type { workbenchOptions } from "../options/server.ts";
import { version } from "../version.ts";

/** The address of a workbench. */
export type WorkbenchAddress = ValuesOf<typeof workbenchOptions>;

/** The data that a command shows. */
export interface ShownData extends Omit<DataContext, "version"> {
  readonly edge: Edge;
  readonly entries?: readonly LogEntry[];
}

/** Starts the page. @throws {UsageError} when the port is taken, or the page is not built */
export async function openWorkbench(
  { workbenchPort: port, workbenchHost: hostname }: WorkbenchAddress,
  shown: ShownData,
  io: Io,
): Promise<Workbench> {
  const pageFolder = io.env?.["EDGEPROOF_PAGE"] ?? builtFolder("workbench");
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

/** The folder of a page in the package. */
export function builtFolder(name: "workbench" | "playground"): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve("edgeproof/package.json")), "dist", name);
}
