/** Facts that a decision needs and no file contains. */
import { diagnostic, type Location, type Placed } from "../core/diagnostic.ts";
import type { UndecidedPart } from "../service/world/undecided.ts";
import { importRules } from "./import-rules.ts";

/** The requests whose answers an undecided part could change. */
export interface Effect {
  /** Hosts in lower case; absent for all hosts. */
  readonly hosts?: readonly string[];
  /** Ids of operations that it cannot change. */
  readonly exceptOperations?: readonly string[];
}

/** A fact that a decision needs and no file contains. Its `subject` has the id of the zone, unless it concerns all zones. */
export interface Undecided extends Placed<"undecided" | "undecided-application"> {
  /** The undecided part: a rule, a key, a host of an operation, the name of a zone, an application, or a part of an account. */
  readonly about: UndecidedPart["about"];
  /** The advice: a command or an option. */
  readonly run: string;
  /** The requests whose answers it could change; absent when it changes none, as the name of a zone does. */
  readonly effect?: Effect;
}

/** The facts of an undecided part. */
export interface UndecidedFacts extends Pick<Undecided, "about" | "message" | "run"> {
  /** Id of the zone; absent when it concerns all zones. */
  readonly zone?: string | undefined;
  readonly effect?: Effect | undefined;
}

/** Creates an undecided part with its place. */
export function undecidedPart(
  at: Location,
  { about, zone, message, run, effect }: UndecidedFacts,
): Undecided {
  const rule = about === "application" ? "undecided-application" : "undecided";
  const ids = zone !== undefined && { subject: { zone } };
  const found = diagnostic<Undecided["rule"]>(importRules, rule, message, { run, ...ids });
  return { ...found, run, about, at, ...(effect && { effect }) };
}
