/**
 * HEIF: whether a file has all data that its picture needs: that of the primary item, of its alpha plane, and of all items
 * that these are derived from. Decoders fill missing tiles with a color, without an error (observed).
 */
import { type Extent, type HeifItem, type HeifItems, readHeifItems } from "./heif-items.ts";

/** Maximum depth of items that are derived from others (chosen; real files have two). */
const maxDepth = 32;

/** The missing part, as a clause; undefined for a whole file. Data that the picture does not need may be missing. */
export function findMissingHeifData(bytes: Uint8Array): string | undefined {
  try {
    const items = readHeifItems(bytes);
    return items ? missingOf(items.primary, items, bytes, new Set(), []) : "it has no primary item";
  } catch (error) {
    if (error instanceof RangeError) return "its metadata is cut off";
    throw error;
  }
}

/**
 * @param whole items that are known to be whole
 * @param path the items that need this one
 */
function missingOf(
  id: number,
  items: HeifItems,
  bytes: Uint8Array,
  whole: Set<number>,
  path: readonly number[],
): string | undefined {
  if (whole.has(id)) return undefined;
  if (path.includes(id)) return `item ${id} is derived from itself`;
  if (path.length >= maxDepth) return `its items are nested more than ${maxDepth} deep`;
  const item = items.byId.get(id);
  if (!item) return `item ${id} does not exist`;
  const own = missingData(item) ?? missingTiles(item, bytes);
  if (own !== undefined) return own;
  for (const needed of [...item.inputs, ...item.alphas]) {
    const missing = missingOf(needed, items, bytes, whole, [...path, id]);
    if (missing !== undefined) return missing;
  }
  whole.add(id);
  return undefined;
}

function missingData({ id, kind, extents }: HeifItem): string | undefined {
  if (extents === "elsewhere") return `the data of item ${id} is not stored in the file by itself`;
  // An identity derivation has only its input.
  if (!extents || extents.length === 0) return kind === "iden" ? undefined : `item ${id} has no data`;
  if (!extents.every(({ complete }) => complete)) return `the data of item ${id} is cut off`;
  // The decoder reads no bytes then, and conceals that in tiles (observed, libheif 1.23).
  return extents.every(({ bounded }) => bounded)
    ? undefined
    : `the length of the data of item ${id} is not stated`;
}

function missingTiles({ id, kind, extents, inputs }: HeifItem, bytes: Uint8Array): string | undefined {
  if (kind !== "grid" || !extents || extents === "elsewhere") return undefined;
  const [, , rows, columns] = readStart(extents, bytes, 4);
  if (rows === undefined || columns === undefined) return `the data of item ${id} is cut off`;
  const count = (rows + 1) * (columns + 1);
  return inputs.length >= count ? undefined : `the grid of item ${id} has ${inputs.length} of ${count} tiles`;
}

/** The first bytes of an item, whose data may be in several extents. */
function readStart(extents: readonly Extent[], bytes: Uint8Array, length: number): number[] {
  const start: number[] = [];
  for (const extent of extents) {
    const end = Math.min(extent.end, extent.start + length - start.length);
    start.push(...bytes.subarray(extent.start, end));
    if (start.length >= length) break;
  }
  return start;
}
