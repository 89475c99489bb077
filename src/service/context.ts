/** What every use case works with: the store, time, identifiers, settings and limits. */

import type { OriginAccess } from "../engine/proxy/facts/origin-access.ts";
import { ApiError, type Area, type Note, noteCodes, type Problem, quote } from "../errors.ts";
import type { ReadTransaction, Store } from "../store/port.ts";
import { worldScope } from "../store/records/world.ts";
import type { Faults } from "./faults.ts";
import type { IdSource } from "./ids.ts";
import type { Limits } from "./limits.ts";
import type { Settings } from "./settings.ts";
import type { Clock } from "./time.ts";

/**
 * Fetches an image that a caller named by its address. Gives its bytes, or throws an Error whose message says
 * why there are none; an ApiError is answered as it is.
 */
export type FetchImage = (url: string, limits: { readonly maxBytes: number }) => Promise<Uint8Array>;

export interface ServiceContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly settings: Settings;
  readonly limits: Limits;
  /** Fetches images that callers name by their address; without it they are not fetched. */
  readonly fetchImage?: FetchImage;
  readonly faults?: Faults;
  readonly proxy?: ProxyWorld;
}

/** What a caller can put in place of the simulator's own knowledge of the network. */
export interface ProxyWorld {
  /** Id of the zone that a DNS name lives on; undefined when no zone has it. */
  readonly zoneOf?: (name: string) => string | undefined;
  /** Which addresses an origin may have. */
  readonly originAccess?: OriginAccess;
}

/** Collects what a caller should know beside the result; it ends up in the envelope's `messages`. */
export type Notes = Note[];

/** The codes for input that is wrong and things that are not there, where an area has no finer one. */
export const genericCodes = {
  shared: { invalid: 10400, missing: 10404 },
  tokens: { invalid: 10400, missing: 10404 },
  proxy: { invalid: 10400, missing: 10404 },
  brand: { invalid: 7001, missing: 7002 },
  images: { invalid: 5400, missing: 5404 },
} as const satisfies Record<Area, { invalid: Problem["code"]; missing: Problem["code"] }>;

/** The refusal of something that is not there. */
export function notFound(area: Area, what: string, id: string): ApiError {
  return new ApiError({ code: genericCodes[area].missing, message: `There is no ${what} ${quote(id)}.` });
}

/** The refusal of a wrong input. */
export function invalid(area: Area, message: string, at?: string): ApiError {
  const problem: Problem = { code: genericCodes[area].invalid, message };
  return new ApiError(at === undefined ? problem : { ...problem, pointer: at });
}

/** Most problems, and most ignored members, that one answer tells of: a body can have hundreds of thousands (`chosen`). */
export const maxReported = 100;

/** Throws when there is any problem. */
export function rejectAny(problems: readonly Problem[]): void {
  const [first, ...rest] = problems.slice(0, maxReported);
  if (!first) return;
  if (problems.length <= maxReported) throw new ApiError(first, ...rest);
  const message = `There are more problems than the ${maxReported} that are told here.`;
  throw new ApiError(first, ...rest, { code: first.code, message });
}

/**
 * A restriction that only the provider has: a problem where restrictions are enforced, else a note.
 * `message` says what was found and what the provider allows.
 */
export function restrict(settings: Settings, problems: Problem[], notes: Notes, problem: Problem): void {
  if (settings.restrictions === "enforce") problems.push(problem);
  else {
    const { pointer: at, message } = problem;
    const text = `the provider refuses this: ${message}`;
    notes.push({ code: noteCodes.valueNoted, message: text, ...(at === undefined ? {} : { pointer: at }) });
  }
}

/**
 * Refuses a zone or an account that a world does not have. A store that was told of no zones (accounts) takes
 * any id.
 */
export async function requireScope(
  tx: ReadTransaction,
  area: Area,
  kind: "zones" | "accounts",
  id: string,
): Promise<void> {
  if (await tx.get(kind, worldScope, id)) return;
  if ((await tx.count(kind, worldScope)) > 0) throw notFound(area, kind.slice(0, -1), id);
}

/** Puts every pointer of the problems or notes behind a prefix. */
export function prefixPointers<T extends Problem | Note>(prefix: string, items: readonly T[]): T[] {
  return items.map((item) => ({ ...item, pointer: `${prefix}${item.pointer ?? ""}` }));
}
