/** HEIC: the size of the primary picture as it is displayed, and the coding of pictures (ISO/IEC 23008-12, 6.5). */
import { boxReader } from "./box-reader.ts";
import type { HeaderReader, PictureSize } from "./header.ts";
import { type Box, fourcc } from "./heif-boxes.ts";
import { type HeifItems, readHeifItems } from "./heif-items.ts";

/** Reads the properties of an item that decide on its size; undefined for a size that cannot be. */
type SizeReader = (fields: () => number, size: PictureSize | undefined) => PictureSize | undefined;

const sizeReaders: ReadonlyMap<number, SizeReader> = new Map<number, SizeReader>([
  [fourcc("ispe"), (next) => ({ width: next(), height: next() })],
  [fourcc("clap"), (next, size) => size && cropped(size, next() / next(), next() / next())],
  [fourcc("irot"), (next, size) => size && (next() & 1 ? { width: size.height, height: size.width } : size)],
]);

/** Properties without a version. */
const plainTypes: ReadonlySet<number> = new Set([fourcc("clap"), fourcc("irot")]);

/** A part of a picture; undefined when the picture does not have the part. */
function cropped(size: PictureSize, width: number, height: number): PictureSize | undefined {
  const part = { width: Math.round(width), height: Math.round(height) };
  const fits = part.width >= 1 && part.height >= 1 && part.width <= size.width && part.height <= size.height;
  return fits ? part : undefined;
}

/** The properties of the primary item apply in their order. Decoders ignore the orientation of its EXIF data, as they must. */
export const readHeicHeader: HeaderReader = (bytes, view) => {
  try {
    const items = readHeifItems(bytes);
    const properties = items?.byId.get(items.primary)?.properties ?? [];
    let size: PictureSize | undefined;
    for (const property of properties) {
      const reader = sizeReaders.get(property.type);
      if (!reader) continue;
      size = reader(fieldsOf(view, property), size);
      if (!size) return undefined;
    }
    if (!size || size.width === 0 || size.height === 0) return undefined;
    return { ...size, frames: 1, orientation: 1, certain: true, complete: true };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** The fields of a property: those of `irot` are bytes, all others have four. */
function fieldsOf(view: DataView, property: Box): () => number {
  const { unsigned } = boxReader(view, property, { isPlain: plainTypes.has(property.type) });
  return () => unsigned(property.type === fourcc("irot") ? 1 : 4);
}

/** Maximum depth of items that are derived from others (chosen; real files have two). */
const maxDepth = 32;
const derivations: readonly string[] = ["grid", "iovl", "iden"];

/** The coding of the primary picture, or of the first picture that it is derived from, such as `hvc1`; undefined for none. */
export function readHeifCoding(bytes: Uint8Array): string | undefined {
  try {
    const items = readHeifItems(bytes);
    return items && codingOf(items);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function codingOf({ primary, byId }: HeifItems): string | undefined {
  let item = byId.get(primary);
  for (let depth = 0; item && derivations.includes(item.kind) && depth < maxDepth; depth++)
    item = byId.get(item.inputs[0] ?? -1);
  return item?.kind;
}
