/** The rules of matching in words. */
import type { Channel, MatchMode, MatchRule } from "../../../engine/brand/model.ts";

/** The part of a name that a mode compares. */
export const places: Readonly<Record<MatchMode, string>> = {
  contains: "anywhere before the public suffix",
  label: "the whole registrable label",
  token: "a whole part between dots and hyphens",
};

/** The form that a channel compares; undefined for the normalized form. */
export const comparedForms: Readonly<Record<Channel, string | undefined>> = {
  plain: undefined,
  confusables: "with letters that look the same",
  separators: "without hyphens and dots",
  "confusables+separators": "with letters that look the same, without hyphens and dots",
};

/** One sentence. */
export function describeRule(rule: MatchRule): string {
  const { mode, maxEdits, minLength = 0, onlyWithEmbeddedSuffix, separators } = rule;
  const edits =
    maxEdits === undefined
      ? "the edits of each pattern"
      : maxEdits === 0
        ? "no edits"
        : `at most ${maxEdits} ${maxEdits === 1 ? "edit" : "edits"}`;
  const conditions = [
    ...(minLength > 0 ? [`patterns of ${minLength} or more characters`] : []),
    ...(onlyWithEmbeddedSuffix ? ["only names that contain another public suffix"] : []),
    ...(separators ? ["also without hyphens and dots"] : []),
  ];
  return [`${places[mode]}, ${edits}`, ...conditions].join("; ");
}
