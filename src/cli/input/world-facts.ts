/** The `--world` option of commands that need its facts about applications, and nothing else of it. */
import { profiles } from "../../core/profiles.ts";
import type { CodedDiagnostic } from "../../errors.ts";
import { prefixPointers } from "../../service/context.ts";
import { type AppLedger, checkApplications, createAppLedger } from "../../service/world/applications.ts";
import { checkWorldWith, profileContext, profileOf } from "../../service/world/check-world.ts";
import { loadChecks } from "../../service/world/checks/load-checks.ts";
import type { ParsedWorld } from "../../service/world/part.ts";
import { type Io, UsageError } from "../command.ts";
import type { ImportValues } from "../options/world.ts";
import { readWorldSource } from "./imports/world-source.ts";
import { invalidWorldError, printWorldNotes } from "./world-problems.ts";

/** A zone of a world, whose applications exist already. */
export interface FactZone {
  readonly ledger: AppLedger;
  readonly zone: string;
}

const applicationPointer = /^\/zones\/\d+\/proxy\/applications\/\d+(?=\/|$)/;

/** Zone id for a world without zones. */
const anyZone = "lint";

/** @throws {UsageError} for a world whose facts or applications are invalid, and for a zone that it does not have */
export async function readFactZone(
  word: string,
  options: ImportValues & { readonly zone?: string | undefined },
  io: Io,
): Promise<FactZone> {
  const source = await readWorldSource(word, options, io);
  const profile = options.profile ?? profileOf(source.value) ?? "spec";
  const checked = checkWorldWith(await loadChecks(source.value), source.value, profileContext(profile));
  if (!checked.ok) throw invalidWorldError(source.file, source, checked.problems);
  const { world, notes, problems } = checked.value;
  printWorldNotes(notes, io);
  const { restrictions } = profiles[profile];
  const ledger = createAppLedger(world, { restrictions });
  // Applications of a plan may be changes of other applications.
  const existing = checkApplications(world, { restrictions }, (at) => source.previous.get(at), ledger);
  const found: readonly CodedDiagnostic[] = [
    ...problems.filter(({ pointer = "" }) => !applicationPointer.test(pointer)),
    ...existing.flatMap(({ at, validation }) => prefixPointers(at, validation.violations)),
  ];
  if (found.length > 0) throw invalidWorldError(source.file, source, found);
  return { ledger, zone: chooseZone(options.zone, world) };
}

function chooseZone(asked: string | undefined, { zones = [] }: ParsedWorld): string {
  const zone = asked ?? (zones.length > 1 ? undefined : (zones[0]?.id ?? anyZone));
  const known = zones.map(({ id }) => `\`${id}\``).join(", ");
  if (zone === undefined)
    throw new UsageError(`the world has several zones (${known}); choose one with --zone`);
  if (zones.length > 0 && !zones.some(({ id }) => id === zone))
    throw new UsageError(`the world has no zone \`${zone}\`; its zones are ${known}`);
  return zone;
}
