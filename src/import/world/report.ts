/** The report of an import: what was accepted, dropped, derived, and what is undecided, each with its place. */
import type { ResourceKind } from "../reading.ts";

/** Where a value was read. */
export interface SourceLocation {
  /** Name of the file, as it was given. */
  readonly file: string;
  /** RFC 6901 pointer into the file. */
  readonly pointer: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** Address of the Terraform resource; absent for other formats. */
  readonly address?: string;
}

/** A resource that the world contains. */
export interface AcceptedResource {
  /** Its kind, such as `token_rule`. */
  readonly kind: ResourceKind;
  /** RFC 6901 pointer into the world. */
  readonly pointer: string;
  /** Where it was read. */
  readonly location: SourceLocation;
}

/** A part of a file that the world does not contain. */
export interface Dropped {
  /** One sentence. */
  readonly reason: string;
  /** Where it was read. */
  readonly location: SourceLocation;
}

/** A value of the world that no file contains as it is. */
export interface Derived {
  /** One sentence with the value. */
  readonly reason: string;
  /** Where it was read. */
  readonly location: SourceLocation;
}

/** The requests whose answers an undecided part could change. */
export interface Effect {
  /** Hosts in lower case; absent for all hosts. */
  readonly hosts?: readonly string[];
  /** Ids of operations that it cannot change. */
  readonly exceptOperations?: readonly string[];
}

/** What a decision would need that no file contains. */
export interface Undecided {
  /** What is undecided: a rule, a key, a host of an operation, the name of a zone, or an application. */
  readonly subject: "rule" | "key" | "host" | "zone" | "application";
  /** Id of the zone; absent when it concerns all zones. */
  readonly zone?: string;
  /** One sentence. */
  readonly message: string;
  /** What to do about it: a command or an option. */
  readonly run: string;
  /** Where it was read. */
  readonly location: SourceLocation;
  /** The requests whose answers it could change; absent when it changes none, as the name of a zone does. */
  readonly effect?: Effect;
}

/** The report of an import. Each list is in the order of the files. */
export interface ImportReport {
  /** The format of each file, by name, in the order given. */
  readonly formats: readonly { readonly file: string; readonly format: string }[];
  /** Resources that the world contains. */
  readonly accepted: readonly AcceptedResource[];
  /** Parts that the world does not contain. */
  readonly dropped: readonly Dropped[];
  /** Values that no file contains as they are. */
  readonly derived: readonly Derived[];
  /** What no file decides. */
  readonly undecided: readonly Undecided[];
}
