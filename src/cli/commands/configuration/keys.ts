/** `edgeproof keys`: the keys of an issuer for a configuration, and the check of a configuration against them. */
import { defaultMaxKeys } from "../../../engine/tokens/jwt/keys/key-set.ts";
import {
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  stringOption,
  UsageError,
} from "../../command.ts";
import { worldOption } from "../../input/world-file.ts";
import { issuerOptions, readIssuerKeys, type SourceKeys } from "../../network/issuer-keys.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { formatCount } from "../../output/progress.ts";
import { formatOptions, readFormat } from "../../output/report/formats.ts";

export const keys: CommandDefinition = {
  about: [
    "Reads the keys of an issuer (by discovery, or from a file with a JWK Set, a JWK, `{ kid: PEM }` or PEM) and prints those that a configuration can have, as its `credentials`. Standard error says for each other key why it was dropped, and what was filled in.",
    "`edgeproof keys check --world <file>` compares a configuration with its issuer instead: keys that the issuer has and the configuration lacks, whose tokens will fail after the next rotation; keys that the issuer no longer publishes; other keys under the same id; limits.",
  ],
  positionals: "[check] [file]",
  options: {
    ...issuerOptions,
    ...worldOption,
    config: {
      type: "string",
      value: "id",
      help: "check: id or title of the configuration. Default: the only one of the world.",
    },
    jwks: {
      type: "string",
      value: "file",
      help: "check: file with the keys of the issuer, instead of --issuer.",
    },
    ...formatOptions,
  },
  exits: {
    0: "At least one key was accepted; check: there are no findings.",
    1: "No key was accepted, or the set has a private key, two keys of the same id, or too many; check: there are findings.",
    2: "A file, a document of the issuer or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof keys jwks.json",
    "edgeproof keys --issuer https://login.example.com/realms/shop > credentials.json",
    "edgeproof keys check --world world.json --issuer https://login.example.com/realms/shop",
    "edgeproof keys check --world world.json --config Web --jwks jwks.json --format junit",
  ],
  run: runKeys,
};

async function runKeys(input: CommandInput, io: Io): Promise<number> {
  const [first, ...rest] = input.positionals;
  if (first === "check") return (await import("../check/earlier-names.ts")).runKeysCheck(input, rest, io);
  if (rest.length > 0) throw new UsageError(`expected at most 1 file; found ${input.positionals.length}`);
  for (const name of ["world", "config", "jwks"])
    if (stringOption(input, name) !== undefined)
      throw new UsageError(`--${name} belongs to \`edgeproof keys check\``);
  const format = readFormat(input);
  if (format !== "text" && format !== "json")
    throw new UsageError("--format must be `text` or `json` without `check`");
  const found = await readIssuerKeys(input, first, io);
  if (format === "json") io.stdout.write(formatJson(found));
  else printKeys(found, io);
  return isUsable(found) ? 0 : 1;
}

/** The keys as the `credentials` of a configuration; everything else goes to standard error. */
function printKeys({ keys, dropped, notes, source }: SourceKeys, io: Io): void {
  const lines = [
    ...dropped.map((one) => `dropped ${nameOf(one)} (${one.reason}): ${one.message}`),
    ...notes.map((one) => `note ${nameOf(one)}: ${one.message}`),
    `${source}: ${formatCount(keys.length, "key")} accepted, ${dropped.length} dropped`,
  ];
  io.stderr.write(lines.map((line) => `${escapeControlCharacters(line)}\n`).join(""));
  if (keys.length > 0) io.stdout.write(formatJson({ keys }));
}

function nameOf({ pointer, kid }: { readonly pointer: string; readonly kid?: string }): string {
  const place = pointer === "" ? "document" : pointer;
  return kid === undefined ? place : `${place} ${kid}`;
}

/** The reasons that need the attention of the issuer, even though other keys were accepted. */
const faults: ReadonlySet<string> = new Set(["private", "symmetric", "conflict", "limit"]);

function isUsable({ keys, dropped }: SourceKeys): boolean {
  return (
    keys.length > 0 && keys.length <= defaultMaxKeys && !dropped.some(({ reason }) => faults.has(reason))
  );
}
