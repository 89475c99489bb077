/** Options about the comparison of names. */
import type { MatchOptions } from "../../engine/brand/model.ts";
import { choice, file, flag, list, shortFor } from "../declare.ts";

const modes = [
  "contains",
  "label",
  "token",
  "recommended",
] as const satisfies readonly MatchOptions["mode"][];

const transpositions = flag("Count a swap of two neighbors as one edit.");
const confusables = flag("Also compare Unicode skeletons (homoglyphs).");
const separators = flag("Also compare without `-` and `.`.");
const own = list("domain", "A domain of your own: it and its subdomains are never matches. Can be repeated.");

/** For a command of brand protection. */
export const matchOptions = {
  mode: choice(
    modes,
    "Part of a name that is compared: any (the default), the registrable label, a part between `.` and `-`; or the recommended rules, which set the edits themselves.",
  ),
  label: shortFor("mode", "label"),
  token: shortFor("mode", "token"),
  transpositions,
  confusables,
  separators,
  own,
};

/** For a command of all areas. */
export const brandOptions = {
  "brand-mode": choice(
    modes,
    "Part of a name that domain patterns are compared with: any (the default), the registrable label, a part between `.` and `-`; or the recommended rules.",
  ),
  "brand-transpositions": transpositions,
  "brand-confusables": confusables,
  "brand-separators": separators,
  "brand-own": own,
};

/** Of commands that compare with an earlier run. */
export const newSinceOption = {
  "new-since": file(
    "Print only names that this file, the output of an earlier run or a list of names, does not have.",
  ),
};
