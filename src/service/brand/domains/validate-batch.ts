/** Validates a batch of a feed and finds the queries whose patterns are in each name. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { normalizeHost } from "../../../engine/brand/names/host.ts";
import { hostPartOf } from "../../../engine/brand/names/host-part.ts";
import type { InvalidRecord, UsedPart } from "../feed.ts";
import { certificateNames } from "./certificate-names.ts";
import { bestPatterns, type CompiledQueries, type FoundPatterns } from "./compiled-domain-queries.ts";
import type { ValidatedName } from "./domain-store.ts";
import { canonicalDomain, type FeedRecord, isPlainName, readFeedRecord } from "./feed-record.ts";

export interface ValidatedBatch {
  /** Each name once, with the facts of all its records. */
  readonly names: readonly ValidatedName[];
  /** Number of valid names before each was reduced to one. */
  readonly valid: number;
  /** In the order of the feed. */
  readonly invalid: readonly InvalidRecord[];
  /** Names that are parts of what was given, in the order of the feed. */
  readonly parts: readonly UsedPart[];
}

/** A record with the canonical form of its name and its position in the feed. */
interface FeedLine extends FeedRecord {
  readonly line: number;
}

/** Names that are matched in a turn of the event loop: some milliseconds with thousands of patterns. `chosen` */
const namesOfTurn = 100;

/** @param firstLine position of the first record in the feed */
export async function validateBatch(
  batch: readonly unknown[],
  firstLine: number,
  { matcher }: Pick<CompiledQueries, "matcher">,
  nowMs: number,
): Promise<ValidatedBatch> {
  const invalid: InvalidRecord[] = [];
  const lines: FeedLine[] = [];
  const parts: UsedPart[] = [];
  for (const [i, record] of batch.entries()) {
    for (const each of certificateNames(record) ?? [record]) {
      const line = readLine(each, firstLine + i, parts);
      if ("message" in line) invalid.push(line);
      else lines.push(line);
    }
  }
  const invalidLines = new Set<FeedLine>();
  const found = new Map<string, FoundPatterns>();
  // The matcher reads every name, so it validates them, too.
  for (let from = 0; from < lines.length; from += namesOfTurn) {
    const onInvalidName = ({ line: number, message }: InvalidRecord) => {
      const line = lines[from + number - 1];
      if (!line) return;
      invalidLines.add(line);
      invalid.push({ line: line.line, message });
    };
    const some = lines.slice(from, from + namesOfTurn);
    for await (const { name, matches } of matcher.scan([some], { onInvalidName }))
      found.set(name.domain, bestPatterns(matches));
    if (from + namesOfTurn < lines.length) await nextTurn();
  }
  const valid = invalidLines.size === 0 ? lines : lines.filter((line) => !invalidLines.has(line));
  return {
    names: mergeNames(valid, found, nowMs),
    valid: valid.length,
    invalid: invalid.sort((a, b) => a.line - b.line),
    parts,
  };
}

/** Adds to `parts` when the name is only a part of what was given. */
function readLine(record: unknown, line: number, parts: UsedPart[]): FeedLine | InvalidRecord {
  const read = readFeedRecord(record);
  if (!read.ok) return { line, message: read.problems[0].message };
  const { domain: whole, firstSeenMs, facts } = read.value;
  const given = hostPartOf(whole);
  if (given !== whole && given !== whole.trim()) parts.push({ line, given: whole, domain: given });
  const domain = canonicalDomain(given);
  if (!isPlainName(domain, given)) {
    // The canonical form can be a host name although the given string is not.
    const host = normalizeHost(given);
    if (!host.ok) return { line, message: host.problems[0].message };
  }
  // Each member is named: spread objects fill the heap in a long feed.
  return { domain, firstSeenMs, facts, line };
}

const none: FoundPatterns = new Map();

function mergeNames(
  lines: readonly FeedLine[],
  found: ReadonlyMap<string, FoundPatterns>,
  nowMs: number,
): readonly ValidatedName[] {
  const names = new Map<string, ValidatedName>();
  for (const { domain, firstSeenMs = nowMs, facts } of lines) {
    const before = names.get(domain);
    const patterns = found.get(domain) ?? none;
    if (!before) names.set(domain, { domain, firstSeenMs, facts, patterns });
    else {
      const earliest = Math.min(firstSeenMs, before.firstSeenMs);
      names.set(domain, { ...before, firstSeenMs: earliest, facts: { ...before.facts, ...facts } });
    }
  }
  return [...names.values()];
}
