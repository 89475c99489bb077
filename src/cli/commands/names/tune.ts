/** `edgeproof brand match --tune`: how many names of a sample each setting of a pattern finds. */

import { formatCount } from "../../../core/format-count.ts";
import type { StringMatch } from "../../../engine/brand/model.ts";
import { createTuner, type TuneCounts, type TunedSetting } from "../../../engine/brand/tune.ts";
import type { Io } from "../../command.ts";
import { byteStream } from "../../input/byte-stream.ts";
import { assertFileExists } from "../../input/files.ts";
import { createInvalidLines, invalidLinesExitCode } from "../../input/names/invalid-lines.ts";
import { type NameLineOptions, nameLines } from "../../input/names/name-lines.ts";
import type { Accepted } from "../../output/report/exit-code.ts";
import { printEvaluated } from "../../output/report/formats.ts";
import { printTable } from "../../output/table.ts";
import { standardInput } from "../../standard-input.ts";

const header = ["mode", "edits", "confusables", "names found", "per 10,000", "examples"];

interface TuneOptions extends NameLineOptions {
  readonly asJson: boolean;
  readonly allowEmpty: boolean;
}

/** Prints a table for each pattern, or a JSON value for each setting. */
export async function tunePatterns(
  patterns: readonly StringMatch[],
  files: readonly string[],
  { asJson, allowEmpty, ...options }: TuneOptions,
  io: Io,
): Promise<number> {
  for (const file of files) await assertFileExists(file);
  const tuners = patterns.map(({ pattern }) => createTuner(pattern));
  const invalid = createInvalidLines();
  for (const file of files) {
    const lines = nameLines(byteStream(file, io), (line) => invalid.add(file, line), options);
    for await (const names of lines) {
      io.signal.throwIfAborted();
      for (const { domain, line } of names) {
        const [host] = tuners.map((tuner) => tuner.add(domain));
        if (host && !host.ok) invalid.add(file, { line, message: host.problems[0].message });
      }
    }
  }
  const reports = tuners.map((tuner) => tuner.report());
  for (const report of reports) io.stdout.write(asJson ? jsonOf(report) : tableOf(io, report));
  const names = reports[0]?.names ?? 0;
  io.stderr.write(`${[formatCount(names, "name"), ...invalid.report()].join("\n")}\n`);
  if (invalid.count === 0) return printEvaluatedNames(names, files, { allowEmpty }, io);
  return names === 0 ? 2 : invalidLinesExitCode;
}

/** The exit code of a command that read so many names, and no invalid line. */
export function printEvaluatedNames(
  count: number,
  [file = standardInput]: readonly string[],
  accepted: Accepted,
  io: Io,
): Promise<0 | 1> {
  const whenEmpty = "The input has no name.";
  return printEvaluated({ command: "brand match", kind: "name", count, file, whenEmpty }, accepted, io);
}

function tableOf({ stdout }: Io, { pattern, settings }: TuneCounts): string {
  return `${pattern}\n${printTable(stdout, header, settings.map(cellsOf))}\n`;
}

function cellsOf({ mode, maxEdits, confusables, alarms, alarmsPer10k, examples }: TunedSetting): string[] {
  const edits = maxEdits === undefined ? "own" : String(maxEdits);
  const found = [String(alarms), alarmsPer10k.toFixed(1)];
  return [mode, edits, confusables ? "yes" : "no", ...found, examples.join(" ")];
}

function jsonOf({ pattern, names, settings }: TuneCounts): string {
  return settings.map((setting) => `${JSON.stringify({ pattern, names, ...setting })}\n`).join("");
}
