/**
 * An index of described pictures. It keeps prefilter hashes, aspects and ids in memory, about 150 bytes a picture;
 * full descriptors stay in memory or behind a loader.
 *
 * It works in both directions: pictures indexed and a new logo searched for (lookback), or logos indexed and a new
 * picture compared with all of them. A search returns exactly the entries that comparing with every entry would
 * return; the tests check it.
 */

import { counted, InvalidInputError, quote } from "../../../errors.ts";
import { describeLogo } from "../describe.ts";
import { type LogoDescriptor, type LogoRole, readLogoDescriptor } from "../descriptor.ts";
import { compareLogos, type LogoComparison } from "../features/compare.ts";
import { hammingDistance } from "../features/prefilter-hash.ts";
import { createPrefilterTable, type LogoId } from "./prefilter-table.ts";

/** Loads the stored descriptors (`LogoDescriptor.bytes`) of ids, in the order of the ids; undefined for a deleted one. */
export type LogoLoader = (
  ids: readonly LogoId[],
) => readonly (Uint8Array | undefined)[] | Promise<readonly (Uint8Array | undefined)[]>;

/** The contents of an index, and the location of its descriptors. */
export interface LogoIndexOptions {
  /** Role of the indexed descriptors: `scan` (the default) for pictures to search in, or `query` for logos. */
  readonly role?: LogoRole;
  /** Loads full descriptors; without it the index keeps them in memory (2 KB a view). */
  readonly load?: LogoLoader;
}

/** The matches that a search returns. */
export interface LogoSearchOptions {
  /** Minimum score of a match, 0 to 1. */
  readonly threshold: number;
  /** Maximum number of matches, an integer from 0; all by default. */
  readonly limit?: number;
}

/** An entry that matches. */
export interface LogoMatch extends LogoComparison {
  /** The id that the entry was added under. */
  readonly id: LogoId;
  /** Block hash of the entry, 64 hexadecimal digits. */
  readonly blockHash: string;
  /** Hamming distance between the block hashes of the two pictures, 0 to 256 bits. */
  readonly blockDistance: number;
}

/** An index of pictures or of logos. */
export interface LogoIndex {
  /** Role of the indexed descriptors. */
  readonly role: LogoRole;
  /** Number of entries. */
  readonly size: number;
  /** Bytes of memory for hashes, aspects and thumbnails; ids and kept descriptors not included. */
  readonly bytes: number;
  /**
   * Adds a descriptor, or its bytes; replaces an entry with the same id.
   *
   * @throws {TypeError} for a descriptor of the other role, or damaged bytes
   */
  add(id: LogoId, descriptor: LogoDescriptor | Uint8Array): void;
  /** Removes an entry; false when there was none. */
  remove(id: LogoId): boolean;
  /** Whether there is such an entry. */
  has(id: LogoId): boolean;
  /**
   * The matching entries, best first; equal scores by id. The target is a descriptor of the other role, or an image
   * file.
   *
   * @throws {TypeError} for a descriptor of the wrong role, or a loader that does not return one item for each id
   * @throws {RangeError} for a threshold outside 0 to 1, or a limit that is not an integer from 0
   * @throws {InvalidInputError} for an image file that is rejected; `problems` has the reason
   */
  search(target: LogoDescriptor | Uint8Array, options: LogoSearchOptions): Promise<readonly LogoMatch[]>;
}

/** Number of ids whose descriptors are loaded together, so that memory stays bounded. */
const loadBatch = 256;

/**
 * Creates an empty index.
 *
 * @throws {TypeError} in `add` and `search`, for a descriptor of the wrong role or damaged bytes
 * @throws {RangeError} in `search`, for a threshold outside 0 to 1 or a limit that is not an integer from 0
 * @throws {InvalidInputError} in `search`, for an image file that is rejected; `problems` has the reason
 * @example
 * ```ts
 * const red = { width: 1, height: 1, data: Uint8Array.of(255, 0, 0, 255) };
 * const index = createLogoIndex();
 * index.add("a picture", describeRaster(red, "scan"));
 * const matches = await index.search(describeRaster(red, "query"), { threshold: 0.85 });
 * matches.map(({ id, score }) => [id, score]);
 * // => [["a picture", 1]]
 * ```
 */
export function createLogoIndex({ role = "scan", load }: LogoIndexOptions = {}): LogoIndex {
  const table = createPrefilterTable();
  const kept = new Map<LogoId, LogoDescriptor>();
  const loadAll = load ? loadWith(load) : (ids: readonly LogoId[]) => ids.map((id) => kept.get(id));

  return {
    role,
    get size() {
      return table.size;
    },
    get bytes() {
      return table.bytes;
    },
    has: (id) => table.has(id),
    add(id, given) {
      const descriptor = given instanceof Uint8Array ? readLogoDescriptor(given) : given;
      assertRole(descriptor, role, "add");
      table.add(id, descriptor);
      if (!load) kept.set(id, descriptor);
    },
    remove(id) {
      kept.delete(id);
      return table.remove(id);
    },
    async search(target, options) {
      assertOptions(options);
      const other = role === "scan" ? "query" : "scan";
      const descriptor = target instanceof Uint8Array ? await describeTarget(target, other) : target;
      assertRole(descriptor, other, "search");
      const ids = options.threshold > 0 ? table.candidates(descriptor) : table.ids();
      return best(await compareAll(descriptor, ids, loadAll, options.threshold), options.limit);
    },
  };
}

type LoadAll = (
  ids: readonly LogoId[],
) => readonly (LogoDescriptor | undefined)[] | Promise<readonly (LogoDescriptor | undefined)[]>;

function loadWith(load: LogoLoader): LoadAll {
  return async (ids) => {
    const loaded = await load(ids);
    if (!Array.isArray(loaded) || loaded.length !== ids.length) {
      const found = Array.isArray(loaded) ? quote(loaded) : "no array";
      throw new TypeError(
        `\`load\` must return an array of ${counted(ids.length, "descriptor")}; found ${found}.`,
      );
    }
    return loaded.map((bytes) => bytes && readLogoDescriptor(bytes));
  };
}

/** The matching entries, unordered; an id whose descriptor was deleted is left out. */
async function compareAll(
  target: LogoDescriptor,
  ids: readonly LogoId[],
  loadAll: LoadAll,
  threshold: number,
): Promise<LogoMatch[]> {
  const matches: LogoMatch[] = [];
  for (let from = 0; from < ids.length; from += loadBatch) {
    const batch = ids.slice(from, from + loadBatch);
    const descriptors = await loadAll(batch);
    for (const [i, id] of batch.entries()) {
      const descriptor = descriptors[i];
      if (!descriptor) continue;
      const match = matchOf(id, target, descriptor);
      if (match.score >= threshold) matches.push(match);
    }
  }
  return matches;
}

function matchOf(id: LogoId, target: LogoDescriptor, entry: LogoDescriptor): LogoMatch {
  const comparison = target.role === "query" ? compareLogos(target, entry) : compareLogos(entry, target);
  const blockDistance = hammingDistance(
    Buffer.from(target.blockHash, "hex"),
    Buffer.from(entry.blockHash, "hex"),
  );
  return { id, ...comparison, blockHash: entry.blockHash, blockDistance };
}

function best(matches: LogoMatch[], limit = matches.length): readonly LogoMatch[] {
  return matches.sort((a, b) => b.score - a.score || compareIds(a.id, b.id)).slice(0, limit);
}

/** Numbers before strings, each in their own order. */
function compareIds(a: LogoId, b: LogoId): number {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

async function describeTarget(image: Uint8Array, role: LogoRole): Promise<LogoDescriptor> {
  const described = await describeLogo(image, { role });
  if (!described.ok) throw new InvalidInputError("The image of the search is rejected", described.problems);
  return described.value;
}

function assertRole(descriptor: LogoDescriptor, role: LogoRole, call: string): void {
  if (descriptor.role === role) return;
  throw new TypeError(
    `\`${call}\` of this index takes a descriptor with role \`${role}\`; found \`${descriptor.role}\`.`,
  );
}

function assertOptions({ threshold, limit }: LogoSearchOptions): void {
  if (!(typeof threshold === "number" && threshold >= 0 && threshold <= 1)) {
    throw new RangeError(`\`threshold\` must be a number from 0 to 1; found \`${threshold}\`.`);
  }
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new RangeError(`\`limit\` must be an integer from 0; found \`${limit}\`.`);
  }
}
