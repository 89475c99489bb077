/** The rules of imports: what a world cannot have, does not have, or has otherwise than the files. */
import { diagnostic, type Location, type Placed, type Rules } from "../core/diagnostic.ts";
import { locationOf, type Origin } from "./origin.ts";

const tags = ["import"];

/** The rules of resources that no world can have. */
export type RejectionRule = "invalid-resource" | "conflict";

/** The rules by id. */
export const importRules = {
  "unreadable-file": {
    level: "error",
    description: "A file is of no known format, is not complete, or is a response that reports an error.",
    help: "Save the file again.",
    tags,
  },
  "invalid-resource": {
    level: "error",
    description: "The service would reject a resource of a file.",
    help: "Correct it as the message says.",
    tags,
  },
  conflict: {
    level: "error",
    description: "Two files have different values of one resource.",
    help: "Give the newer one of the files.",
    tags,
  },
  "left-out": {
    level: "note",
    description: "The world does not have a part of a file.",
    help: "Add it to the world file when a test needs it.",
    tags,
  },
  derived: {
    level: "note",
    description: "The world has a value that no file contains as it is.",
    help: "Check that the value is the one of the service.",
    tags,
  },
  undecided: {
    level: "warning",
    description: "A rule, a key or a host is not known, or elements of a list are missing.",
    help: "Read a file that has it, or pass --partial to continue without it.",
    tags,
    leavesOpen: true,
  },
  "undecided-application": {
    level: "error",
    description: "A member of the application is not known, so that it cannot be validated.",
    help: "Read a file that has it, or pass --partial to continue without the application.",
    tags,
  },
} as const satisfies Rules;

/** A part of a file that the world does not have. */
export function leftOut(origin: Origin, message: string): Placed<"left-out"> {
  return { ...diagnostic(importRules, "left-out", message), at: locationOf(origin) };
}

/** A value of the world that no file contains as it is. */
export function derivedValue(origin: Origin, message: string): Placed<"derived"> {
  return { ...diagnostic(importRules, "derived", message), at: locationOf(origin) };
}

/** A resource that the service would reject, or that two files have with different values. */
export function rejectedResource(
  origin: Origin,
  rule: RejectionRule,
  message: string,
): Placed<RejectionRule> {
  return { ...diagnostic<RejectionRule>(importRules, rule, message), at: locationOf(origin) };
}

/** Why a file cannot be read. */
export function unreadable(at: Location, message: string): Placed<"unreadable-file"> {
  return { ...diagnostic(importRules, "unreadable-file", message), at };
}
