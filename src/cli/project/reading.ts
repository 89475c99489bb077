/** The state that the parts of a configuration file share while it is read. */
import type { Location } from "../../core/diagnostic.ts";
import type { Command, MapPath } from "../declare.ts";

/** Places, faults, and how paths are read. */
export interface Reading {
  readonly place: (pointer: string) => Location;
  readonly fault: (pointer: string, message: string) => undefined;
  readonly commands: readonly Command[];
  readonly mapPath: MapPath;
}
