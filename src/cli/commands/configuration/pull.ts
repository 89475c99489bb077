/** `edgeproof world pull`: reads the configuration of a zone from the interface, as a world file. */

import { type ImportedWorld, readWorld } from "../../../import/world-from.ts";
import type { World } from "../../../service/world/schema.ts";
import { formatJson, type Io, UsageError } from "../../command.ts";
import { tokenVariable, type worldPull } from "../../declarations/world.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { standardInput } from "../../input/files.ts";
import { createApiClient, stopped } from "../../network/api-client.ts";
import { type PulledZone, pullZone } from "../../network/pull-zone.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printImportReport } from "../../output/import-report.ts";
import { writeOutput } from "../../output/output.ts";

export async function run({ options, io }: InvocationOf<typeof worldPull>): Promise<number> {
  const { zone, withSecrets } = options;
  const client = createApiClient({
    baseUrl: options.baseUrl,
    token: readToken(io),
    signal: io.signal,
    maxWaitMs: options.maxWait * 1_000,
    onWait: (line) => io.stderr.write(`${escapeLines(line)}\n`),
  });
  io.handleSignals?.();
  const pulled = await pullZone(client, zone, withSecrets);
  if (io.signal.aborted) throw stopped();
  const imported = importPulled(pulled, withSecrets);
  const world = { profile: "provider", ...withOperations(imported.world, pulled) };
  await write(options, io, { zone: pulled.zone, world, report: imported.report, skipped: pulled.skipped });
  io.stderr.write(escapeLines(printImportReport(imported.report) + printSkipped(pulled)));
  const isComplete =
    imported.report.undecided.length === 0 && !pulled.skipped.some(({ isDecisive }) => isDecisive);
  return isComplete ? 0 : 1;
}

function readToken({ env = {} }: Io): string {
  const token = env[tokenVariable]?.trim() ?? "";
  if (token !== "") return token;
  throw new UsageError(`the environment variable \`${tokenVariable}\` must hold an API token; it is not set`);
}

function importPulled({ documents }: PulledZone, withSecrets: boolean): ImportedWorld {
  const files = documents.map(({ path, envelope }) => ({
    name: path,
    text: JSON.stringify(envelope, null, 2),
  }));
  const read = readWorld(files, { withSecrets });
  if (read.ok) return read.value;
  const lines = read.problems.map(({ file, message }) => `  ${file}: ${message}`);
  throw new UsageError(`the responses cannot be read:\n${lines.join("\n")}`);
}

/** An empty list of operations is not the same as no list: with it no request is an operation. */
function withOperations(world: World, { zone, hasNoOperations }: PulledZone): World {
  if (!hasNoOperations) return world;
  const zones = (world.zones ?? []).map((one) =>
    one.id === zone.id ? { ...one, token_validation: { operations: [], ...one.token_validation } } : one,
  );
  return { ...world, zones };
}

/** The members of the output of `--json`. */
interface PullResult extends Pick<PulledZone, "zone" | "skipped">, Pick<ImportedWorld, "report"> {
  readonly world: object;
}

async function write(options: OptionsOf<typeof worldPull>, io: Io, result: PullResult): Promise<void> {
  const { out } = options;
  if (out !== undefined && out !== standardInput) {
    await writeOutput(out, io, (writeChunk) => writeChunk(formatJson(result.world)));
    if (options.json) io.stdout.write(formatJson(result));
    return;
  }
  io.stdout.write(formatJson(options.json ? result : result.world));
}

function printSkipped({ skipped }: PulledZone): string {
  return skipped.map(({ part, reason }) => `skipped the ${part}: ${reason}\n`).join("");
}
