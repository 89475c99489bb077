/** The report of an import: what was accepted, dropped, derived, and what is undecided or invalid, each with its place. */
import type { Location, Placed } from "../../core/diagnostic.ts";
import type { ResourceKind } from "../reading.ts";
import type { Undecided } from "../undecided.ts";

/** A resource that the world contains. */
export interface AcceptedResource {
  /** Its kind, such as `token_rule`. */
  readonly kind: ResourceKind;
  /** RFC 6901 pointer into the world. */
  readonly pointer: string;
  /** Where it was read. */
  readonly at: Location;
}

/** The report of an import. Each list is in the order of the files. */
export interface ImportSummary {
  /** The format of each file, by name, in the order given. */
  readonly formats: readonly { readonly file: string; readonly format: string }[];
  /** Resources that the world contains. */
  readonly accepted: readonly AcceptedResource[];
  /** Parts that the world does not contain. */
  readonly dropped: readonly Placed[];
  /** Values that no file contains as they are. */
  readonly derived: readonly Placed[];
  /** The parts that no file decides. */
  readonly undecided: readonly Undecided[];
  /** The errors: the service would reject the resource, or two files have different values of it. */
  readonly invalid: readonly Placed[];
}
