/**
 * A cache of facts about long lists: their totals, and bookmarks from which later pages are read. Kept for each account, set of
 * queries, conditions and order until one of its matches changes, as the store's count of changes reports.
 */
import { createLruCache } from "../../../core/lru-cache.ts";
import type { FieldValue } from "../../../store/port.ts";

/** A place in a list of names. */
export interface Bookmark {
  /** Number of names before the place. */
  readonly rank: number;
  /** Position of the last match of those names; undefined at the start. */
  readonly after?: readonly FieldValue[];
}

export interface Bookmarks {
  /** The last bookmark whose rank is at most `rank`. */
  nearest(rank: number): Bookmark;
  /** Whether a bookmark is due at a rank that a pass through the list has reached. */
  isDue(rank: number): boolean;
  add(bookmark: Bookmark): void;
}

export interface ListCache {
  /** The total of a list in this state, which is counted when it is not known. */
  total(list: string, changes: number, count: () => Promise<number>): Promise<number>;
  /** The bookmarks of an ordered list in this state. */
  bookmarks(list: string, changes: number): Bookmarks;
}

/** Maximum number of totals, and of lists with bookmarks. */
const maxTotals = 1_000;
const maxLists = 32;
/** Maximum number of bookmarks of a list; then every second one is removed. */
const maxBookmarks = 16_384;
/** Names between two bookmarks at first. */
const minSpacing = 64;

export function createListCache(): ListCache {
  const totals = createLruCache<{ readonly changes: number; readonly total: number }>(maxTotals);
  const lists = createLruCache<{ readonly changes: number; readonly bookmarks: Bookmarks }>(maxLists);
  return {
    total: async (list, changes, count) => {
      const known = totals.get(list);
      if (known?.changes === changes) return known.total;
      const total = await count();
      // A transaction that began earlier can end later.
      if ((totals.get(list)?.changes ?? 0) <= changes) totals.set(list, { changes, total });
      return total;
    },
    bookmarks: (list, changes) => {
      const known = lists.get(list);
      if (known?.changes === changes) return known.bookmarks;
      const bookmarks = createBookmarks();
      if ((known?.changes ?? 0) <= changes) lists.set(list, { changes, bookmarks });
      return bookmarks;
    },
  };
}

function createBookmarks(): Bookmarks {
  /** In ascending order of rank. */
  let all: Bookmark[] = [];
  let spacing = minSpacing;

  /** The number of bookmarks whose rank is at most `rank`. */
  function countUpTo(rank: number): number {
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((all[middle]?.rank ?? 0) <= rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const nearest = (rank: number) => all[countUpTo(rank) - 1] ?? { rank: 0 };
  return {
    nearest,
    isDue: (rank) => rank - nearest(rank).rank >= spacing,
    add: (bookmark) => {
      const at = countUpTo(bookmark.rank);
      if (all[at - 1]?.rank === bookmark.rank || bookmark.rank === 0) return;
      all.splice(at, 0, bookmark);
      if (all.length <= maxBookmarks) return;
      all = all.filter((_, i) => i % 2 === 1);
      spacing *= 2;
    },
  };
}
