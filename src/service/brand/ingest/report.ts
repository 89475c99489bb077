/** The counts of observed records that were accepted and rejected. */
import { anyValue, optionsOf } from "../../../core/arguments.ts";
import type { InvalidRecord } from "../feed.ts";

/** The outcome of observed names or pictures. */
export interface IngestCounts {
  /** Names or pictures that were not stored before. */
  readonly new: number;
  /** Names or pictures that were stored before, or occur earlier in the same input. Their new facts are stored. */
  readonly duplicate: number;
  /** Invalid names or pictures; nothing of them is stored. */
  readonly rejected: number;
  /** New matches with the queries of the account. */
  readonly matches: number;
  /** The first 100 that were rejected: number of the line or picture from 1, and the reason. */
  readonly problems: readonly InvalidRecord[];
}

/** How observed records are read. */
export interface IngestOptions {
  /** Ends the call, which then throws the abort reason; stored records stay. */
  readonly signal?: AbortSignal;
  /** Called after each batch of 1,000 names, or after each picture. */
  readonly onProgress?: (report: IngestCounts) => void;
}

/** Maximum of `IngestCounts.problems`. */
const maxProblems = 100;

/** The options of an ingestion. */
export const ingestOptions = optionsOf<IngestOptions>("ingest", { signal: anyValue, onProgress: anyValue });

/** Nothing so far. */
export const emptyReport: IngestCounts = { new: 0, duplicate: 0, rejected: 0, matches: 0, problems: [] };

/** The sum of two reports, one after the other. */
export function addReports(before: IngestCounts, next: IngestCounts): IngestCounts {
  return {
    new: before.new + next.new,
    duplicate: before.duplicate + next.duplicate,
    rejected: before.rejected + next.rejected,
    matches: before.matches + next.matches,
    problems: [...before.problems, ...next.problems].slice(0, maxProblems),
  };
}
