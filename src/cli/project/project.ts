/** A project: what its configuration file says about files and findings. The options are in `settings.ts`. */
import type { Location } from "../../core/diagnostic.ts";

/** A value of the file, as words of a command line. */
export interface Setting {
  readonly words: readonly string[];
  /** Its place in the file. */
  readonly at: Location;
}

/** A named world: where its configuration comes from. */
export interface ProjectWorld {
  /** Files, folders and patterns, relative to the current folder. */
  readonly paths: readonly string[];
  readonly at: Location;
}

/** The acceptance of a finding. */
export interface AcceptedId {
  readonly id: string;
  readonly reason: string;
  /** The last day in UTC on which it is valid. */
  readonly until?: string;
  readonly at: Location;
}

/** A configuration file that was read. */
export interface Project {
  /** The path of the file, relative to the current folder. */
  readonly file: string;
  readonly worlds: ReadonlyMap<string, ProjectWorld>;
  /** Files of requests and patterns; absent when the file has none. */
  readonly suites?: Setting;
  /** Findings that it accepts, by their ids. */
  readonly accepted: readonly AcceptedId[];
}
