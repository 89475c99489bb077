/**
 * An index of described pictures. In memory it keeps gate hashes, aspects and ids, about 150 bytes a picture;
 * full descriptors stay with it, or where a given loader finds them.
 *
 * It works both ways round: pictures indexed and a logo sought (lookback), or logos indexed and a new picture
 * held against them all. What it finds is what comparing with every entry finds; a law of the tests.
 */

import { InvalidInputError } from "../../../errors.ts";
import { describeLogo } from "../describe.ts";
import { type LogoDescriptor, type LogoRole, readLogoDescriptor } from "../descriptor.ts";
import { compareLogos, type LogoComparison } from "../features/compare.ts";
import { differingBits } from "../features/prefilter-hash.ts";
import { createGateTable, type LogoId } from "./prefilter-table.ts";

/** Gives the stored descriptors (`LogoDescriptor.bytes`) of ids, in their order; undefined for one that is gone. */
export type LogoLoader = (
  ids: readonly LogoId[],
) => readonly (Uint8Array | undefined)[] | Promise<readonly (Uint8Array | undefined)[]>;

/** How an index is made. */
export interface LogoIndexOptions {
  /** What is indexed: `scan` (the default) pictures that logos are sought in, or `query` logos. */
  readonly role?: LogoRole;
  /** Where full descriptors are; without it the index keeps them in memory (2 KB a view). */
  readonly load?: LogoLoader;
}

/** What is searched for. */
export interface LogoSearchOptions {
  /** Least score of a match, 0 to 1. */
  readonly threshold: number;
  /** Most matches; all by default. */
  readonly limit?: number;
}

/** An entry that is alike. */
export interface LogoMatch extends LogoComparison {
  readonly id: LogoId;
  /** Block hash of the entry, 64 hexadecimal digits. */
  readonly blockHash: string;
  /** Bits (of 256) in which the block hashes of the two pictures differ. */
  readonly blockDistance: number;
}

/** An index of pictures or of logos. */
export interface LogoIndex {
  readonly role: LogoRole;
  /** Number of entries. */
  readonly size: number;
  /** Bytes of memory that hashes, aspects and their owners take; ids and kept descriptors not counted. */
  readonly bytes: number;
  /** Adds an entry, in place of one with the same id. Takes a descriptor, or its bytes. */
  add(id: LogoId, descriptor: LogoDescriptor | Uint8Array): void;
  /** Removes an entry; false when there was none. */
  remove(id: LogoId): boolean;
  /** Whether there is such an entry. */
  has(id: LogoId): boolean;
  /** The entries that are alike, best first; equal scores by id. Takes a descriptor of the other role, or an image file. */
  search(sought: LogoDescriptor | Uint8Array, options: LogoSearchOptions): Promise<readonly LogoMatch[]>;
}

/** Ids whose descriptors are loaded together, so that memory stays bounded. */
const loadBatch = 256;

/**
 * Makes an empty index.
 *
 * @throws {TypeError} in `add` and `search`, for a descriptor of the wrong role or damaged bytes
 * @throws {RangeError} in `search`, for a threshold outside 0 to 1 or a limit that is not a whole number from 0 up
 * @throws {InvalidInputError} in `search`, for an image file that is refused; `problems` says why
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
  const table = createGateTable();
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
      const descriptor = asDescriptor(given);
      assertRole(descriptor, role, "add");
      table.add(id, descriptor);
      if (!load) kept.set(id, descriptor);
    },
    remove(id) {
      kept.delete(id);
      return table.remove(id);
    },
    async search(sought, options) {
      assertOptions(options);
      const other = role === "scan" ? "query" : "scan";
      const descriptor = sought instanceof Uint8Array ? await describeSought(sought, other) : sought;
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
      const found = Array.isArray(loaded) ? `${loaded.length} descriptors` : "no array of descriptors";
      throw new TypeError(`The loader of a logo index gave ${found} for ${ids.length} ids.`);
    }
    return loaded.map((bytes) => bytes && readLogoDescriptor(bytes));
  };
}

/** Entries that are alike, in no order; an id whose descriptor is gone is left out. */
async function compareAll(
  sought: LogoDescriptor,
  ids: readonly LogoId[],
  loadAll: LoadAll,
  threshold: number,
): Promise<LogoMatch[]> {
  const matches: LogoMatch[] = [];
  for (let from = 0; from < ids.length; from += loadBatch) {
    const batch = ids.slice(from, from + loadBatch);
    const descriptors = await loadAll(batch);
    for (const [i, descriptor] of descriptors.entries()) {
      if (!descriptor) continue;
      const match = matchOf(batch[i]!, sought, descriptor);
      if (match.score >= threshold) matches.push(match);
    }
  }
  return matches;
}

function matchOf(id: LogoId, sought: LogoDescriptor, entry: LogoDescriptor): LogoMatch {
  const comparison = sought.role === "query" ? compareLogos(sought, entry) : compareLogos(entry, sought);
  const blockDistance = differingBits(
    Buffer.from(sought.blockHash, "hex"),
    Buffer.from(entry.blockHash, "hex"),
  );
  return { id, ...comparison, blockHash: entry.blockHash, blockDistance };
}

function best(matches: LogoMatch[], limit = matches.length): readonly LogoMatch[] {
  return matches.sort((a, b) => b.score - a.score || compareIds(a.id, b.id)).slice(0, limit);
}

/** Numbers before texts, each in their own order. */
function compareIds(a: LogoId, b: LogoId): number {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function asDescriptor(given: LogoDescriptor | Uint8Array): LogoDescriptor {
  return given instanceof Uint8Array ? readLogoDescriptor(given) : given;
}

async function describeSought(image: Uint8Array, role: LogoRole): Promise<LogoDescriptor> {
  const outcome = await describeLogo(image, { role });
  if (!outcome.ok) throw new InvalidInputError("The sought image is refused", outcome.problems);
  return outcome.descriptor;
}

function assertRole(descriptor: LogoDescriptor, role: LogoRole, call: string): void {
  if (descriptor.role === role) return;
  throw new TypeError(
    `${call} takes a descriptor made with role \`${role}\` here, not \`${descriptor.role}\`.`,
  );
}

function assertOptions({ threshold, limit }: LogoSearchOptions): void {
  if (!(typeof threshold === "number" && threshold >= 0 && threshold <= 1)) {
    throw new RangeError(`threshold is a number from 0 to 1, not \`${threshold}\`.`);
  }
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new RangeError(`limit is a whole number from 0 up, not \`${limit}\`.`);
  }
}
