/** `edgeproof world from`: makes a world file from Terraform files and saved responses. */

import { mockTraps, terraformMockFile } from "../../../import/terraform/mock-file.ts";
import { type ImportedWorld, readWorld } from "../../../import/world-from.ts";
import { parseWorld } from "../../../service/world/parse.ts";
import { type Io, UsageError } from "../../command.ts";
import type { worldFrom } from "../../declarations/world.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { readTextInput } from "../../input/files.ts";
import { readImportOptions } from "../../input/imports/import-options.ts";
import { printFaults, printPlace } from "../../output/places.ts";
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
  const files = [];
  for (const path of paths) files.push({ name: path, text: await readTextInput(path, io) });
  const read = readWorld(files, { ...readImportOptions(options), hosts });
  if (read.ok) return validWorld(read.value);
  throw new UsageError(`the files cannot be read:\n${printFaults(read.problems)}`);
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
