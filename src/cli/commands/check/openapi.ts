/** `check --openapi`: whether the rules of a zone enforce the security that an OpenAPI document declares. */

import { place } from "../../../core/place.ts";
import { profiles } from "../../../core/profiles.ts";
import { checkZone } from "../../../engine/tokens/zone/zone.ts";
import { createZoneOfHost } from "../../../engine/tokens/zone/zone-of-host.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import { auditOpenApi } from "../../../import/openapi/audit-openapi.ts";
import { readOpenApi } from "../../../import/openapi/read-openapi.ts";
import type { WorldZone } from "../../../service/world/rulesets/world-zones.ts";
import { type Io, UsageError } from "../../command.ts";
import type { CheckValues } from "../../declarations/check.ts";
import { readJsonSource } from "../../input/files.ts";
import { selectZones, type WorldZones } from "../../input/world-zones.ts";
import { auditCases, describeAudit } from "../../output/audit/audit-output.ts";
import { printAuditPage } from "../../output/audit/audit-page.ts";
import { type AuditedZone, operationName, type PlacedDocument } from "../../output/audit/audited-zone.ts";
import { writeOutput } from "../../output/output.ts";
import { printFaults } from "../../output/places.ts";
import type { ReportCase } from "../../output/report/report.ts";
import { notAZone } from "../../output/results/not-a-zone.ts";

/** The cases of the audit of a zone, and its numbers in a line. */
export interface CheckedDocument {
  readonly cases: readonly ReportCase[];
  readonly summary?: string;
}

/** @throws {UsageError} for a document that cannot be read, and unless one zone is chosen */
export async function checkDocument(
  file: string,
  world: WorldZones,
  options: CheckValues,
  io: Io,
): Promise<CheckedDocument> {
  const { value, range } = await readJsonSource(file, io);
  const document: PlacedDocument = {
    file,
    value,
    place: (pointer) => ({ file, pointer, ...range(pointer) }),
  };
  const zone = chooseZone(world, options.zone);
  const { headerCase, sharedSecrets } = profiles[world.profile];
  const problems = checkZone(zone.input, { headerCase, sharedSecrets });
  if (problems.length > 0) return { cases: [invalidZoneCase(document, world, zone, problems)] };
  const all = auditWorld(options, document, world, zone);
  const { audited, outside } = options.zone === undefined ? splitByHost(all) : { audited: all, outside: [] };
  const page = options.html;
  if (page !== undefined) await writePage(page, audited, io);
  return { cases: [...auditCases(audited), ...outside], summary: describeAudit(audited) };
}

/** The operations of the zone, and cases for those whose hosts are not of the zone: no rule is about them. */
function splitByHost(all: AuditedZone): {
  readonly audited: AuditedZone;
  readonly outside: readonly ReportCase[];
} {
  const { audit, document, zone } = all;
  const zoneOfHost = createZoneOfHost([zone]);
  const isInside = ({ host }: { readonly host: string }) => zoneOfHost(host.toLowerCase()) !== undefined;
  const operations = audit.operations.filter(({ operation }) => isInside(operation));
  const others = audit.operations.filter(({ operation }) => !isInside(operation));
  const outside = others.map(({ operation }): ReportCase => {
    const location = document.place(operation.pointer);
    const message = `not_a_zone: The host \`${operation.host}\` is not one of the zone \`${zone.name}\`. Correct the servers of the document or the name of the zone, or set --zone.`;
    return {
      kind: "operation",
      group: zone.id,
      name: operationName(operation),
      status: "undecided",
      diagnostics: [notAZone(message, location)],
      location,
    };
  });
  return { audited: { ...all, audit: { ...audit, operations } }, outside };
}

/** The document cannot be compared with a zone whose rules or keys are invalid. */
function invalidZoneCase(
  document: PlacedDocument,
  { source }: WorldZones,
  { id, at: base, pointerOf }: WorldZone,
  problems: readonly CodedDiagnostic[],
): ReportCase {
  const details = problems
    .map((problem) => `${pointerOf(problem.pointer ?? "")}: ${problem.message}`)
    .join("\n");
  const message = `${document.file} is not compared, since rules or keys of the zone \`${id}\` are invalid.`;
  return {
    kind: "file",
    group: id,
    name: "document",
    status: "undecided",
    diagnostics: place(
      [{ rule: "not-audited", level: "warning", message, details, help: "Correct the zone." }],
      source,
      base,
    ),
    location: source.place(base),
  };
}

function chooseZone(world: WorldZones, id: string | undefined): WorldZone {
  const [only, ...more] = selectZones(world, id);
  if (only === undefined) throw new UsageError(`${world.file} has no zone with rules`);
  if (more.length === 0) return only;
  const known = world.zones.map((zone) => `\`${zone.id}\``).join(", ");
  throw new UsageError(`--zone is missing; zones with rules: ${known}`);
}

function auditWorld(
  options: CheckValues,
  document: PlacedDocument,
  { source, profile }: WorldZones,
  zone: WorldZone,
): AuditedZone {
  const { precedence, headerCase } = profiles[profile];
  const reading = { hosts: options.host, ignore: options.ignore };
  assertDocument(document, reading);
  const audited = auditOpenApi(document.value, zone.input, { ...reading, precedence, headerCase });
  return { zone, source, document, audit: audited };
}

/** @throws {UsageError} for a document that cannot be read, and for servers without a host */
function assertDocument(document: PlacedDocument, options: Parameters<typeof readOpenApi>[1]): void {
  const read = readOpenApi(document.value, options);
  if (read.ok) assertValid(document, "needs --host <name>", read.value.withoutHost);
  else assertValid(document, "cannot be read as an OpenAPI document", read.problems);
}

/** @throws {UsageError} with the line of each problem */
function assertValid(
  { file, place }: PlacedDocument,
  summary: string,
  problems: readonly { readonly pointer?: string; readonly message: string }[],
): void {
  if (problems.length > 0)
    throw new UsageError(
      `${file} ${summary}:\n${printFaults(problems.map(({ pointer = "", message }) => ({ at: place(pointer), message })))}`,
    );
}

async function writePage(path: string, audited: AuditedZone, io: Io): Promise<void> {
  await writeOutput(path, io, async (write) => {
    for (const piece of printAuditPage(audited)) await write(piece);
  });
}
