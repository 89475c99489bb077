/** `edgeproof audit`: whether the rules of a zone enforce the security that an OpenAPI document declares. */

import { profiles } from "../../../core/profiles.ts";
import { checkZone } from "../../../engine/tokens/zone/zone.ts";
import { auditOpenApi } from "../../../import/openapi/audit-openapi.ts";
import { readOpenApi } from "../../../import/openapi/read-openapi.ts";
import {
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOption,
  stringOptions,
  UsageError,
} from "../../command.ts";
import { readJsonSource } from "../../input/files.ts";
import { hostOption, importOptions, partialOption, readHosts } from "../../input/imports/import-options.ts";
import { assertDecidedOrNote } from "../../input/imports/undecided.ts";
import { profileOption, worldOption } from "../../input/world-file.ts";
import { readWorldZones, type WorldZone, type WorldZones } from "../../input/zone-inputs.ts";
import { auditReport } from "../../output/audit/audit-output.ts";
import { printAuditPage } from "../../output/audit/audit-page.ts";
import type { AuditedZone, LocatedFile } from "../../output/audit/audited-zone.ts";
import { writeOutput } from "../../output/output.ts";
import { printProblems } from "../../output/places.ts";
import {
  acceptOptions,
  formatOptions,
  printReport,
  readAccepted,
  readFormat,
} from "../../output/report/formats.ts";
import { watchOption } from "../../watch/watch.ts";

export const audit: CommandDefinition = {
  about: [
    "Compares an OpenAPI document (2.0, 3.0 or 3.1, JSON or YAML) with the token rules of a zone. For each documented operation it says whether a request without a valid token gets through (protected, only logged, unprotected), whether a public operation is blocked, and whether the zone knows the operation. The answer covers all possible requests, not samples; each contradiction is shown with a request that the real engine confirms.",
    "It also reports security schemes whose header or cookie is no token source, parts of the document that were left out, and operations of the zone that the document lacks. References to other files and to the network are never followed.",
  ],
  positionals: "",
  options: {
    openapi: { type: "string", value: "file", help: "The OpenAPI document, JSON or YAML." },
    ...worldOption,
    zone: { type: "string", value: "id", help: "The zone. Default: the only one with token validation." },
    ...hostOption,
    ignore: {
      type: "string",
      multiple: true,
      value: "x-name",
      help: "Leave out path items and operations with this extension, unless it is false. May be repeated.",
    },
    html: {
      type: "string",
      value: "file",
      help: "Also write a page with the matrix of operations and outcomes.",
    },
    ...formatOptions,
    ...acceptOptions,
    ...watchOption,
    ...importOptions,
    ...partialOption,
    ...profileOption,
  },
  exits: {
    0: "Every operation that the document secures is protected.",
    1: "At least one is not, or it is undecided.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof audit --openapi api.yaml --world world.json",
    "edgeproof audit --openapi api.yaml --world world.json --ignore x-internal --format sarif > audit.sarif",
    "edgeproof audit --openapi api.json --world world.json --host api.example.com --html audit.html",
  ],
  run: runAudit,
};

async function runAudit(input: CommandInput, io: Io): Promise<number> {
  const format = readFormat(input);
  const [openapi, file] = [requiredOption(input, "openapi"), requiredOption(input, "world")];
  const document: LocatedFile = { file: openapi, source: await readJsonSource(openapi, io) };
  const world = await readWorldZones(file, input, io);
  const zone = chooseZone(world, stringOption(input, "zone"));
  assertDecidedOrNote(world.source.undecided, input, io, new Set([zone.id]));
  const audited = auditWorld(input, document, world, zone);
  const page = stringOption(input, "html");
  if (page !== undefined) await writePage(page, audited, io);
  return printReport(auditReport(audited), { format, ...readAccepted(input) }, io);
}

function requiredOption(input: CommandInput, name: "openapi" | "world"): string {
  const value = stringOption(input, name);
  const kinds = { openapi: "an OpenAPI document", world: "a world file" };
  if (value === undefined) throw new UsageError(`--${name} is missing; it must name ${kinds[name]}`);
  return value;
}

function chooseZone({ file, zones }: WorldZones, id: string | undefined): WorldZone {
  const known = zones.map((zone) => `\`${zone.id}\``).join(", ") || "none";
  const [only, ...more] = zones;
  const chosen = id === undefined ? only : zones.find((zone) => zone.id === id);
  if (chosen === undefined && id !== undefined)
    throw new UsageError(`no zone \`${id}\` has token validation; zones with token validation: ${known}`);
  if (chosen === undefined) throw new UsageError(`${file} has no zone with token validation`);
  if (id === undefined && more.length > 0)
    throw new UsageError(`--zone is missing; zones with token validation: ${known}`);
  return chosen;
}

function auditWorld(
  input: CommandInput,
  document: LocatedFile,
  { file, source, profile }: WorldZones,
  zone: WorldZone,
): AuditedZone {
  const { precedence, headerCase } = profiles[profile];
  const world = { file, source };
  const hosts = readHosts(input);
  const options = { hosts, ignore: stringOptions(input, "ignore") };
  assertDocument(document, options);
  assertValid(world, "cannot be audited", checkZone(zone.input, { headerCase }), zone.at);
  const audited = auditOpenApi(document.source.value, zone.input, { ...options, precedence, headerCase });
  return { zone, world, document, audit: audited, undecided: source.undecided };
}

/** @throws {UsageError} for a document that cannot be read, and for servers without a host */
function assertDocument(document: LocatedFile, options: Parameters<typeof readOpenApi>[1]): void {
  const read = readOpenApi(document.source.value, options);
  if (read.ok) assertValid(document, "needs --host <name>", read.value.withoutHost);
  else assertValid(document, "cannot be read as an OpenAPI document", read.problems);
}

/** @throws {UsageError} with the line of each problem */
function assertValid(
  { file, source }: LocatedFile,
  summary: string,
  problems: readonly { readonly pointer?: string; readonly message: string }[],
  at = "",
): void {
  const place = (within: string) => ({ file, pointer: at + within, start: source.locate(at + within) });
  if (problems.length > 0) throw new UsageError(`${file} ${summary}:\n${printProblems(problems, place)}`);
}

async function writePage(path: string, audited: AuditedZone, io: Io): Promise<void> {
  await writeOutput(path, io, async (write) => {
    for (const piece of printAuditPage(audited)) await write(piece);
  });
}
