/** The typed patterns and names of the tab of names: the initial state, and the format in a link. */
import type { NamesQuestion } from "../../../../src/workbench/names-messages.ts";
import { booleansOf, stringsOf } from "../tabs/link-members.ts";

/** Nothing is typed; names are compared by the recommended rules. */
export const emptyQuestion: NamesQuestion = {
  patterns: "",
  names: "",
  mode: "recommended",
  confusables: false,
  transpositions: false,
  separators: false,
};

/** Reads a question of a link; the engines reject an unknown mode. @throws {RangeError} for a member that is not allowed */
export function readQuestion(value: unknown): NamesQuestion {
  return {
    ...stringsOf(value, "patterns", "names", "mode"),
    ...booleansOf(value, "confusables", "transpositions", "separators"),
  };
}
