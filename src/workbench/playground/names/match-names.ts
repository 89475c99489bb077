/** Compares the typed names with the typed patterns, as `edgeproof brand match` does. */
import { recommendedRules } from "../../../engine/brand/matching/match-rules.ts";
import { compileQueries } from "../../../engine/brand/matching/matcher.ts";
import {
  type DomainMatch,
  type MatchMode,
  type MatchOptions,
  type MatchRule,
  matchModes,
} from "../../../engine/brand/model.ts";
import { normalizeHost } from "../../../engine/brand/names/host.ts";
import { quote } from "../../../errors.ts";
import { markedHost } from "../../data/marked-host.ts";
import { RequestFault } from "../../guard/request-fault.ts";
import type { FoundName, LineMessage, NamesFound, NamesQuestion } from "../../names-messages.ts";
import { comparedForms, describeRule, places } from "./describe-rule.ts";
import { readNames, readPatterns } from "./read-lines.ts";

/** Matches of the answer (`chosen`): a page with more would be slow, and `total` has their number. */
export const maxMatches = 500;

/** Invalid lines of the answer (`chosen`). */
const maxInvalid = 20;

/** @throws {RequestFault} for patterns, names or a mode that cannot be used */
export function matchNames(question: NamesQuestion): NamesFound {
  const { patterns, notes } = readPatterns(question.patterns);
  const { options, rules } = readOptions(question);
  const matcher = compileQueries([{ query_id: 1, parameters: { string_matches: patterns } }], options);
  const matches: FoundName[] = [];
  const invalid: LineMessage[] = [];
  let [names, named, total, invalidTotal] = [0, 0, 0, 0];
  const reject = (note: LineMessage): void => {
    invalidTotal += 1;
    if (invalid.length < maxInvalid) invalid.push(note);
  };
  for (const typed of readNames(question.names)) {
    if ("message" in typed) {
      reject(typed);
      continue;
    }
    const { line, name } = typed;
    const host = normalizeHost(name);
    if (!host.ok) {
      reject({ line, message: host.problems[0].message });
      continue;
    }
    names += 1;
    const found = matcher.match(name);
    if (found.length > 0) named += 1;
    total += found.length;
    for (const match of found) if (matches.length < maxMatches) matches.push(viewOf(line, name, match));
  }
  return { notes, rules: rules.map(describeRule), names, named, total, matches, invalidTotal, invalid };
}

function viewOf(line: number, name: string, match: DomainMatch): FoundName {
  const { pattern, technique, distance: edits, score, span, mode, channel } = match;
  const compared = comparedForms[channel];
  return {
    line,
    name: { text: name, start: span.start, end: span.end },
    ...(match.host !== name && { normalized: markedHost(match) }),
    found: { pattern, technique, edits, score },
    where: places[mode],
    ...(compared !== undefined && { compared }),
  };
}

/** The options, and the rules that they stand for. */
function readOptions({ mode, confusables, transpositions, separators }: NamesQuestion): {
  readonly options: MatchOptions;
  readonly rules: readonly MatchRule[];
} {
  if (mode === "recommended") return { options: { mode }, rules: recommendedRules };
  if (!isMatchMode(mode)) {
    const known = [...matchModes, "recommended"].map(quote).join(", ");
    throw new RequestFault(400, `\`mode\` must be one of ${known}; found ${quote(mode)}.`);
  }
  return { options: { mode, confusables, transpositions, separators }, rules: [{ mode, separators }] };
}

function isMatchMode(mode: string): mode is MatchMode {
  return matchModes.some((known) => known === mode);
}
