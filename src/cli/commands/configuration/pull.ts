/** `edgeproof pull`: reads the configuration of a zone from the interface, as a world file. */
import { type ImportedWorld, readWorld } from "../../../import/world-from.ts";
import type { World } from "../../../service/world/schema.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../../command.ts";
import { standardInput } from "../../input/files.ts";
import { createApiClient, stopped } from "../../network/api-client.ts";
import { type PulledZone, pullZone } from "../../network/pull-zone.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printImportReport } from "../../output/import-report.ts";
import { writeOutput } from "../../output/output.ts";

/** The name of the variable is that of the provider's own tools (`observed`). */
const tokenVariable = "CLOUDFLARE_API_TOKEN";

/** The provider's address (`observed`). */
const defaultBaseUrl = "https://api.cloudflare.com/client/v4";

export const pull: CommandDefinition = {
  about: [
    `Sends GET requests only, with the API token of the environment variable ${tokenVariable}; an option for it does not exist, since other users can see command lines. Reads the zone with its token configurations, rules, operations and proxy applications, and the image variants and brand queries of its account. A part that the token may not read is skipped and reported.`,
    "Standard error has what was read, skipped, dropped and derived. The world has the profile `provider`.",
  ],
  positionals: "",
  options: {
    zone: { type: "string", value: "name or id", help: "The zone: its domain, or its id." },
    "base-url": {
      type: "string",
      value: "url",
      help: `Address of the interface; plain http only on loopback. Default: ${defaultBaseUrl}.`,
    },
    "with-secrets": {
      type: "boolean",
      help: "Read the signing keys of images too. They are in the output in plain text.",
    },
    "max-wait": {
      type: "string",
      value: "seconds",
      help: "Longest time to wait when the interface asks for it (`retry-after`). Default: 60.",
    },
    out: { type: "string", value: "file", help: "World file to write. Default: standard output." },
    ...jsonOption,
  },
  exits: {
    0: "The world is complete.",
    1: "Token configurations, rules or operations were skipped, or a rule, key or host is undecided.",
    2: "The interface, a response or an option cannot be used, or the command was stopped; no file is written.",
  },
  examples: [
    "edgeproof pull --zone example.com --out world.json",
    "edgeproof pull --zone 023e105f4ecef8ad9ca31a8372d0c353 --base-url http://127.0.0.1:8787/client/v4",
  ],
  run: runPull,
};

async function runPull(input: CommandInput, io: Io): Promise<number> {
  const wanted = stringOption(input, "zone") ?? "";
  if (wanted === "") throw new UsageError("--zone must be the domain or id of a zone; it is missing");
  const withSecrets = booleanOption(input, "with-secrets");
  const client = createApiClient({
    baseUrl: stringOption(input, "base-url") ?? defaultBaseUrl,
    token: readToken(io),
    signal: io.signal,
    maxWaitMs: readMaxWait(input) * 1_000,
    onWait: (line) => io.stderr.write(`${escapeLines(line)}\n`),
  });
  io.handleSignals?.();
  const pulled = await pullZone(client, wanted, withSecrets);
  if (io.signal.aborted) throw stopped();
  const imported = importPulled(pulled, withSecrets);
  const world = { profile: "provider", ...withOperations(imported.world, pulled) };
  await write(input, io, { zone: pulled.zone, world, report: imported.report, skipped: pulled.skipped });
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

function readMaxWait(input: CommandInput): number {
  const given = stringOption(input, "max-wait") ?? "60";
  const seconds = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (seconds <= 3_600) return seconds;
  throw new UsageError(`--max-wait must be an integer from 0 to 3600; found \`${given}\``);
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

async function write(input: CommandInput, io: Io, result: PullResult): Promise<void> {
  const out = stringOption(input, "out");
  if (out !== undefined && out !== standardInput) {
    await writeOutput(out, io, (writeChunk) => writeChunk(formatJson(result.world)));
    if (booleanOption(input, "json")) io.stdout.write(formatJson(result));
    return;
  }
  io.stdout.write(formatJson(booleanOption(input, "json") ? result : result.world));
}

function printSkipped({ skipped }: PulledZone): string {
  return skipped.map(({ part, reason }) => `skipped the ${part}: ${reason}\n`).join("");
}
