/** `edgeproof match`: names against patterns, or against the queries of a world. */

import { compileQueries, type Matcher } from "../../engine/brand/matching/matcher.ts";
import type { DomainMatch, DomainQuery, StringMatch } from "../../engine/brand/model.ts";
import { checkStringMatches, maxEditDistance, maxPatternsPerQuery } from "../../engine/brand/query.ts";
import { quote } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import {
  type Command,
  type CommandInput,
  choice,
  flag,
  type Io,
  stoppedCode,
  text,
  texts,
  UsageError,
} from "../command.ts";
import { matchOptions, readMatchOptions } from "../input/brand-options.ts";
import { byteStream } from "../input/byte-stream.ts";
import { assertThere, standardInput } from "../input/files.ts";
import { type BadLine, type NameLine, nameLines } from "../input/name-lines.ts";
import { loadWorld, worldOption } from "../input/world-file.ts";
import { visible } from "../output/escape-control-characters.ts";
import { matchFormats } from "../output/match-output.ts";
import { grouped, type ProgressLine, progressLine } from "../output/progress.ts";

/** Edits of a pattern that says nothing. */
const defaultEdits = 1;

/** Bad lines that are told one by one. */
const shownFaults = 5;

export const match: Command = {
  name: "match",
  group: "brand",
  summary: "Find names that resemble a brand, in files of any size.",
  about: [
    "Reads names, one a line, as plain text, JSON Lines or gzip of either, in files of any size. Bad lines are counted and told, never fatal.",
  ],
  positionals: "[file...]",
  options: {
    pattern: {
      type: "string",
      multiple: true,
      value: "text[:edits]",
      help: `What to look for, and how many edits away (0 to 3, default ${defaultEdits}). Can be repeated.`,
    },
    ...worldOption,
    account: {
      type: "string",
      value: "id",
      help: "Account of the world whose queries are asked. Default: the only one.",
    },
    format: { type: "string", value: "table|jsonl|csv", help: "Default table." },
    json: { type: "boolean", help: "The same as --format jsonl: a JSON value a line." },
    ...matchOptions,
  },
  exits: {
    0: "The names were read, whether any matches or not.",
    2: "A file or an option cannot be used; standard error says why.",
    130: "It was stopped (Ctrl-C); what was found until then is printed.",
  },
  examples: [
    "edgeproof match --pattern paypal:1 --pattern microsoft:2 names.txt",
    "zcat names.gz | edgeproof match --pattern paypal:1 --format jsonl",
    "edgeproof match --world world.json --account a1 new-domains.jsonl.gz --format csv",
  ],
  run: runMatch,
};

/** What names are held against. */
interface Sought {
  readonly matcher: Matcher;
  readonly tagOf: (queryId: number) => string | undefined;
  readonly accepts: (match: DomainMatch, firstSeenMs: number) => boolean;
}

async function runMatch(input: CommandInput, io: Io): Promise<number> {
  const format = flag(input, "json") ? "jsonl" : choice(input, "format", ["table", "jsonl", "csv"], "table");
  const sought = await readSought(input, io);
  const files = input.positionals.length === 0 ? [standardInput] : input.positionals;
  for (const file of files) await assertThere(file);
  const tally: Tally = { names: 0, named: 0, matches: 0, bad: 0, badLines: [] };
  const progress = progressLine(io.stderr);
  const { head, line } = matchFormats[format];
  io.stdout.write(head);
  try {
    for (const file of files) await matchFile(file, sought, line, tally, progress, io);
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    progress.end();
  }
  io.stderr.write(summaryOf(tally, io.signal.aborted));
  return io.signal.aborted ? stoppedCode : 0;
}

interface Tally {
  /** Names that were held against the patterns; bad ones are none. */
  names: number;
  /** Names that match. */
  named: number;
  matches: number;
  bad: number;
  /** The first of the bad lines. */
  readonly badLines: (BadLine & { readonly file: string })[];
}

/** Lines of a chunk that cannot be read come before those that hold no name: they are put in order. */
function countBad(tally: Tally, file: string, bad: BadLine): void {
  const { badLines } = tally;
  tally.bad += 1;
  const before = badLines.findLastIndex((other) => other.file !== file || other.line < bad.line);
  badLines.splice(before + 1, 0, { ...bad, file });
  badLines.length = Math.min(badLines.length, shownFaults);
}

async function matchFile(
  file: string,
  { matcher, tagOf, accepts }: Sought,
  print: (typeof matchFormats)["table"]["line"],
  tally: Tally,
  progress: ProgressLine,
  io: Io,
): Promise<void> {
  const onBad = (bad: BadLine): void => countBad(tally, file, bad);
  const lines = nameLines(byteStream(file, io), onBad);
  const before = tally.names;
  let badNames = 0;
  const nowMs = Date.now();
  const found = matcher.scan<NameLine>(lines, {
    signal: io.signal,
    onInvalidName: ({ name, message }) => {
      badNames += 1;
      onBad({ line: (name as NameLine).line, message });
    },
    onProgress: ({ names }) => {
      tally.names = before + names - badNames;
      progress.update(
        `${grouped(tally.names)} names, ${grouped(tally.matches)} matches, ${grouped(tally.bad)} bad lines`,
      );
    },
  });
  for await (const { name, matches } of found) {
    const accepted = matches.filter((match) => accepts(match, name.firstSeenMs ?? nowMs));
    if (accepted.length > 0) tally.named += 1;
    tally.matches += accepted.length;
    for (const match of accepted) {
      const tag = tagOf(match.query_id);
      io.stdout.write(print({ domain: name.domain, match, ...(tag !== undefined && { tag }) }));
    }
  }
}

function summaryOf({ names, named, matches, bad, badLines }: Tally, stopped: boolean): string {
  const lines = [
    `${grouped(matches)} matches in ${grouped(named)} of ${grouped(names)} names${stopped ? ", stopped" : ""}`,
  ];
  if (bad > 0) lines.push(`${grouped(bad)} bad lines${bad > badLines.length ? ", the first of them" : ""}:`);
  const told = badLines.map(({ file, line, message }) => visible(`  ${file} line ${line}: ${message}`));
  return `${[...lines, ...told].join("\n")}\n`;
}

async function readSought(input: CommandInput, io: Io): Promise<Sought> {
  const patterns = texts(input, "pattern");
  const hasWorld = text(input, "world") !== undefined;
  if (hasWorld === patterns.length > 0) {
    throw new UsageError("say what to look for: either --pattern, once or more, or --world");
  }
  return hasWorld ? soughtInWorld(input, io) : soughtPatterns(patterns, input, io);
}

function soughtPatterns(patterns: readonly string[], input: CommandInput, io: Io): Sought {
  const all = patterns.map(readPattern);
  const problems: string[] = [];
  for (const [i, one] of all.entries()) {
    const check = checkStringMatches([one]);
    problems.push(...check.problems.map((problem) => `--pattern ${patterns[i]}: ${problem.message}`));
    for (const note of check.notes) io.stderr.write(`note: ${note.message}\n`);
  }
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  const matcher = compileQueries(queriesOf(all), readMatchOptions(input));
  return { matcher, tagOf: () => undefined, accepts: () => true };
}

/** The edits stand behind the last colon; no name has a colon, so anything else there is a slip. @throws {UsageError} */
function readPattern(word: string): StringMatch {
  const colon = word.lastIndexOf(":");
  if (colon < 0) return { pattern: word, max_edit_distance: defaultEdits };
  const edits = word.slice(colon + 1);
  if (/^\d{1,3}$/.test(edits)) return { pattern: word.slice(0, colon), max_edit_distance: Number(edits) };
  const found = `behind its colon stands ${quote(edits)}`;
  throw new UsageError(`--pattern ${word}: ${found}; edits must be an integer from 0 to ${maxEditDistance}`);
}

function queriesOf(all: readonly StringMatch[]): DomainQuery[] {
  return Array.from({ length: Math.ceil(all.length / maxPatternsPerQuery) }, (_, i) => {
    const string_matches = all.slice(i * maxPatternsPerQuery, (i + 1) * maxPatternsPerQuery);
    return { query_id: i + 1, parameters: { string_matches } };
  });
}

async function soughtInWorld(input: CommandInput, io: Io): Promise<Sought> {
  const { edge, world } = await loadWorld(input, io, { brand: readMatchOptions(input) });
  const account = accountOf(world, text(input, "account"));
  const { matcher, queries } = await edge.brand.compile(account);
  if (queries.size === 0) throw new UsageError(`the account \`${account}\` has no domain queries`);
  return {
    matcher,
    tagOf: (id) => queries.get(id)?.query.query_tag,
    accepts: (found, firstSeenMs) => queries.get(found.query_id)!.accepts(firstSeenMs),
  };
}

function accountOf({ accounts = [] }: World, wanted: string | undefined): string {
  const known = accounts.map((account) => account.id);
  const chosen = wanted ?? (known.length === 1 ? known[0] : undefined);
  if (chosen !== undefined && known.includes(chosen)) return chosen;
  const list = known.map((id) => `\`${id}\``).join(", ") || "none";
  throw new UsageError(
    wanted === undefined
      ? `the world has several accounts or none; name one with --account: ${list}`
      : `the world has no account \`${wanted}\`; its accounts are ${list}`,
  );
}
