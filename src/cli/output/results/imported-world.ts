/** The result of commands that make a world: the world file, a line for each part that the world has not as it is, and a report. */
import { importRules } from "../../../import/import-rules.ts";
import { startOf } from "../../../import/origin.ts";
import { kindNouns } from "../../../import/resources/nouns.ts";
import { withUndecided } from "../../../import/world/partial-world.ts";
import type { ImportSummary } from "../../../import/world/report.ts";
import type { ImportedWorld } from "../../../import/world-from.ts";
import { formatDocument, type Io } from "../../command.ts";
import type { ValuesOf } from "../../declare.ts";
import type { madeWorldOptions } from "../../options/world.ts";
import { standardInput } from "../../standard-input.ts";
import { escapeLines } from "../escape-control-characters.ts";
import { writeOutput } from "../output.ts";
import { printReport } from "../report/formats.ts";
import type { Report, ReportCase } from "../report/report.ts";
import { countKinds, printImportReport } from "./import-report.ts";
import { isNameless, namelessZones, nameZones } from "./nameless-zones.ts";

/** A world with its report, and the members of the JSON output beside them. */
export interface MadeWorld extends Pick<ImportedWorld, "world" | "report"> {
  readonly command: string;
  readonly more?: object;
}

/** Writes the world, unless it is invalid, or lacks something and the caller does not accept that. @returns the exit code */
export async function writeMadeWorld(
  made: MadeWorld,
  { out = standardInput, json: isJson, ...accepted }: ValuesOf<typeof madeWorldOptions>,
  io: Io,
): Promise<number> {
  const { command, report, more } = made;
  const isValid = report.invalid.length === 0;
  const isComplete = report.undecided.length === 0 || accepted.partial;
  const isWritten = isValid && isComplete && (report.accepted.length > 0 || accepted.allowEmpty);
  const world = isWritten ? withUndecided(made.world, report.undecided) : undefined;
  if (world && (out !== standardInput || !isJson))
    await writeOutput(out, io, (write) => write(formatDocument(world)));
  if (isJson) io.stdout.write(formatDocument({ ...more, ...(world && { world }), report }));
  io.stderr.write(escapeLines(printImportReport(report)));
  const format = { printed: "text", files: [] } as const;
  const code = await printReport(
    reportOf(command, nameZonesIn(report, io)),
    { format, isSilent: true, ...accepted },
    io,
  );
  if (!isValid) io.stderr.write("no world was written; correct the errors first\n");
  else if (!isComplete)
    io.stderr.write("no world was written; --partial writes it with a list of what is undecided\n");
  return code;
}

/** With the command of this run that names the zones without a domain. */
function nameZonesIn(report: ImportSummary, { commandLine }: Io): ImportSummary {
  const run = nameZones(namelessZones(report.undecided), commandLine);
  const undecided = report.undecided.map((part) => (isNameless(part) ? { ...part, run } : part));
  return { ...report, undecided };
}

function reportOf(command: string, { formats, accepted, undecided, invalid }: ImportSummary): Report {
  const names = formats.map(({ file }) => file);
  return {
    command,
    rules: importRules,
    cases: [
      ...names.flatMap((file) => acceptedCases(file, accepted)),
      ...undecided.map((part) => caseOf(part, "undecided")),
      ...invalid.map((finding) => caseOf(finding, "failed")),
    ],
    whenEmpty: `The world would have nothing of ${names.join(", ")}.`,
    inputs: startOf(names[0] ?? standardInput),
  };
}

function acceptedCases(file: string, accepted: ImportSummary["accepted"]): readonly ReportCase[] {
  const shared = { kind: "resource", group: file, status: "passed", diagnostics: [] } as const;
  return [...countKinds(file, accepted)].map(([kind, count]) => {
    return { ...shared, count, name: kindNouns[kind][1], location: startOf(file) };
  });
}

function caseOf(found: ImportSummary["invalid"][number], status: "undecided" | "failed"): ReportCase {
  const { at, message } = found;
  const name = `${status} ${at.pointer ?? ""}`;
  return { kind: "resource", group: at.file, name, status, message, diagnostics: [found], location: at };
}
