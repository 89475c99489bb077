/** HEIF, the container of AVIF and HEIC: what its boxes show before a decoder opens it (ISO/IEC 14496-12, 4.2; 23008-12, 6.5.3). */
import { viewOf } from "../../core/view-of.ts";

const boxHeader = 8;
/** Bytes of the large form of a box's header. */
const largeHeader = 16;
const ispe = fourcc("ispe");
/** Bytes of the version and flags of a box, before its own fields. */
const versionBytes = 4;

/** A box: its type, and where its content is. */
export interface Box {
  readonly type: number;
  readonly start: number;
  readonly end: number;
  /** Whether it ends inside the box, or the file, that it is in. */
  readonly complete: boolean;
}

/** The number of a type of four characters. */
export function fourcc(name: string): number {
  return [...name].reduce((number, character) => number * 256 + character.charCodeAt(0), 0);
}

/** Major brands of image sequences. */
const sequenceBrands: ReadonlySet<number> = new Set(
  ["avis", "hevc", "hevx", "hevm", "hevs", "msf1"].map(fourcc),
);

/** Whether a file is an image sequence: a film in a container of images. Its major brand or its track box shows it. */
export function isImageSequence(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  return boxesIn(view).some(({ type, start, end }) => {
    return (
      type === fourcc("moov") ||
      (type === fourcc("ftyp") && start + 4 <= end && sequenceBrands.has(view.getUint32(start)))
    );
  });
}

/**
 * Pixels of the largest item that the metadata declares; 0 when it declares none. A bound for memory: which item is the
 * primary one is the decoder's to find.
 */
export function largestHeifItem(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const found = boxesIn(view).find(({ type }) => type === fourcc("meta"));
  let largest = 0;
  if (!found) return largest;
  for (let at = found.start; at + 16 <= found.end; at++) {
    if (view.getUint32(at) !== ispe) continue;
    const size = at + 4 + versionBytes;
    largest = Math.max(largest, view.getUint32(size) * view.getUint32(size + 4));
  }
  return largest;
}

/** The boxes of a file, or of a part of it, without those inside them; the last one may be cut off. */
export function boxesIn(view: DataView, from = 0, to = view.byteLength): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + boxHeader <= to; ) {
    const { header, length } = readLength(view, at, to);
    if (length < header) break;
    const end = Math.min(at + length, to);
    boxes.push({
      type: view.getUint32(at + 4),
      start: Math.min(at + header, end),
      end,
      complete: at + length <= to,
    });
    at += length;
  }
  return boxes;
}

/** A length of 1 means that a longer one follows, 0 that the box extends to the end. */
function readLength(
  view: DataView,
  at: number,
  to: number,
): { readonly header: number; readonly length: number } {
  const length = view.getUint32(at);
  if (length === 0) return { header: boxHeader, length: to - at };
  if (length !== 1) return { header: boxHeader, length };
  if (at + largeHeader > to) return { header: largeHeader, length: 0 };
  return { header: largeHeader, length: Number(view.getBigUint64(at + 8)) };
}
