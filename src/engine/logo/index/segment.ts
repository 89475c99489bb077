/**
 * Segments: the prefilter data of many pictures as bytes, 33 bytes a view and 29 a picture, to find the pictures that are
 * worth a full comparison without reading their descriptors.
 *
 * Layout (little endian): layout version, descriptor version, 0, 0; number of pictures (4) and of views (4); then, each
 * for all pictures or views: id (4) and first view (4) of a picture, start of its digest (4), hash of a view (32), its
 * aspect (1), coarse thumbnail of a picture (16), and whether it is solid (1).
 */

import { type LogoDescriptor, logoDescriptorVersion, type PrefilterData } from "../descriptor.ts";
import { coarseThumbnail, coarseThumbnailBytes } from "../features/copies.ts";
import { prefilterHashBytes } from "../features/prefilter-hash.ts";
import { coarseAspect, findCandidates } from "./candidates.ts";
import { createHashTable, type HashTable } from "./hamming.ts";

/** The prefilter data of one picture. */
export interface SegmentEntry {
  /** Identifies the picture: an integer from 0 to 2^32 - 1. */
  readonly id: number;
  readonly solid: boolean;
  /** The first bytes of the digest of its pixels. */
  readonly digest: number;
  readonly thumbnail: Uint8Array;
  /** The hashes of its views, one after the other. */
  readonly hashes: Uint8Array;
  /** The aspects of its views, in units of `coarseAspect`. */
  readonly aspects: Int8Array;
}

/** The entry of a described picture; it keeps no part of the data. */
export function segmentEntry(id: number, { solid, digest, thumbnail, views }: PrefilterData): SegmentEntry {
  const hashes = new Uint8Array(views.length * prefilterHashBytes);
  for (const [i, { prefilterHash }] of views.entries()) hashes.set(prefilterHash, i * prefilterHashBytes);
  return {
    id,
    solid,
    digest: startOf(digest),
    thumbnail: coarseThumbnail(thumbnail),
    hashes,
    aspects: Int8Array.from(views, ({ aspect }) => coarseAspect(aspect)),
  };
}

/** The entry of a picture that cannot be compared, such as a deleted one. */
export function emptySegmentEntry(id: number): SegmentEntry {
  const thumbnail = new Uint8Array(coarseThumbnailBytes);
  return { id, solid: false, digest: 0, thumbnail, hashes: new Uint8Array(), aspects: new Int8Array() };
}

function startOf(digest: Uint8Array): number {
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0, true);
}

const layoutVersion = 1;
const headerBytes = 12;

/** The version of the layout and of the descriptors. A segment of another version is not read. */
export const segmentVersion = `${layoutVersion}.${logoDescriptorVersion}`;

/** The offsets of the columns in a segment, and its length. */
function layoutOf(pictures: number, views: number) {
  const firstViews = headerBytes + 4 * pictures;
  const digests = firstViews + 4 * pictures;
  const hashes = digests + 4 * pictures;
  const aspects = hashes + prefilterHashBytes * views;
  const thumbnails = aspects + views;
  const solids = thumbnails + coarseThumbnailBytes * pictures;
  return {
    ids: headerBytes,
    firstViews,
    digests,
    hashes,
    aspects,
    thumbnails,
    solids,
    end: solids + pictures,
  };
}

/** Writes the entries of a segment. */
export function writeSegment(entries: readonly SegmentEntry[]): Uint8Array {
  const views = entries.reduce((sum, { aspects }) => sum + aspects.length, 0);
  const at = layoutOf(entries.length, views);
  const bytes = new Uint8Array(at.end);
  const data = new DataView(bytes.buffer);
  bytes.set([layoutVersion, logoDescriptorVersion]);
  data.setUint32(4, entries.length, true);
  data.setUint32(8, views, true);
  let view = 0;
  for (const [i, { id, solid, digest, thumbnail, hashes, aspects }] of entries.entries()) {
    data.setUint32(at.ids + 4 * i, id, true);
    data.setUint32(at.firstViews + 4 * i, view, true);
    data.setUint32(at.digests + 4 * i, digest, true);
    bytes.set(hashes, at.hashes + prefilterHashBytes * view);
    for (const [v, aspect] of aspects.entries()) data.setInt8(at.aspects + view + v, aspect);
    bytes.set(thumbnail, at.thumbnails + coarseThumbnailBytes * i);
    bytes[at.solids + i] = solid ? 1 : 0;
    view += aspects.length;
  }
  return bytes;
}

/** The pictures of a segment. */
export interface SegmentPictures {
  /** Ids of all pictures, in the order in which they were written. */
  readonly ids: readonly number[];
  /** Ids of those whose comparison with the target may score above 0, in the same order. */
  readonly candidates: readonly number[];
}

/** The hashes that are searched: of one segment at a time, since a search does not wait. */
let hashes: HashTable | undefined;

/** Searches a segment for a target; undefined when the bytes are not a segment of this version. */
export function searchSegment(segment: Uint8Array, target: LogoDescriptor): SegmentPictures | undefined {
  const isCurrent = segment[0] === layoutVersion && segment[1] === logoDescriptorVersion;
  if (!isCurrent || segment.length < headerBytes) return undefined;
  const data = new DataView(segment.buffer, segment.byteOffset, segment.byteLength);
  const count = data.getUint32(4, true);
  const at = layoutOf(count, data.getUint32(8, true));
  if (segment.length !== at.end) return undefined;
  hashes ??= createHashTable();
  hashes.load(segment.subarray(at.hashes, at.aspects));
  const pictures = Array.from({ length: count }, (_, i) => i);
  const columns = {
    count,
    hashes,
    aspectAt: (view: number) => data.getInt8(at.aspects + view),
    firstRowOf: (picture: number) => data.getUint32(at.firstViews + 4 * picture, true),
    solids: pictures.filter((picture) => segment[at.solids + picture] === 1),
    thumbnails: segment.subarray(at.thumbnails, at.solids),
  };
  const found = findCandidates(columns, target);
  // Equal pixels score 1, whatever the views are.
  const digest = startOf(target.digest);
  for (const picture of pictures)
    if (data.getUint32(at.digests + 4 * picture, true) === digest) found.add(picture);
  const idOf = (picture: number) => data.getUint32(at.ids + 4 * picture, true);
  return { ids: pictures.map(idOf), candidates: [...found].sort((a, b) => a - b).map(idOf) };
}
