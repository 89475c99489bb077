/** AVIF: what the boxes of its container show before the decoder opens it (ISO/IEC 14496-12, 4.2; 23008-12, 6.5.3). */

const boxHeader = 8;
/** Bytes of the large form of a box's header. */
const largeHeader = 16;
const ftyp = 0x66747970;
const moov = 0x6d6f6f76;
const meta = 0x6d657461;
const ispe = 0x69737065;
const avis = 0x61766973;
/** Bytes of the version and flags of a box, before its own fields. */
const versionBytes = 4;

/** A box: its type, and where its content is. */
interface Box {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** Whether a file is an image sequence: a film in a container of images. Its major brand or its track box shows it. */
export function isAvifSequence(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  return boxesOf(view).some(({ type, start, end }) => {
    return type === moov || (type === ftyp && start + 4 <= end && view.getUint32(start) === avis);
  });
}

/**
 * Pixels of the largest item that the metadata declares; 0 when it declares none. A bound for memory: which item is the
 * primary one is the decoder's to find.
 */
export function largestAvifItem(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const found = boxesOf(view).find(({ type }) => type === meta);
  let largest = 0;
  if (!found) return largest;
  for (let at = found.start; at + 16 <= found.end; at++) {
    if (view.getUint32(at) !== ispe) continue;
    const size = at + 4 + versionBytes;
    largest = Math.max(largest, view.getUint32(size) * view.getUint32(size + 4));
  }
  return largest;
}

/** The boxes of the file itself, without those inside them; the last one may be cut off. */
function boxesOf(view: DataView): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + boxHeader <= view.byteLength; ) {
    const { header, length } = readLength(view, at);
    if (length < header) break;
    const end = Math.min(at + length, view.byteLength);
    boxes.push({ type: view.getUint32(at + 4), start: Math.min(at + header, end), end });
    at += length;
  }
  return boxes;
}

/** A length of 1 means that a longer one follows, 0 that the box extends to the end of the file. */
function readLength(view: DataView, at: number): { readonly header: number; readonly length: number } {
  const length = view.getUint32(at);
  if (length === 0) return { header: boxHeader, length: view.byteLength - at };
  if (length !== 1) return { header: boxHeader, length };
  if (at + largeHeader > view.byteLength) return { header: largeHeader, length: 0 };
  return { header: largeHeader, length: Number(view.getBigUint64(at + 8)) };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
