/** The comparison of names that the options of a command ask for. */
import type { MatchOptions } from "../../engine/brand/model.ts";
import { ownNameProblem } from "../../engine/brand/names/own-names.ts";
import { UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import type { brandOptions, matchOptions } from "../options/names.ts";

/** @throws {UsageError} for a domain that cannot be one's own */
export function readMatchOptions(options: ValuesOf<typeof matchOptions>, ownOption = "--own"): MatchOptions {
  const { mode, transpositions, confusables, separators, own } = options;
  const problems = own.flatMap((domain) => ownNameProblem(domain) ?? []);
  if (problems.length > 0)
    throw new UsageError(problems.map((problem) => `${ownOption}: ${problem}`).join("\n"));
  return {
    ...(mode !== undefined && { mode }),
    ...(transpositions && { transpositions }),
    ...(confusables && { confusables }),
    ...(separators && { separators }),
    ...(own.length > 0 && { own }),
  };
}

/** The same options with other names, of a command of all areas. */
export function readBrandOptions(options: ValuesOf<typeof brandOptions>): MatchOptions {
  const read = {
    mode: options.brandMode,
    transpositions: options.brandTranspositions,
    confusables: options.brandConfusables,
    separators: options.brandSeparators,
    own: options.brandOwn,
    label: undefined,
    token: undefined,
  };
  return readMatchOptions(read, "--brand-own");
}
