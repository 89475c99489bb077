/** A baseline: the findings that existed when it was written, which a check accepts. */
import { replaceFile } from "../../../core/files/write-file.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { pointer, quote } from "../../../errors.ts";
import { formatJson, type Io, UsageError } from "../../command.ts";
import { printPlace } from "../../output/places.ts";
import { type Acceptance, isAcceptable } from "../../output/report/acceptance/accept.ts";
import { findingId } from "../../output/report/acceptance/finding-ids.ts";
import { diagnosticsOf, type Report } from "../../output/report/report.ts";
import { readJsonSource } from "../files.ts";

/** @throws {UsageError} when the file cannot be read, or is no baseline */
export async function readBaseline(file: string, io: Io): Promise<readonly Acceptance[]> {
  const { value, range } = await readJsonSource(file, io);
  const place = (at: string) => ({ file, pointer: at, ...range(at) });
  const fault = (at: string, message: string) => new UsageError(`${printPlace(place(at))}: ${message}`);
  const findings: unknown = isJsonObject(value) ? value["findings"] : undefined;
  if (!Array.isArray(findings))
    throw fault("", "a baseline is an object with the list `findings`; `check --write-baseline` writes one");
  const ids = new Set<string>();
  return findings.map((finding: unknown, i) => {
    const at = pointer("findings", i);
    const id: unknown = isJsonObject(finding) ? finding["id"] : undefined;
    if (typeof id !== "string" || !findingId.test(id))
      throw fault(
        at,
        `\`id\` must be the id of a finding, such as \`0123456789abcdef:1\`; found ${quote(id)}`,
      );
    if (ids.has(id)) throw fault(at, `the id \`${id}\` is repeated`);
    ids.add(id);
    return { id, reason: `in the baseline ${file}`, at: place(at) };
  });
}

/** A finding of a baseline. Only its id is read again. */
export interface BaselineEntry {
  readonly id: string;
  readonly rule: string;
  readonly case: string;
  readonly message: string;
}

/** The findings of a report as a baseline; what is undecided is none. */
export function baselineOf(report: Report): readonly BaselineEntry[] {
  return diagnosticsOf(report)
    .filter((finding) => isAcceptable(report, finding))
    .map(({ id, rule, message, case: { group, name } }) => ({
      id,
      rule,
      case: `${group}: ${name}`,
      message,
    }));
}

/** Writes a baseline. @throws {FileWriteError} */
export function writeBaseline(file: string, findings: readonly BaselineEntry[]): Promise<void> {
  return replaceFile(file, formatJson({ findings }));
}
