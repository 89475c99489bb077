/** AVIF and HEIC files with every feature of their container (ISO/IEC 23008-12; AVIF 1.1), written box by box. */
import sharp from "sharp";

/** An item of a file: a coded picture, or a grid of earlier items. */
export interface AvifItem {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  /** Coded picture with its configuration. Absent for a grid. */
  readonly coded?: CodedPicture;
  /** Tiles of a grid, by item id, row by row. */
  readonly grid?: { readonly rows: number; readonly columns: number; readonly tiles: readonly number[] };
  /** Quarter turns counterclockwise. */
  readonly rotation?: number;
  /** Axis of a mirror: 0 or 1. */
  readonly mirror?: number;
  /** A part around the middle: `clap`, before the rotation. */
  readonly part?: { readonly width: number; readonly height: number };
  readonly hidden?: boolean;
  /** The item that this one is a thumbnail or an auxiliary picture of. */
  readonly belongsTo?: { readonly kind: "thmb" | "auxl" | "prem"; readonly id: number };
}

export interface CodedPicture {
  /** Default `av01`. */
  readonly coding?: string;
  readonly configuration: Buffer;
  readonly data: Buffer;
}

export interface AvifLayout {
  readonly items: readonly AvifItem[];
  readonly primary: number;
  /** Default `avif`. */
  readonly brand?: string;
  readonly compatible?: readonly string[];
  /** Boxes after the metadata. */
  readonly after?: readonly Buffer[];
  /** Where the data of items is: "mdat" by default, in two extents each, or in `idat`. */
  readonly storage?: "mdat" | "two extents" | "idat";
  /** Whether the length of the last item's extent is 0: to the end of the file. */
  readonly isOpenEnded?: boolean;
  /** References besides those of the items: kind, item, and the items that it refers to. */
  readonly references?: readonly (readonly [kind: string, from: number, to: readonly number[]])[];
}

export function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, "latin1"), body]);
}

function fullBox(type: string, version: number, flags: number, ...contents: readonly Uint8Array[]): Buffer {
  return box(type, u32(version * 0x1000000 + flags), ...contents);
}

function u16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a picture of one color, and takes its coded data out of the container. */
export async function codedPicture(width: number, height: number, red: number): Promise<CodedPicture> {
  const create = { width, height, channels: 3 as const, background: { r: red, g: 80, b: 40 } };
  const file = await sharp({ create }).avif({ effort: 0 }).toBuffer();
  const configurationAt = file.indexOf("av1C") - 4;
  const dataAt = file.indexOf("mdat") + 4;
  return {
    configuration: file.subarray(configurationAt, configurationAt + file.readUInt32BE(configurationAt)),
    data: file.subarray(dataAt),
  };
}

/** Writes a file. */
export function writeAvif(layout: AvifLayout): Buffer {
  const { items, brand = "avif", compatible, after = [], storage } = layout;
  const brands = compatible ?? [brand, "mif1", "miaf"];
  const head = box("ftyp", Buffer.from(brand), u32(0), ...brands.map((name) => Buffer.from(name)));
  const data = items.map(dataOf);
  if (storage === "idat") return Buffer.concat([head, writeMeta(layout, data, 0), ...after]);
  const measured = writeMeta(layout, data, 0);
  const meta = writeMeta(layout, data, head.length + measured.length + 8);
  return Buffer.concat([head, meta, box("mdat", ...data), ...after]);
}

function dataOf({ coded, grid, width, height }: AvifItem): Buffer {
  if (coded) return coded.data;
  const { rows, columns } = grid ?? { rows: 1, columns: 1 };
  return Buffer.concat([Buffer.of(0, 0, rows - 1, columns - 1), u16(width), u16(height)]);
}

function writeMeta(layout: AvifLayout, data: readonly Buffer[], from: number): Buffer {
  const { items, primary, storage, isOpenEnded = false, references = [] } = layout;
  let at = from;
  const places = items.map(({ id }, n) => {
    const length = data[n]?.length ?? 0;
    const first = storage === "two extents" ? length >> 1 : length;
    const isLast = isOpenEnded && n === items.length - 1;
    const extents = [u32(at), u32(isLast ? 0 : first)];
    if (first < length) extents.push(u32(at + first), u32(length - first));
    at += length;
    return Buffer.concat([
      u16(id),
      u16(storage === "idat" ? 1 : 0),
      u16(0),
      u16(extents.length / 2),
      ...extents,
    ]);
  });
  const infos = items.map(({ id, coded, hidden }) =>
    fullBox(
      "infe",
      2,
      hidden ? 1 : 0,
      u16(id),
      u16(0),
      Buffer.from(coded ? (coded.coding ?? "av01") : "grid"),
      Buffer.of(0),
    ),
  );
  return fullBox(
    "meta",
    0,
    0,
    fullBox("hdlr", 0, 0, u32(0), Buffer.from("pict"), Buffer.alloc(13)),
    fullBox("pitm", 0, 0, u16(primary)),
    fullBox("iloc", 1, 0, Buffer.of(0x44, 0x00), u16(items.length), ...places),
    fullBox("iinf", 0, 0, u16(items.length), ...infos),
    ...writeReferences(items, references),
    writeProperties(items),
    ...(storage === "idat" ? [box("idat", ...data)] : []),
  );
}

function writeReferences(
  items: readonly AvifItem[],
  others: NonNullable<AvifLayout["references"]>,
): Buffer[] {
  const references = items.flatMap(({ id, grid, belongsTo }) => [
    ...(grid ? [box("dimg", u16(id), u16(grid.tiles.length), ...grid.tiles.map(u16))] : []),
    ...(belongsTo ? [box(belongsTo.kind, u16(id), u16(1), u16(belongsTo.id))] : []),
  ]);
  references.push(...others.map(([kind, from, to]) => box(kind, u16(from), u16(to.length), ...to.map(u16))));
  return references.length === 0 ? [] : [fullBox("iref", 0, 0, ...references)];
}

function writeProperties(items: readonly AvifItem[]): Buffer {
  const properties: Buffer[] = [];
  const associations = items.map(({ id, width, height, coded, part, rotation, mirror, belongsTo }) => {
    const own = [fullBox("ispe", 0, 0, u32(width), u32(height))];
    own.push(fullBox("pixi", 0, 0, Buffer.of(3, 8, 8, 8)));
    if (coded) own.push(coded.configuration);
    if (part) own.push(box("clap", ...[part.width, 1, part.height, 1, 0, 1, 0, 1].map(u32)));
    if (rotation !== undefined) own.push(box("irot", Buffer.of(rotation)));
    if (mirror !== undefined) own.push(box("imir", Buffer.of(mirror)));
    if (belongsTo?.kind === "auxl") {
      own.push(fullBox("auxC", 0, 0, Buffer.from("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")));
    }
    properties.push(...own);
    const first = properties.length - own.length + 1;
    return Buffer.concat([u16(id), Buffer.of(own.length), Buffer.from(own.map((_, n) => first + n))]);
  });
  const map = fullBox("ipma", 0, 0, u32(items.length), ...associations);
  return box("iprp", box("ipco", ...properties), map);
}
