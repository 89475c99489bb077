/** Reads a batch of a feed and finds the queries of each name. */
import { normalizeHost } from "../../../engine/brand/names/host.ts";
import type { Watch } from "./compiled-domain-queries.ts";
import type { Judged } from "./domain-store.ts";
import { canonicalDomain, isPlainName, readSeen, type Seen } from "./feed-record.ts";

/** Something in a feed that is no name, or has a wrong member. */
export interface InvalidRecord {
  /** Position in the feed, from 1. */
  readonly line: number;
  readonly message: string;
}

export interface JudgedBatch {
  /** Each name once: what the batch says of it is put together. */
  readonly names: readonly Judged[];
  readonly bad: readonly InvalidRecord[];
}

/** A record with the name in its canonical form, and its position in the feed. */
interface Line extends Seen {
  readonly line: number;
}

/** @param firstLine position of the first element in the feed */
export async function judgeBatch(
  batch: readonly unknown[],
  firstLine: number,
  { matcher }: Pick<Watch, "matcher">,
  nowMs: number,
): Promise<JudgedBatch> {
  const bad: InvalidRecord[] = [];
  const lines: Line[] = [];
  for (const [i, item] of batch.entries()) {
    const read = readLine(item, firstLine + i);
    if ("message" in read) bad.push(read);
    else lines.push(read);
  }
  const unnamed = new Set<Line>();
  const found = new Map<string, readonly number[]>();
  // The matcher looks at each name anyway, so it is the one to say which are none.
  const onBadName = (fault: { readonly line: number; readonly message: string }) => {
    const line = lines[fault.line - 1]!;
    unnamed.add(line);
    bad.push({ line: line.line, message: fault.message });
  };
  for await (const { name, matches } of matcher.scan([lines], { onInvalidName: onBadName })) {
    found.set(name.domain, [...new Set(matches.map((match) => match.query_id))]);
  }
  const good = unnamed.size === 0 ? lines : lines.filter((line) => !unnamed.has(line));
  return { names: merge(good, found, nowMs), bad: bad.sort((a, b) => a.line - b.line) };
}

function readLine(item: unknown, line: number): Line | InvalidRecord {
  const seen = readSeen(item);
  if (typeof seen === "string") return { line, message: seen };
  const { firstSeenMs, facts } = seen;
  const domain = canonicalDomain(seen.domain);
  if (!isPlainName(domain, seen.domain)) {
    // Its canonical form may be a name where what was given is none.
    const given = normalizeHost(seen.domain);
    if (!given.ok) return { line, message: given.problems[0].message };
  }
  // Member by member: objects that are spread fill the heap of a long feed.
  return { domain, firstSeenMs, facts, line };
}

const none: readonly number[] = [];

function merge(
  lines: readonly Line[],
  found: ReadonlyMap<string, readonly number[]>,
  nowMs: number,
): readonly Judged[] {
  const names = new Map<string, Judged>();
  for (const { domain, firstSeenMs = nowMs, facts } of lines) {
    const before = names.get(domain);
    const queryIds = found.get(domain) ?? none;
    if (!before) names.set(domain, { domain, firstSeenMs, facts, queryIds });
    else {
      const earliest = Math.min(firstSeenMs, before.firstSeenMs);
      names.set(domain, { ...before, firstSeenMs: earliest, facts: { ...before.facts, ...facts } });
    }
  }
  return [...names.values()];
}
