/** `edgeproof pull`: reads the configuration of a zone from the interface, as a world file. */
import { type ImportedWorld, readWorld } from "../../../import/world-from.ts";
import type { World } from "../../../service/world/schema.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  UsageError,
} from "../../command.ts";
import { createApiClient, stopped } from "../../network/api-client.ts";
import { type PulledZone, pullZone } from "../../network/pull-zone.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printFaults } from "../../output/places.ts";
import { madeWorldOptions, writeMadeWorld } from "../../output/results/imported-world.ts";

/** The name of the variable is that of the provider's own tools (`observed`). */
const tokenVariable = "CLOUDFLARE_API_TOKEN";

/** The provider's address (`observed`). */
const defaultBaseUrl = "https://api.cloudflare.com/client/v4";

export const pull: CommandDefinition = {
  about: [
    `Sends GET requests only, with the API token of the environment variable ${tokenVariable}; an option for it does not exist, since other users can see command lines. Reads the zone with its token configurations, rules, operations and proxy applications, and the image variants and brand queries of its account. A part that could not be read is undecided, and no world is written without --partial.`,
    "Standard error has what was read, undecided, dropped and derived. The world has the profile `provider`.",
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
    ...madeWorldOptions,
  },
  exits: {
    0: "The world is complete, or incomplete with --partial.",
    1: "A part could not be read, or something is undecided; no world is written, and standard error says why.",
    2: "The zone cannot be read, an option is invalid, or the command was stopped; no world is written.",
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
  const { world, report } = importPulled(pulled, withSecrets);
  const made = {
    command: "pull",
    world: withOperations(world, pulled),
    report: {
      ...report,
      dropped: [...report.dropped, ...pulled.dropped],
      undecided: [...report.undecided, ...pulled.undecided],
    },
    more: { zone: pulled.zone },
  };
  return writeMadeWorld(made, input, io);
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
  throw new UsageError(`the responses cannot be read:\n${printFaults(read.problems)}`);
}

/** An empty list of operations is not the same as no list: with it no request is an operation. */
function withOperations(world: World, { zone, hasNoOperations }: PulledZone): World {
  if (!hasNoOperations) return world;
  const zones = (world.zones ?? []).map((one) =>
    one.id === zone.id ? { ...one, token_validation: { operations: [], ...one.token_validation } } : one,
  );
  return { ...world, zones };
}
