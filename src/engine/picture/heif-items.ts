/** HEIF: the items of a file, where their data is, and which need which (ISO/IEC 14496-12, 8.11; 23008-12, 6). */

import { addTo } from "../../core/groups.ts";
import { viewOf } from "../../core/view-of.ts";
import { type BoxReader, boxReader } from "./box-reader.ts";
import { type Box, boxesIn, fourcc } from "./heif-boxes.ts";

/** A range of bytes of a file. */
export interface Extent {
  readonly start: number;
  readonly end: number;
  /** Whether it has bytes, and all of them are inside its source: the file or `idat`. */
  readonly complete: boolean;
  /** Whether the file states where it ends. */
  readonly bounded: boolean;
}

/** An item: a coded picture, or one that is derived from others. */
export interface HeifItem {
  readonly id: number;
  /** Coding, or kind of derivation; empty when the file does not state it. */
  readonly kind: string;
  /** Where its data is; "elsewhere" when it is in another file or item, undefined when the file does not state it. */
  readonly extents?: readonly Extent[] | "elsewhere";
  /** The items that it is derived from. */
  readonly inputs: readonly number[];
  /** The items that are its alpha plane. */
  readonly alphas: readonly number[];
  /** Boxes of its properties, in the order in which they apply. */
  readonly properties: readonly Box[];
}

/** The items of a file. */
export interface HeifItems {
  readonly primary: number;
  readonly byId: ReadonlyMap<number, HeifItem>;
}

const alphaTypes = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"];

/**
 * Reads the items of a file.
 *
 * @returns undefined without metadata, or when it has no primary item
 * @throws {RangeError} when the metadata is cut off
 */
export function readHeifItems(bytes: Uint8Array): HeifItems | undefined {
  const view = viewOf(bytes);
  const meta = boxesIn(view).find(({ type }) => type === fourcc("meta"));
  if (!meta) return undefined;
  if (!meta.complete) throw new RangeError("The metadata is cut off.");
  const boxes = boxesIn(view, meta.start + 4, meta.end);
  const read = <T>(name: string, reader: (fields: BoxReader, box: Box) => T): T | undefined => {
    const box = boxes.find(({ type }) => type === fourcc(name));
    return box && reader(boxReader(view, box), box);
  };
  const primary = read("pitm", readPrimary);
  if (primary === undefined) return undefined;
  const idat = boxes.find(({ type }) => type === fourcc("idat"));
  const locations = read("iloc", (fields) => readLocations(fields, view.byteLength, idat)) ?? new Map();
  const kinds = read("iinf", (_, box) => readKinds(view, box)) ?? new Map();
  const references = read("iref", (fields, box) => readReferences(view, fields, box)) ?? [];
  const properties = read("iprp", (_, box) => readProperties(view, box)) ?? new Map();
  const isOther = otherAuxiliaries(view, properties);
  const ids = new Set([...locations.keys(), ...kinds.keys()]);
  const inputs = groupReferences(references, "dimg", "from");
  const auxiliaries = groupReferences(references, "auxl", "to");
  const byId = new Map<number, HeifItem>();
  for (const id of ids) {
    const extents = locations.get(id);
    byId.set(id, {
      id,
      kind: kinds.get(id) ?? "",
      ...(extents && { extents }),
      inputs: inputs.get(id) ?? [],
      alphas: (auxiliaries.get(id) ?? []).filter((auxiliary) => !isOther(auxiliary)),
      properties: properties.get(id) ?? [],
    });
  }
  return { primary, byId };
}

function readPrimary({ version, unsigned }: BoxReader): number {
  return unsigned(version === 0 ? 2 : 4);
}

type Locations = Map<number, readonly Extent[] | "elsewhere">;

/** Sizes of the fields of a location, in bytes. */
interface FieldSizes {
  readonly offset: number;
  readonly length: number;
  readonly base: number;
  readonly index: number;
}

function readLocations({ version, unsigned }: BoxReader, fileEnd: number, idat: Box | undefined): Locations {
  const sizes = unsigned(2);
  const size = (shift: number) => (sizes >> shift) & 15;
  const fields: FieldSizes = {
    offset: size(12),
    length: size(8),
    base: size(4),
    index: version > 0 ? size(0) : 0,
  };
  const locations: Locations = new Map();
  for (let left = unsigned(version < 2 ? 2 : 4); left > 0; left--) {
    const id = unsigned(version < 2 ? 2 : 4);
    const method = version > 0 ? unsigned(2) & 15 : 0;
    const isOther = unsigned(2) !== 0 || method > 1;
    const source =
      method === 1
        ? { start: idat?.start ?? 0, end: idat?.complete ? idat.end : 0 }
        : { start: 0, end: fileEnd };
    const extents = readExtents(unsigned, fields, source);
    locations.set(id, isOther ? "elsewhere" : extents);
  }
  return locations;
}

/** A length of 0 means that the extent ends with its source. */
function readExtents(
  unsigned: BoxReader["unsigned"],
  sizes: FieldSizes,
  source: Pick<Extent, "start" | "end">,
): Extent[] {
  const base = source.start + unsigned(sizes.base);
  const extents: Extent[] = [];
  const count = unsigned(2);
  // Extents without a byte of their own would cost a file nothing.
  if (count > 1 && sizes.index + sizes.offset + sizes.length === 0)
    throw new RangeError("The extents have no fields.");
  for (let left = count; left > 0; left--) {
    unsigned(sizes.index);
    const start = base + unsigned(sizes.offset);
    const length = unsigned(sizes.length);
    const end = length === 0 ? source.end : start + length;
    extents.push({ start, end, complete: start < end && end <= source.end, bounded: length > 0 });
  }
  return extents;
}

function readKinds(view: DataView, box: Box): Map<number, string> {
  const kinds = new Map<number, string>();
  const { version, unsigned, position } = boxReader(view, box);
  unsigned(version === 0 ? 2 : 4);
  for (const entry of boxesIn(view, position(), box.end)) {
    const fields = boxReader(view, entry);
    const id = fields.unsigned(fields.version === 3 ? 4 : 2);
    fields.unsigned(2);
    kinds.set(id, fields.version < 2 ? "" : fields.text(4));
  }
  return kinds;
}

/** That one item refers to others. */
interface Reference {
  readonly type: number;
  readonly from: number;
  readonly to: readonly number[];
}

function readReferences(view: DataView, { version }: BoxReader, box: Box): Reference[] {
  const idBytes = version === 0 ? 2 : 4;
  return boxesIn(view, box.start + 4, box.end).map((entry) => {
    const { unsigned } = boxReader(view, entry, { isPlain: true });
    const from = unsigned(idBytes);
    const to = Array.from({ length: unsigned(2) }, () => unsigned(idBytes));
    return { type: entry.type, from, to };
  });
}

/** The items that each item refers to (`from`), or is referred to by (`to`), in order. */
function groupReferences(
  references: readonly Reference[],
  name: string,
  by: "from" | "to",
): Map<number, number[]> {
  const grouped = new Map<number, number[]>();
  for (const { type, from, to } of references) {
    if (type !== fourcc(name)) continue;
    for (const id of to) addTo(grouped, by === "from" ? from : id, by === "from" ? id : from);
  }
  return grouped;
}

/** The properties of each item. */
function readProperties(view: DataView, box: Box): Map<number, Box[]> {
  const parts = boxesIn(view, box.start, box.end);
  const all = parts
    .filter(({ type }) => type === fourcc("ipco"))
    .flatMap(({ start, end }) => boxesIn(view, start, end));
  const byItem = new Map<number, Box[]>();
  for (const part of parts.filter(({ type }) => type === fourcc("ipma"))) {
    const { version, flags, unsigned } = boxReader(view, part);
    for (let left = unsigned(4); left > 0; left--) {
      const id = unsigned(version === 0 ? 2 : 4);
      const own = byItem.get(id) ?? [];
      byItem.set(id, own);
      for (let count = unsigned(1); count > 0; count--) {
        const property = all[(flags & 1 ? unsigned(2) & 0x7fff : unsigned(1) & 0x7f) - 1];
        if (property) own.push(property);
      }
    }
  }
  return byItem;
}

/** Whether a property of an item states that the item is another auxiliary picture than alpha: depth, a gain map. */
function otherAuxiliaries(
  view: DataView,
  properties: ReadonlyMap<number, readonly Box[]>,
): (id: number) => boolean {
  const known = new Map<Box, boolean>();
  const isOther = (property: Box): boolean => {
    if (property.type !== fourcc("auxC")) return false;
    const [name = ""] = boxReader(view, property)
      .text(property.end - property.start - 4)
      .split("\0");
    return !alphaTypes.includes(name);
  };
  return (id) =>
    (properties.get(id) ?? []).some((property) => {
      const answer = known.get(property) ?? isOther(property);
      known.set(property, answer);
      return answer;
    });
}
