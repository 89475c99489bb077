/** `edgeproof audit`: whether the rules of a zone enforce the security that an OpenAPI document declares. */

import { profiles } from "../../../core/profiles.ts";
import { checkZone } from "../../../engine/tokens/zone/zone.ts";
import { auditOpenApi } from "../../../import/openapi/audit-openapi.ts";
import { readOpenApi } from "../../../import/openapi/read-openapi.ts";
import { type Io, UsageError } from "../../command.ts";
import type { audit } from "../../declarations/check.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { readJsonSource } from "../../input/files.ts";
import { assertDecidedOrNote } from "../../input/imports/undecided.ts";
import { readWorldZones, type WorldZone, type WorldZones } from "../../input/zone-inputs.ts";
import { auditReport } from "../../output/audit/audit-output.ts";
import { printAuditPage } from "../../output/audit/audit-page.ts";
import type { AuditedZone, LocatedFile } from "../../output/audit/audited-zone.ts";
import { writeOutput } from "../../output/output.ts";
import { printReport } from "../../output/report/formats.ts";

export async function run({ options, io }: InvocationOf<typeof audit>): Promise<number> {
  const { openapi, world: file } = options;
  const document: LocatedFile = { file: openapi, source: await readJsonSource(openapi, io) };
  const world = await readWorldZones(file, options, io);
  const zone = chooseZone(world, options.zone);
  assertDecidedOrNote(world.source.undecided, options, io, new Set([zone.id]));
  const audited = auditWorld(options, document, world, zone);
  const page = options.html;
  if (page !== undefined) await writePage(page, audited, io);
  return printReport(auditReport(audited), options, io);
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
  options: OptionsOf<typeof audit>,
  document: LocatedFile,
  { file, source, profile }: WorldZones,
  zone: WorldZone,
): AuditedZone {
  const { precedence, headerCase } = profiles[profile];
  const world = { file, source };
  const { host: hosts, ignore } = options;
  assertDocument(document, { hosts, ignore });
  assertValid(world, "cannot be audited", checkZone(zone.input, { headerCase }), zone.at);
  const audited = auditOpenApi(document.source.value, zone.input, { hosts, ignore, precedence, headerCase });
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
  const lines = problems.map(({ pointer: within = "", message }) => {
    const { line, column } = source.locate(at + within);
    return `  line ${line}, column ${column}, ${at + within || "/"}: ${message}`;
  });
  if (lines.length > 0) throw new UsageError(`${file} ${summary}:\n${lines.join("\n")}`);
}

async function writePage(path: string, audited: AuditedZone, io: Io): Promise<void> {
  await writeOutput(path, io, async (write) => {
    for (const piece of printAuditPage(audited)) await write(piece);
  });
}
