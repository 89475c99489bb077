/** Titles and descriptions of configurations and rules. */
import { type CodedDiagnostic, problem } from "../../errors.ts";
import { tokenBounds } from "../../schemas/tokens.ts";
import { type CheckContext, genericCodes, type Notes, restrict } from "../context.ts";

/** Checks the lengths of a title and a description, as far as they are given. */
export function checkTitleAndDescription(
  { settings }: CheckContext,
  given: { readonly title?: string | undefined; readonly description?: string | undefined },
  at: string,
  notes: Notes,
): CodedDiagnostic[] {
  const problems: CodedDiagnostic[] = [];
  for (const name of ["title", "description"] as const) {
    const text = given[name];
    const { min, max } = tokenBounds[name];
    const length = text === undefined ? min : [...text].length;
    if (length >= min && length <= max) continue;
    const message = `\`${name}\` must have ${min} to ${max} characters; it has ${length}.`;
    restrict(settings, problems, notes, problem(genericCodes.tokens.invalid, message, `${at}/${name}`));
  }
  return problems;
}
