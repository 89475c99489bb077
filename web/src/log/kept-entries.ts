/** The entries of the log that a tab keeps, oldest first. */
import type { LogPage } from "../../../src/workbench/messages.ts";

/** An entry with its id. */
export type LoggedEntry = LogPage["entries"][number];

type Entries = readonly LoggedEntry[];

/** Number of entries that a tab keeps. */
const maxKept = 500;

/** The entries with another one; one that is known already, or older, is left out. */
export function withEntry(entries: Entries, entry: LoggedEntry): Entries {
  const last = entries.at(-1)?.id ?? 0;
  if (entry.id > last) return [...entries.slice(1 - maxKept), entry];
  // A server that was started again counts from 1.
  return entry.id === 1 ? [entry] : entries;
}

/** The entries that were read, and those that another tab has passed on meanwhile and that are newer. */
export function withRead(entries: Entries, read: Entries): Entries {
  const last = read.at(-1)?.id ?? 0;
  return [...read, ...entries.filter(({ id }) => id > last)].slice(-maxKept);
}
