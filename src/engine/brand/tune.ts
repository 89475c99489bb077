/** The alarms of each setting of a pattern, measured on a sample of names (`chosen`). */
import { anIterable, aString, requireArguments } from "../../core/arguments.ts";
import { InvalidInputError } from "../../errors.ts";
import { compileQueries, type Matcher } from "./matching/matcher.ts";
import { type MatchMode, matchModes } from "./model.ts";
import { type HostResult, normalizeHost } from "./names/host.ts";
import { checkStringMatches, maxEditDistance } from "./query.ts";

/** One setting, and the names of the sample that it finds. */
export interface TunedSetting {
  /** The mode of the setting. */
  readonly mode: MatchMode | "recommended";
  /** Maximum edits, 0 to 3; undefined with `recommended`, which sets them itself. */
  readonly maxEdits: number | undefined;
  /** Whether skeletons are compared, too. */
  readonly confusables: boolean;
  /** Number of names found. */
  readonly alarms: number;
  /** Names found in 10,000 names of the sample; 0 for an empty sample. */
  readonly alarmsPer10k: number;
  /** The first names found that fewer edits do not find: at most 5. */
  readonly examples: readonly string[];
}

/** The costs of all settings of one pattern. */
export interface TuneCounts {
  /** The pattern as given. */
  readonly pattern: string;
  /** Number of names in the sample, without strings that are not host names. */
  readonly names: number;
  /** Number of strings that are not host names. */
  readonly invalid: number;
  /** Every mode, with and without confusables, with 0 to 3 edits, and `recommended`. */
  readonly settings: readonly TunedSetting[];
}

/** Collects a sample name by name. */
export interface Tuner {
  /** Adds a name, and returns it as a host, or the problem for which it is not counted. */
  add(name: string): HostResult;
  report(): TuneCounts;
}

const maxExamples = 5;

/** The names found by one matcher, by their distance. */
interface Tally {
  readonly mode: MatchMode | "recommended";
  readonly confusables: boolean;
  readonly matcher: Matcher;
  readonly counts: number[];
  readonly examples: string[][];
}

/**
 * Reports how many names of a sample each setting of a pattern finds. Every name found counts as an alarm, so the sample
 * should be ordinary names without those of the brand itself.
 *
 * @example
 * ```ts
 * const { settings } = tuneQuery("paypal", ["paypal.com", "papal.org", "pay-pall.net", "unrelated.org"]);
 * const contains = settings.filter(({ mode, confusables }) => mode === "contains" && !confusables);
 * contains.map(({ maxEdits, alarms }) => [maxEdits, alarms]); // => [[0, 1], [1, 3], [2, 3], [3, 3]]
 * ```
 * @throws {InvalidInputError} for a pattern that a query cannot have
 */
export function tuneQuery(pattern: string, names: Iterable<string>): TuneCounts {
  requireArguments({ pattern: [pattern, aString], names: [names, anIterable] });
  const tuner = createTuner(pattern);
  for (const name of names) tuner.add(name);
  return tuner.report();
}

/** Makes a collector. @throws {InvalidInputError} for a pattern that a query cannot have */
export function createTuner(pattern: string): Tuner {
  const { problems } = checkStringMatches([{ pattern, max_edit_distance: 0 }]);
  if (problems.length > 0) throw new InvalidInputError("This pattern cannot be tuned", problems);
  const tallies = [
    ...[false, true].flatMap((confusables) =>
      matchModes.map((mode) => createTally(pattern, mode, confusables)),
    ),
    createTally(pattern, "recommended", true),
  ];
  let [names, invalid] = [0, 0];
  return {
    add(name) {
      const host = normalizeHost(name);
      if (host.ok) {
        names += 1;
        for (const tally of tallies) countMatch(tally, name);
      } else invalid += 1;
      return host;
    },
    report: () => ({
      pattern,
      names,
      invalid,
      settings: tallies.flatMap((tally) => settingsOf(tally, names)),
    }),
  };
}

function createTally(pattern: string, mode: Tally["mode"], confusables: boolean): Tally {
  const string_matches = [{ pattern, max_edit_distance: maxEditDistance }];
  const matcher = compileQueries([{ query_id: 1, parameters: { string_matches } }], { mode, confusables });
  return { mode, confusables, matcher, counts: distances.map(() => 0), examples: distances.map(() => []) };
}

const distances = Array.from({ length: maxEditDistance + 1 }, (_, i) => i);

function countMatch({ matcher, counts, examples }: Tally, name: string): void {
  const distance = matcher.match(name)[0]?.distance;
  if (distance === undefined) return;
  counts[distance] = (counts[distance] ?? 0) + 1;
  const known = examples[distance];
  if (known && known.length < maxExamples) known.push(name);
}

/** One setting for each number of edits; `recommended` is one setting. */
function settingsOf({ mode, confusables, counts, examples }: Tally, names: number): TunedSetting[] {
  const setting = (maxEdits: number | undefined, alarms: number, shown: readonly string[]) => ({
    mode,
    maxEdits,
    confusables,
    alarms,
    alarmsPer10k: names === 0 ? 0 : (10_000 * alarms) / names,
    examples: shown,
  });
  const within = (edits: number) => counts.slice(0, edits + 1).reduce((sum, count) => sum + count, 0);
  if (mode === "recommended")
    return [setting(undefined, within(maxEditDistance), examples.flat().slice(0, maxExamples))];
  return distances.map((edits) => setting(edits, within(edits), examples[edits] ?? []));
}
