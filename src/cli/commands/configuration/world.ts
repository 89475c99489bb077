/** `edgeproof world from`: makes a world file from Terraform files and saved responses. */

import { mockTraps, terraformMockFile } from "../../../import/terraform/mock-file.ts";
import { type ImportedWorld, readWorld } from "../../../import/world-from.ts";
import { parseWorld } from "../../../service/world/parse.ts";
import { formatJson, type Io, UsageError } from "../../command.ts";
import type { worldFrom } from "../../declarations/world.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { readTextInput } from "../../input/files.ts";
import { readImportOptions } from "../../input/imports/import-options.ts";
import { openAtomicFile } from "../../output/atomic-write.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";
import { printImportReport, printPlace } from "../../output/import-report.ts";

export async function run({ options, words, io }: InvocationOf<typeof worldFrom>): Promise<number> {
  if (options.terraformMock) return printMockFile(io);
  const paths = [...options.from, ...words];
  const imported = await importFiles(paths, options, io);
  const { out } = options;
  const text = formatJson(imported.world);
  if (out !== undefined) await writeWorld(out, text);
  if (options.json) io.stdout.write(formatJson({ world: imported.world, report: imported.report }));
  else if (out === undefined) io.stdout.write(text);
  io.stderr.write(escapeLines(printImportReport(imported.report)));
  return imported.report.undecided.length > 0 ? 1 : 0;
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
  const files = [];
  for (const path of paths) files.push({ name: path, text: await readTextInput(path, io) });
  const read = readWorld(files, { ...readImportOptions(options), hosts });
  if (read.ok) return validWorld(read.value);
  const lines = read.problems.map(
    ({ file, line, column, message }) => `  ${file}:${line}:${column}: ${message}`,
  );
  throw new UsageError(`the files cannot be read:\n${lines.join("\n")}`);
}

/** A world that no command accepts is not written. @throws {UsageError} with the places of its problems in the files */
function validWorld(imported: ImportedWorld): ImportedWorld {
  const parsed = parseWorld(imported.world);
  if (parsed.ok) return imported;
  const lines = parsed.problems.map(({ pointer = "", message }) => {
    const location = imported.sources.locate(pointer);
    return `  ${location ? `${printPlace(location)}: ` : ""}${message}`;
  });
  throw new UsageError(`the files make no valid world:\n${lines.join("\n")}`);
}

async function writeWorld(path: string, text: string): Promise<void> {
  const file = await openAtomicFile(path);
  try {
    await file.write(text);
    await file.commit();
  } finally {
    await file.discard();
  }
}
