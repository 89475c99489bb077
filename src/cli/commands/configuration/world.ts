/** `edgeproof world`: makes a world file from Terraform files and saved responses. */
import { mockTraps, terraformMockFile } from "../../../import/terraform/mock-file.ts";
import { type ImportedWorld, readWorld } from "../../../import/world-from.ts";
import { parseWorld } from "../../../service/world/parse.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  stringOptions,
  UsageError,
} from "../../command.ts";
import { readTextInput, standardInput } from "../../input/files.ts";
import {
  hostOption,
  importOptions,
  readHosts,
  readImportOptions,
} from "../../input/imports/import-options.ts";
import { printFaults, printPlace } from "../../output/places.ts";
import { madeWorldOptions, writeMadeWorld } from "../../output/results/imported-world.ts";

export const world: CommandDefinition = {
  about: [
    "Reads Terraform plans, states and test records, saved responses of the interface, key files (JWK Sets, PEM), and OpenAPI documents; the format of each file is detected. Standard error has what was accepted, dropped (with its place) and derived (with the reason). What no file decides is reported, with what to run; nothing is guessed, and no world is written without --partial. Identical files make an identical world.",
    "--terraform-mock prints a test file with which Terraform resolves every expression with a mocked provider, without credentials.",
  ],
  positionals: "[file...]",
  options: {
    from: { type: "string", multiple: true, value: "file", help: "A file to read; more may follow it." },
    ...importOptions,
    ...hostOption,
    "terraform-mock": { type: "boolean", help: "Print `edgeproof.tftest.hcl`, and explain its two traps." },
    ...madeWorldOptions,
  },
  exits: {
    0: "The world is complete, or incomplete with --partial.",
    1: "Something is undecided, or no resource was accepted; no world is written, and standard error says what to run.",
    2: "A file or an option is invalid, or a file is a response with an error; standard error says why.",
  },
  examples: [
    "terraform show -json plan.bin > plan.json && edgeproof world --from plan.json --out world.json",
    "edgeproof world --from zone.json rules.json configs.json operations.json --out world.json",
    "edgeproof world --from terraform.tfstate --zone-name 0da42c8d2132a9ddaf714f9e7c920711=example.com",
    "edgeproof world --terraform-mock > edgeproof.tftest.hcl",
  ],
  run: runWorld,
};

async function runWorld(input: CommandInput, io: Io): Promise<number> {
  if (booleanOption(input, "terraform-mock")) return printMockFile(io);
  const paths = [...stringOptions(input, "from"), ...input.positionals];
  if (paths.length === 0) throw new UsageError("--from is missing; it must name at least one file");
  const imported = await importFiles(paths, input, io);
  return writeMadeWorld({ command: "world", ...imported }, input, io);
}

function printMockFile(io: Io): number {
  io.stdout.write(terraformMockFile());
  io.stderr.write(`${mockTraps.map((trap, i) => `${i + 1}. ${trap}`).join("\n")}\n`);
  return 0;
}

async function importFiles(paths: readonly string[], input: CommandInput, io: Io): Promise<ImportedWorld> {
  if (paths.filter((path) => path === standardInput).length > 1)
    throw new UsageError("`-` may be given once: standard input is one file");
  const repeated = paths.find((path, i) => paths.indexOf(path) !== i);
  if (repeated !== undefined) throw new UsageError(`the file ${repeated} is given twice`);
  const options = { ...readImportOptions(input), hosts: readHosts(input) };
  const files = [];
  for (const path of paths) files.push({ name: path, text: await readTextInput(path, io) });
  const read = readWorld(files, options);
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
