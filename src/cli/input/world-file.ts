/** The `--world` option: reads a world file and creates an edge with its data. */
import type { Profile } from "../../core/profiles.ts";
import { createEdge, type Edge, type EdgeOptions } from "../../edge.ts";
import { type CodedDiagnostic, InvalidInputError } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import { type CommandInput, choiceOption, type Io, stringOption, UsageError } from "../command.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import { describeOtherKind } from "./file-kind.ts";
import { importOptions } from "./imports/import-options.ts";
import { readWorldSource, type WorldSource } from "./imports/world-source.ts";
import { formatPlaces, type LeftOut } from "./left-out.ts";
import { withPictures } from "./world-pictures.ts";

export const worldOption = {
  world: {
    type: "string",
    value: "file",
    help: "World file: accounts, zones and API tokens with their data; or a Terraform file, or saved responses.",
  },
  ...importOptions,
} as const;

export const profileOption = {
  profile: {
    type: "string",
    value: "spec|provider",
    help: "Set of defaults: the specification's (spec) or the real service's (provider). Default: that of the world file, or spec.",
  },
} as const;

export interface LoadedWorld {
  readonly edge: Edge;
  readonly world: World;
  /** Its invalid parts, where they do not stop the command. */
  readonly leftOut: readonly LeftOut[];
  /** The file of the world; undefined without `--world`. */
  readonly source: WorldSource | undefined;
  /** What the file does not decide. */
  readonly undecided: WorldSource["undecided"];
}

/** The profile of the command line, else that of the world. */
export function profileOf(input: CommandInput, world: Pick<World, "profile">): Profile | undefined {
  if (stringOption(input, "profile") === undefined) return world.profile;
  return choiceOption<Profile>(input, "profile", ["spec", "provider"], "spec");
}

/** The options of the edge of a world. */
export interface LoadOptions extends EdgeOptions {
  /** Whether invalid parts are left out. Default: they stop the command. */
  readonly leavesOut?: boolean;
}

/**
 * Reads the world file. `adjust` may change the world before it is applied.
 *
 * @throws {UsageError} with every problem of the world file: its line, column and pointer
 */
export async function loadWorld(
  input: CommandInput,
  io: Io,
  { leavesOut = false, ...options }: LoadOptions = {},
  adjust: (world: World) => Promise<World> = async (world) => world,
): Promise<LoadedWorld> {
  const path = stringOption(input, "world");
  const source = path === undefined ? undefined : await readWorldSource(path, input, io);
  const read = path === undefined ? undefined : ((await withPictures(source?.value, path, io)) as World);
  const world = read && (await adjust(read));
  const profile = profileOf(input, {});
  const undecided = source?.undecided ?? [];
  const onNote = (line: string) => io.stderr.write(`${escapeControlCharacters(line)}\n`);
  const leftOut: LeftOut[] = [];
  try {
    const edge = createEdge({
      onNote,
      ...(leavesOut && { onLeftOut: (pointer, problems) => leftOut.push({ pointer, problems }) }),
      ...options,
      ...(profile && { profile }),
      ...(world !== undefined && { world }),
    });
    // Applies the world now: some problems are found only when pictures are decoded, or in the store.
    await edge.store.read(async () => {});
    return { edge, world: world ?? {}, leftOut, source, undecided };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    if (error.problems[0]?.pointer === undefined) throw new UsageError(error.message);
    throw invalidWorldError(path ?? "--options", source, error.problems);
  }
}

/** The usage error that lists the problems of a world file, with line and column where the source is known. */
export function invalidWorldError(
  file: string,
  source: WorldSource | undefined,
  problems: readonly CodedDiagnostic[],
): UsageError {
  const other = describeOtherKind(source?.value, file);
  if (other !== undefined) return new UsageError(`${file} is not a world file: ${other}`);
  const lines = formatPlaces(problems, source).map((line) => `  ${line}`);
  return new UsageError(`${file} is not a valid world file:\n${lines.join("\n")}`);
}

/** Prints the parts of a world that are left out, for commands without a report. */
export function printLeftOut({ leftOut, source }: Pick<LoadedWorld, "leftOut" | "source">, io: Io): void {
  for (const { pointer, problems } of leftOut) {
    const line = `world: left out ${pointer}: ${formatPlaces(problems, source).join("; ")}`;
    io.stderr.write(`${escapeControlCharacters(line)}\n`);
  }
}

/** Prints what was ignored in a world file. */
export function printWorldNotes(notes: readonly string[], io: Io): void {
  for (const note of notes) io.stderr.write(`${escapeControlCharacters(`world: ${note}`)}\n`);
}
