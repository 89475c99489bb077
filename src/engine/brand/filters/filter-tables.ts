/**
 * The tables of one filter as a block of bytes: fields (one word each, assembly/names.ts), then the tables. Fields that
 * name a table are offsets in the block, so that a block can be copied to any address.
 */

/** The fields of a block, in the order of `Field` in assembly/names.ts. */
const fields = [
  "epoch",
  "swaps",
  "patternCount",
  "masks",
  "lengths",
  "limits",
  "offsets",
  "letters",
  "stamps",
  "found",
  "linearEnd",
  "lengthStarts",
  "widest",
  "groups",
  "groupTables",
  "groupStates",
  "groupFirst",
  "groupBytes",
  "indexed",
  "bitmap",
  "bitmapBits",
  "slots",
  "slotBits",
  "entries",
  "entriesEnd",
  "pieceLengths",
  "probes",
  "probeStarts",
  "longestProbed",
  "pairs",
] as const;

export type TableField = (typeof fields)[number];

type Table = Uint8Array | Uint16Array | Uint32Array | BigUint64Array;

/** Tables that are being written. */
export interface TableWriter {
  /** Sets a field to a number. */
  set(field: TableField, value: number): void;
  /** Adds a table and sets its field to the table's offset. */
  write(field: TableField, table: Table): void;
  /** Adds zeroed bytes and sets their field to their offset. */
  reserve(field: TableField, bytes: number): void;
  /** Returns the block. */
  finish(): FilterBlock;
}

/** The tables of a filter. */
export interface FilterBlock {
  readonly bytes: Uint8Array;
  /** Offset of the patterns that a search finds. */
  readonly found: number;
}

const wordBytes = 4;
/** Vectors are read up to this many bytes at a time. */
export const alignment = 16;

/** Starts a block. */
export function createTableWriter(): TableWriter {
  const header = new Uint32Array(fields.length);
  const tables: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  let size = alignedSize(wordBytes * fields.length);

  function reserve(field: TableField, bytes: number): number {
    const at = size;
    header[fields.indexOf(field)] = at;
    size = alignedSize(at + bytes);
    return at;
  }

  return {
    set(field, value) {
      header[fields.indexOf(field)] = value;
    },
    write(field, table) {
      const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength);
      tables.push({ at: reserve(field, bytes.length), bytes });
    },
    reserve: (field, bytes) => void reserve(field, bytes),
    finish() {
      const bytes = new Uint8Array(size);
      bytes.set(new Uint8Array(header.buffer));
      for (const table of tables) bytes.set(table.bytes, table.at);
      return { bytes, found: header[fields.indexOf("found")] ?? 0 };
    },
  };
}

/** A size rounded up, so that the next table is aligned. */
function alignedSize(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
