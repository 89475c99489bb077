/** `edgeproof brand match`: matches names with patterns or with the queries of a world. */

import { formatCount, formatNumber } from "../../../core/format-count.ts";
import { compileTogether, type Matcher } from "../../../engine/brand/matching/matcher.ts";
import type { DomainMatch, DomainQuery, StringMatch } from "../../../engine/brand/model.ts";
import { readOwnNames } from "../../../engine/brand/names/own-names.ts";
import { checkStringMatches, maxPatternsPerQuery } from "../../../engine/brand/query.ts";
import type { World } from "../../../service/world/schema.ts";
import { type Io, stoppedExitCode, UsageError } from "../../command.ts";
import type { match } from "../../declarations/brand.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { readMatchOptions } from "../../input/brand-options.ts";
import { byteStream } from "../../input/byte-stream.ts";
import { assertFileExists } from "../../input/files.ts";
import { type IsNewName, readEarlierNames } from "../../input/names/earlier-names.ts";
import {
  createInvalidLines,
  type InvalidLines,
  invalidLinesExitCode,
} from "../../input/names/invalid-lines.ts";
import { type InvalidLine, type NameLine, nameLines } from "../../input/names/name-lines.ts";
import { loadWorld } from "../../input/world-file.ts";
import { type MatchFormat, matchFormat } from "../../output/brand/match-output.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { createProgressLine, type ProgressLine } from "../../output/progress.ts";
import { standardInput } from "../../standard-input.ts";
import { printEvaluatedNames, tunePatterns } from "./tune.ts";

/** The queries that names are compared with. */
interface MatchTarget {
  readonly matcher: Matcher;
  readonly tagOf: (queryId: number) => string | undefined;
  /** Whether the time bounds of the query accept a match. */
  readonly accepts: (match: DomainMatch, firstSeenMs: number) => boolean;
  /** A line about how patterns are matched, which is printed before the summary. */
  readonly note?: string;
}

export async function run({ options, words, io }: InvocationOf<typeof match>): Promise<number> {
  const { format, column, allowEmpty } = options;
  const files = words.length === 0 ? [standardInput] : words;
  if (options.tune) {
    const patterns = readPatterns(options, io).map(({ match }) => match);
    return tunePatterns(patterns, files, { asJson: format === "jsonl", column, allowEmpty }, io);
  }
  const target =
    options.world === undefined ? targetOfPatterns(options, io) : await targetOfWorld(options, io);
  const isNew = await readEarlierNames(options.newSince, io);
  for (const file of files) await assertFileExists(file);
  const tally: Tally = {
    names: 0,
    named: 0,
    matches: 0,
    invalid: createInvalidLines(),
    known: 0,
    badFiles: [],
  };
  const progress = createProgressLine(io.stderr);
  const { head, line } = matchFormat(format, io.stdout);
  io.stdout.write(head);
  io.handleSignals?.();
  try {
    for (const file of files)
      await matchFile(file, { target, print: line, column, isNew }, tally, progress, io);
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    progress.end();
  }
  io.stderr.write(`${target.note ?? ""}${summaryOf(tally, io.signal.aborted)}`);
  if (io.signal.aborted) return stoppedExitCode;
  if (tally.badFiles.length > 0) return 2;
  if (tally.invalid.count > 0) return invalidLinesExitCode;
  return printEvaluatedNames(tally.names, files, { allowEmpty }, io);
}

interface Tally {
  /** Names that were compared, without invalid lines. */
  names: number;
  /** Names that match. */
  named: number;
  matches: number;
  readonly invalid: InvalidLines;
  /** Names that match and that an earlier run had. */
  known: number;
  /** Files that have invalid lines and nothing else. */
  readonly badFiles: string[];
}

/** How the names of a file are matched and printed. */
interface FileMatching {
  readonly target: MatchTarget;
  readonly print: MatchFormat["line"];
  readonly column: string | undefined;
  readonly isNew: IsNewName;
}

async function matchFile(
  file: string,
  { target: { matcher, tagOf, accepts }, print, column, isNew }: FileMatching,
  tally: Tally,
  progress: ProgressLine,
  io: Io,
): Promise<void> {
  const onInvalid = (line: InvalidLine): void => tally.invalid.add(file, line);
  const lines = nameLines(byteStream(file, io), onInvalid, { column });
  const {
    names: before,
    invalid: { count: invalidBefore },
  } = tally;
  let invalidNames = 0;
  const nowMs = Date.now();
  const found = matcher.scan<NameLine>(lines, {
    signal: io.signal,
    onInvalidName: ({ name, message }) => {
      invalidNames += 1;
      onInvalid({ line: (name as NameLine).line, message });
    },
    onProgress: ({ names }) => {
      tally.names = before + names - invalidNames;
      progress.update(
        `${formatNumber(tally.names)} names, ${formatNumber(tally.matches)} matches, ${formatNumber(tally.invalid.count)} invalid lines`,
      );
    },
  });
  for await (const { name, matches } of found) {
    const accepted = matches.filter((match) => accepts(match, name.firstSeenMs ?? nowMs));
    if (accepted.length === 0) continue;
    if (!isNew(name.domain)) {
      tally.known += 1;
      continue;
    }
    tally.named += 1;
    tally.matches += accepted.length;
    for (const match of accepted) {
      const tag = tagOf(match.query_id);
      const { domain, given } = name;
      io.stdout.write(
        print({ domain, match, ...(tag !== undefined && { tag }), ...(given !== undefined && { given }) }),
      );
    }
  }
  if (tally.names === before && tally.invalid.count > invalidBefore) tally.badFiles.push(file);
}

function summaryOf({ names, named, matches, invalid, known, badFiles }: Tally, stopped: boolean): string {
  const lines = [
    `${formatNumber(matches)} ${matches === 1 ? "match" : "matches"} in ${formatNumber(named)} of ${formatNumber(names)} ${names === 1 ? "name" : "names"}${stopped ? ", stopped" : ""}`,
  ];
  if (known > 0) lines.push(`${formatCount(known, "name")} of an earlier run left out`);
  for (const file of badFiles) lines.push(escapeControlCharacters(`${file}: no line is a host name`));
  return `${[...lines, ...invalid.report()].join("\n")}\n`;
}

/** The valid patterns of the command line. @throws {UsageError} with the problems of all others */
function readPatterns(options: OptionsOf<typeof match>, io: Io): OptionsOf<typeof match>["pattern"] {
  const problems: string[] = [];
  for (const { word, match } of options.pattern) {
    const check = checkStringMatches([match]);
    problems.push(...check.problems.map((problem) => `--pattern ${word}: ${problem.message}`));
    for (const note of check.notes) io.stderr.write(`note: ${note.message}\n`);
  }
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  return options.pattern;
}

function targetOfPatterns(options: OptionsOf<typeof match>, io: Io): MatchTarget {
  const patterns = readPatterns(options, io);
  const matching = readMatchOptions(options);
  const usesEdits = (pattern: (typeof patterns)[number]) => options.mode !== undefined || pattern.hasEdits;
  const edited = queriesOf(patterns.filter(usesEdits), 1);
  const recommended = queriesOf(
    patterns.filter((pattern) => !usesEdits(pattern)),
    edited.length + 1,
  );
  const parts = [
    { queries: edited, options: matching },
    { queries: recommended, options: { ...matching, mode: "recommended" as const } },
  ];
  const matcher = compileTogether(parts.filter(({ queries }) => queries.length > 0));
  const note = recommended.length > 0 ? recommendedNote : "";
  return { matcher, tagOf: () => undefined, accepts: () => true, note };
}

/** For one version after the change of the default. */
const recommendedNote =
  "note: a pattern without an edit count is now matched by the recommended rules; `--pattern paypal:1` matches as before, anywhere within 1 edit.\n";

function queriesOf(all: readonly { readonly match: StringMatch }[], firstId: number): DomainQuery[] {
  return Array.from({ length: Math.ceil(all.length / maxPatternsPerQuery) }, (_, i) => {
    const listed = all.slice(i * maxPatternsPerQuery, (i + 1) * maxPatternsPerQuery);
    return { query_id: firstId + i, parameters: { string_matches: listed.map(({ match }) => match) } };
  });
}

async function targetOfWorld(options: OptionsOf<typeof match>, io: Io): Promise<MatchTarget> {
  // An account of the world can have a comparison of its own; own domains of the command line are left out in any.
  const { own = [], ...brand } = readMatchOptions(options);
  const isOwn = readOwnNames(own);
  const { edge, world } = await loadWorld(options, io, { brand });
  const account = accountOf(world, options.account);
  const { matcher, queries } = await edge.brand.compile(account);
  if (queries.size === 0) throw new UsageError(`the account \`${account}\` has no domain queries`);
  return {
    matcher,
    tagOf: (id) => queries.get(id)?.query.query_tag,
    accepts: (found, firstSeenMs) =>
      !isOwn(found.host) && queries.get(found.query_id)?.accepts(firstSeenMs) === true,
  };
}

function accountOf({ accounts = [] }: World, requested: string | undefined): string {
  const known = accounts.map((account) => account.id);
  const chosen = requested ?? (known.length === 1 ? known[0] : undefined);
  if (chosen !== undefined && known.includes(chosen)) return chosen;
  const list = known.map((id) => `\`${id}\``).join(", ") || "none";
  throw new UsageError(
    requested === undefined
      ? `--account is missing; it is required unless the world has exactly one account; accounts of the world: ${list}`
      : `the world has no account \`${requested}\`; accounts of the world: ${list}`,
  );
}
