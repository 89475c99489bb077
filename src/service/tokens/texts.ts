/** Titles and descriptions, of configurations and rules alike. */
import type { Problem } from "../../errors.ts";
import { genericCodes, type Notes, restrict, type ServiceContext } from "../context.ts";

/** Characters of a title and a description that the provider takes (`observed`). */
const lengths = { title: { min: 1, max: 50 }, description: { min: 0, max: 500 } } as const;

/** Holds the texts that are given to the provider's lengths. */
export function checkTitleAndDescription(
  { settings }: ServiceContext,
  texts: { readonly title?: string | undefined; readonly description?: string | undefined },
  at: string,
  notes: Notes,
): Problem[] {
  const problems: Problem[] = [];
  for (const name of ["title", "description"] as const) {
    const text = texts[name];
    const { min, max } = lengths[name];
    const length = text === undefined ? min : [...text].length;
    if (length >= min && length <= max) continue;
    const message = `\`${name}\` has ${length} characters; it must have ${min} to ${max}.`;
    restrict(settings, problems, notes, {
      code: genericCodes.tokens.invalid,
      pointer: `${at}/${name}`,
      message,
    });
  }
  return problems;
}
