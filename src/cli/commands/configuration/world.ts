/** `edgeproof world from`: makes a world file from Terraform files and saved responses. */

import { diagnostic } from "../../../core/diagnostic.ts";
import { importRules } from "../../../import/import-rules.ts";
import { startOf } from "../../../import/origin.ts";
import { mockTraps, terraformMockFile } from "../../../import/terraform/mock-file.ts";
import { type ImportedWorld, readWorld } from "../../../import/world-from.ts";
import { checkWorldWith } from "../../../service/world/check-world.ts";
import { loadChecks } from "../../../service/world/checks/load-checks.ts";
import { type Io, UsageError } from "../../command.ts";
import type { worldFrom } from "../../declarations/world.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { readGivenFiles } from "../../input/imports/given-files.ts";
import { readImportOptions } from "../../input/imports/import-options.ts";
import { printFaults } from "../../output/places.ts";
import { writeMadeWorld } from "../../output/results/imported-world.ts";

export async function run({ options, words, io }: InvocationOf<typeof worldFrom>): Promise<number> {
  if (options.terraformMock) return printMockFile(io);
  const imported = await importFiles([...options.from, ...words], options, io);
  return writeMadeWorld({ command: "world", ...imported }, options, io);
}

function printMockFile(io: Io): number {
  io.stdout.write(terraformMockFile());
  io.stderr.write(`${mockTraps.map((trap, i) => `${i + 1}. ${trap}`).join("\n")}\n`);
  return 0;
}

async function importFiles(
  paths: readonly string[],
  options: OptionsOf<typeof worldFrom>,
  io: Io,
): Promise<ImportedWorld> {
  const { host: hosts } = options;
  const files = await readGivenFiles(paths, io);
  const read = readWorld(
    files.map(({ file, text }) => ({ name: file, text })),
    { ...readImportOptions(options), hosts },
  );
  if (read.ok) return withProblems(read.value);
  throw new UsageError(`the files cannot be read:\n${printFaults(read.problems)}`);
}

/** The import with the problems of its world, which no command accepts, at their places in the files. */
async function withProblems(imported: ImportedWorld): Promise<ImportedWorld> {
  const { world, report, sources } = imported;
  const checked = checkWorldWith(await loadChecks(world), world);
  const problems = checked.ok ? checked.value.problems : checked.problems;
  const invalid = problems.map(({ pointer = "", message }) => {
    const at = sources.locate(pointer) ?? startOf(report.formats[0]?.file ?? "-");
    return { ...diagnostic(importRules, "invalid-resource", message), at };
  });
  return { ...imported, report: { ...report, invalid: [...report.invalid, ...invalid] } };
}
