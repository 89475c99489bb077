/** Finds the entries whose keys a value has: by equality, by prefix, or by a part. */
import { addTo } from "../../../core/groups.ts";

/** The keys of one value, with the positions of the entries that have them. */
export interface KeyIndex {
  /** Calls `found` with the positions of all entries that have a key of the value, and perhaps of some others. */
  find(value: unknown, found: (positions: readonly number[]) => void): void;
}

/** Positions by key. */
export interface Keys {
  readonly equal: ReadonlyMap<unknown, readonly number[]>;
  readonly starts: ReadonlyMap<string, readonly number[]>;
  readonly contains: ReadonlyMap<string, readonly number[]>;
}

/** Creates the index. */
export function createKeyIndex({ equal, starts, contains }: Keys): KeyIndex {
  const lengths = [...new Set([...starts.keys()].map((prefix) => prefix.length))].sort((a, b) => a - b);
  const parts = createPartIndex(contains);
  return {
    find: (value, found) => {
      const same = equal.get(value);
      if (same !== undefined) found(same);
      if (typeof value !== "string") return;
      for (const length of lengths) {
        if (length > value.length) break;
        const positions = starts.get(value.slice(0, length));
        if (positions !== undefined) found(positions);
      }
      parts(value, found);
    },
  };
}

type FindParts = KeyIndex["find"] extends (value: unknown, found: infer F) => void
  ? (value: string, found: F) => void
  : never;

/** The length of the pieces by which parts are looked up, in bytes. */
const pieceLength = 3;

/**
 * Each part is looked up by its rarest piece of three bytes, so that the work depends on the length of the value and not
 * on the number of parts. Shorter parts are searched one by one.
 */
function createPartIndex(contains: Keys["contains"]): FindParts {
  const short = [...contains].filter(([part]) => part.length < pieceLength);
  const long = [...contains].filter(([part]) => part.length >= pieceLength);
  const counts = new Map<number, number>();
  for (const [part] of long)
    for (const piece of new Set(piecesOf(part))) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const byPiece = new Map<number, (readonly [string, readonly number[]])[]>();
  for (const entry of long) {
    const rarest = piecesOf(entry[0]).reduce((best, piece) =>
      (counts.get(piece) ?? 0) < (counts.get(best) ?? 0) ? piece : best,
    );
    addTo(byPiece, rarest, entry);
  }
  return (value, found) => {
    for (const [part, positions] of short) if (value.includes(part)) found(positions);
    if (byPiece.size === 0) return;
    for (let i = 0; i + pieceLength <= value.length; i++) {
      const entries = byPiece.get(pieceAt(value, i));
      if (entries === undefined) continue;
      for (const [part, positions] of entries) if (value.includes(part)) found(positions);
    }
  };
}

function piecesOf(part: string): number[] {
  return Array.from({ length: part.length - pieceLength + 1 }, (_, i) => pieceAt(part, i));
}

/** Three bytes as a number; strings of custom rules have one code unit for each byte. */
function pieceAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2);
}
