/** The `--world` option: reads a world file and creates an edge with its data. */
import { createEdge, type Edge, type EdgeOptions } from "../../edge.ts";
import { type CodedDiagnostic, InvalidInputError } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import { type Io, UsageError } from "../command.ts";
import type { ImportValues } from "../options/world.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";
import type { LeftOut } from "./imports/left-out.ts";
import { readWorldSource, type WorldSource } from "./imports/world-source.ts";
import { withPictures } from "./world-pictures.ts";
import { invalidWorldError } from "./world-problems.ts";

export interface LoadedWorld {
  readonly edge: Edge;
  /** Creates another edge of the same world, as it was read, with the same options. */
  reopen(): Promise<Edge>;
  readonly world: World;
  /** Its invalid parts, where they do not stop the command. */
  readonly leftOut: readonly LeftOut[];
  /** The file of the world; undefined without `--world`. */
  readonly source: WorldSource | undefined;
  /** The parts that the file does not decide. */
  readonly undecided: WorldSource["undecided"];
}

/** The options of the edge of a world. */
export interface LoadOptions extends EdgeOptions {
  /** Whether invalid parts are left out. Default: they stop the command. */
  readonly leavesOut?: boolean;
  /** Whether a world is applied although something in it is undecided. Default true. */
  readonly appliesUndecided?: boolean;
}

/** A world without members that are null: those count as missing. */
function givenMembers(world: World): World {
  return Object.fromEntries(Object.entries(world).filter(([, member]) => member !== null));
}

/**
 * Reads the world file. `adjust` may change the world before it is applied.
 *
 * @throws {UsageError} with every problem of the world file: its line, column and pointer
 */
export async function loadWorld(
  options: ImportValues & { readonly world?: string | undefined },
  io: Io,
  { leavesOut = false, appliesUndecided = true, ...edgeOptions }: LoadOptions = {},
  adjust: (world: World) => Promise<World> = async (world) => world,
): Promise<LoadedWorld> {
  const path = options.world;
  const source = path === undefined ? undefined : await readWorldSource(path, options, io);
  const read = path === undefined ? undefined : await withPictures(source?.value, source?.file ?? path, io);
  const world = read && (await adjust(read.world as World));
  const withReasons = (problems: readonly CodedDiagnostic[]) =>
    problems.map((problem) => ({
      ...problem,
      message: read?.unreadable.get(problem.pointer ?? "") ?? problem.message,
    }));
  const { profile } = options;
  const undecided = source?.undecided ?? [];
  const onNote = (line: string) => io.stderr.write(`${escapeControlCharacters(line)}\n`);
  const leftOut: LeftOut[] = [];
  const open = async (): Promise<Edge> => {
    const edge = createEdge({
      onNote,
      ...(leavesOut && {
        onLeftOut: (pointer, problems) => leftOut.push({ pointer, problems: withReasons(problems) }),
      }),
      ...edgeOptions,
      ...(profile && { profile }),
      ...(world !== undefined && { world }),
    });
    // Applies the world now: some problems are found only when pictures are decoded, or in the store.
    if (appliesUndecided || undecided.every(({ effect }) => effect === undefined))
      await edge.store.read(async () => {});
    return edge;
  };
  try {
    return { edge: await open(), reopen: open, world: givenMembers(world ?? {}), leftOut, source, undecided };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    if (error.problems[0]?.pointer === undefined) throw new UsageError(error.message);
    throw invalidWorldError(source?.file ?? "--options", source, withReasons(error.problems));
  }
}
