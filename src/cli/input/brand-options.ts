/** The comparison of names that the options of a command ask for. */
import type { MatchOptions } from "../../engine/brand/model.ts";
import type { ValuesOf } from "../declare.ts";
import type { brandOptions, matchOptions } from "../options/names.ts";

export function readMatchOptions(options: ValuesOf<typeof matchOptions>): MatchOptions {
  const { mode, transpositions, confusables, separators } = options;
  return {
    ...(mode !== undefined && { mode }),
    ...(transpositions && { transpositions }),
    ...(confusables && { confusables }),
    ...(separators && { separators }),
  };
}

/** The same options with other names, of a command of all areas. */
export function readBrandOptions(options: ValuesOf<typeof brandOptions>): MatchOptions {
  return readMatchOptions({
    mode: options.brandMode,
    transpositions: options.brandTranspositions,
    confusables: options.brandConfusables,
    separators: options.brandSeparators,
    label: undefined,
    token: undefined,
  });
}
