/** The table of all tasks, by which a thread finds the one that it is to run. */
import type { Task } from "../../compute.ts";
import { compilePicture, compileStored, describePicture, searchFile, searchRaster } from "./logo-tasks.ts";
import { compareScans } from "./lookback-tasks.ts";

// biome-ignore lint/suspicious/noExplicitAny: the sender of an input knows its type
type AnyTask = Task<any, any>;

const all: readonly AnyTask[] = [
  describePicture,
  compilePicture,
  compileStored,
  searchRaster,
  searchFile,
  compareScans,
];

/** The task of a name; undefined for an unknown one. */
export const tasks: ReadonlyMap<string, AnyTask> = new Map(all.map((task) => [task.name, task]));
