/**
 * The tables of one filter as a block of bytes: fields (one word each), then the tables. Fields that name a table are offsets in
 * the block, so that a block can be copied to any address.
 */

/** The fields of a piece index, the last ones of a block, in the order of `useIndex` in assembly/piece-index.ts. */
export const indexFields = [
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
  "starts",
  "startBits",
] as const;

/** The fields of a filter's block, in the order of `Field` in assembly/names.ts. */
export const filterFields = [
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
  "pairs",
  ...indexFields,
] as const;

export type IndexField = (typeof indexFields)[number];

export type TableField = (typeof filterFields)[number];

type Table = Uint8Array | Uint16Array | Uint32Array | BigUint64Array;

/** Tables that are being written. */
export interface TableWriter<Field = TableField> {
  /** Sets a field to a number. */
  set(field: Field, value: number): void;
  /** Adds a table and sets its field to the table's offset. */
  write(field: Field, table: Table): void;
  /** Adds zeroed bytes, sets their field to their offset, and returns it. */
  reserve(field: Field, bytes: number): number;
  /** Returns the block. */
  finish(): Uint8Array;
}

const wordBytes = 4;
/** Vectors are read up to this many bytes at a time. */
export const alignment = 16;

/** Starts a block with these fields. */
export function createTableWriter<Field>(fields: readonly Field[]): TableWriter<Field> {
  const header = new Uint32Array(fields.length);
  const tables: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  let size = alignedSize(wordBytes * fields.length);

  function reserve(field: Field, bytes: number): number {
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
    reserve,
    finish() {
      const bytes = new Uint8Array(size);
      bytes.set(new Uint8Array(header.buffer));
      for (const table of tables) bytes.set(table.bytes, table.at);
      return bytes;
    },
  };
}

/** A size rounded up, so that the next table is aligned. */
function alignedSize(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
