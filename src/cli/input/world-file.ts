/** The `--world` option: reads a world file and creates an edge with its data. */
import { createEdge, type Edge, type EdgeOptions } from "../../edge.ts";
import { InvalidInputError } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import { type CommandInput, choiceOption, type Io, stringOption, UsageError } from "../command.ts";
import { readJsonInput } from "./files.ts";
import { withPictures } from "./world-pictures.ts";

export const worldOption = {
  world: {
    type: "string",
    value: "file",
    help: "World file: accounts, zones and API tokens with their data.",
  },
} as const;

export const profileOption = {
  profile: {
    type: "string",
    value: "spec|provider",
    help: "Set of defaults: the specification's (spec, the default) or the real service's (provider).",
  },
} as const;

export interface LoadedWorld {
  readonly edge: Edge;
  readonly world: World;
}

/** @throws {UsageError} with every problem of the world file and its pointer */
export async function loadWorld(
  input: CommandInput,
  io: Io,
  options: EdgeOptions = {},
): Promise<LoadedWorld> {
  const path = stringOption(input, "world");
  const world = path === undefined ? undefined : await readWorld(path, io);
  const ownProfile = stringOption(input, "profile") !== undefined && {
    profile: choiceOption(input, "profile", ["spec", "provider"], "spec"),
  };
  try {
    const edge = createEdge({ ...options, ...ownProfile, ...(world && { world }) });
    // Applies the world now: some problems are found only when pictures are decoded, or in the store.
    await edge.store.read(async () => {});
    return { edge, world: world ?? {} };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    if (error.problems[0]?.pointer === undefined) throw new UsageError(error.message);
    const lines = error.problems.map((p) => `  ${p.pointer || "/"}: ${p.message}`);
    throw new UsageError(`${path ?? "--options"} is not a valid world file:\n${lines.join("\n")}`);
  }
}

/** A world file with its pictures; its contents are not validated yet. */
async function readWorld(path: string, io: Io): Promise<World> {
  return (await withPictures(await readJsonInput(path, io), path, io)) as World;
}
