/** The context of every use case: store, clock, identifiers, settings and limits. */

import { aString, oneOf, requireArgument, requireArguments } from "../core/arguments.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { OriginAccess } from "../engine/proxy/facts/origin-access.ts";
import type { EvaluationFacts } from "../engine/tokens/verdict/lazy-verdict.ts";
import type { Verdict } from "../engine/tokens/verdict/verdict.ts";
import type { EvaluationRequest } from "../engine/tokens/zone/request.ts";
import { ApiError, type Area, type Code, type CodedDiagnostic, note, problem, quote } from "../errors.ts";
import type { CollectionName, Collections } from "../store/collections.ts";
import type { ReadTransaction, Store, WriteOptions, WriteTransaction } from "../store/port.ts";
import { isRemoved, worldScope } from "../store/records/world.ts";
import type { Compute } from "./compute.ts";
import type { FaultInjector } from "./faults.ts";
import type { IdSource } from "./ids.ts";
import type { Limits } from "./limits.ts";
import type { AccountSettingsAccess, Settings } from "./settings.ts";
import type { Clock } from "./time.ts";

/** The result of a {@link FetchImage}: the bytes, or a successful response with them as its body. */
export type FetchedImage = Uint8Array | ArrayBuffer | Response;

/** Limits and headers of a {@link FetchImage}. */
export interface FetchImageRequest {
  /** Maximum size of the image, in bytes. */
  readonly maxBytes: number;
  /**
   * Headers of the request for the source of a transformation, which are not sent to another origin after a redirect, except
   * `accept` and `via`; absent for uploads. The status and the headers of a response that it resolves to count.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request for the source of a transformation; undefined leaves it to {@link FetchImage}. */
export type ImageSource = (request: Request) => FetchedImage | undefined | Promise<FetchedImage | undefined>;

/**
 * Fetches the image at a URL of the caller. Resolves to its bytes or to a response, such as that of `fetch`, or rejects
 * with an Error whose message is the reason; an ApiError becomes the response unchanged.
 */
export type FetchImage = (url: string, request: FetchImageRequest) => FetchedImage | Promise<FetchedImage>;

/** A write with the name of its queue: writes without one compete in PostgreSQL, run again, and fail when many do. */
export type QueuedWrite = WriteOptions & Required<Pick<WriteOptions, "queue">>;

/** The store of the use cases, in which every write has a queue. */
export interface QueuedStore extends Omit<Store, "write"> {
  /** As that of `Store`. */
  write<T>(work: (tx: WriteTransaction) => Promise<T>, options: QueuedWrite): Promise<T>;
}

/** The part of the context on which checks of input depend. */
export type CheckContext = Pick<ServiceContext, "settings" | "limits" | "proxy">;

/** The context of every use case. */
export interface ServiceContext {
  readonly store: QueuedStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly accountSettings: AccountSettingsAccess;
  /** Runs heavy computations. */
  readonly compute: Compute;
  /** Fetches images that uploads name by `url`; without it such uploads are rejected. */
  readonly fetchImage?: FetchImage;
  /** Answers requests for sources of transformations before `fetchImage`. */
  readonly imageSource?: ImageSource;
  /** Ids or names of zones by the host names that count as theirs. */
  readonly zoneHosts?: Readonly<Record<string, string>>;
  readonly faults?: FaultInjector;
  readonly proxy?: ProxyWorld;
  /** Interval in which lookbacks are looked for that another process has left, in milliseconds; absent or 0: never. */
  readonly lookbackCheckMs?: number;
  /** The problems of the world. */
  readonly invalidRules?: InvalidRules;
  /** Called with every verdict of a stored zone; it must not throw. */
  readonly onVerdict?: (evaluated: Evaluated) => void;
}

/** Zones and accounts with invalid rules, by id, and why: requests to these zones are not evaluated. */
export type InvalidRules = Readonly<
  Record<"zones" | "accounts", ReadonlyMap<string, readonly CodedDiagnostic[]>>
>;

/** A verdict with its request, which has its secrets still: `found` has the tokens as they were sent. */
export interface Evaluated extends EvaluationFacts {
  readonly zone: string;
  readonly request: EvaluationRequest;
  readonly verdict: Verdict;
}

/** Replacements of the simulator's own knowledge of the network. */
export interface ProxyWorld {
  /** Id of the zone of a DNS name; undefined when it belongs to no zone. */
  readonly zoneOf?: (name: string) => string | undefined;
  /** Addresses that an origin may have. */
  readonly originAccess?: OriginAccess;
}

/** Collects remarks for the caller: the envelope's `messages`. */
export type Notes = Diagnostic[];

/** The codes for invalid input and missing things, where an area has no more specific one. */
export const genericCodes = {
  shared: { invalid: 10400, missing: 10404 },
  tokens: { invalid: 10400, missing: 10404 },
  proxy: { invalid: 10400, missing: 10404 },
  brand: { invalid: 7001, missing: 7002 },
  images: { invalid: 5400, missing: 5404 },
} as const satisfies Record<Area, { invalid: Code; missing: Code }>;

/** The error for something that does not exist; `noun` is the kind of thing, such as `rule`. */
export function notFound(area: Area, noun: string, id: string): ApiError {
  return new ApiError(problem(genericCodes[area].missing, `There is no ${noun} ${quote(id)}.`));
}

/** The error for invalid input. */
export function invalid(area: Area, message: string, at?: string): ApiError {
  return new ApiError(problem(genericCodes[area].invalid, message, at));
}

/** Maximum number of problems, and of ignored members, in one response: a body can have hundreds of thousands (`chosen`). */
export const maxReported = 100;

/** Adds the first notes about members that do not count, and whether there are more. */
export function noteFirst(found: Iterable<Diagnostic>, notes: Notes, what: string): void {
  let count = 0;
  for (const diagnostic of found) {
    if (++count > maxReported) {
      const message = `There are more than ${maxReported} ${what}; only the first ${maxReported} are reported.`;
      notes.push(note("memberIgnored", message));
      return;
    }
    notes.push(diagnostic);
  }
}

/** @throws {ApiError} with the first problems, when there are any */
export function rejectAny(problems: readonly CodedDiagnostic[]): void {
  const [first, ...rest] = problems.slice(0, maxReported);
  if (!first) return;
  if (problems.length <= maxReported) throw new ApiError(first, ...rest);
  const message = `More than ${maxReported} problems were found; only the first ${maxReported} are reported.`;
  throw new ApiError(first, ...rest, problem(first.code, message));
}

/**
 * A restriction that only the provider has: a problem where restrictions are enforced, else a note.
 * Its message names the value found and the values that the provider allows.
 */
export function restrict(
  settings: Settings,
  problems: CodedDiagnostic[],
  notes: Notes,
  found: CodedDiagnostic,
): void {
  if (settings.restrictions === "enforce") problems.push(found);
  else {
    const { pointer: at, message } = found;
    notes.push(note("valueNoted", atProvider(message), at));
  }
}

/** The message of a restriction that is not enforced. */
export function atProvider(message: string): string {
  return `The provider rejects this: ${message}`;
}

/** Whether a zone or account exists. Without a list of zones (accounts) in the store, every id does. */
export async function scopeExists(
  tx: ReadTransaction,
  kind: "zones" | "accounts",
  id: string,
): Promise<boolean> {
  const record = await tx.get(kind, worldScope, id);
  if (record) return !isRemoved(record);
  return (await tx.count(kind, worldScope)) === 0;
}

const aScope = oneOf("zones", "accounts");

/**
 * Rejects the id of a zone or account that does not exist.
 *
 * @throws {ApiError}
 */
export async function requireScope(
  tx: ReadTransaction,
  area: Area,
  kind: "zones" | "accounts",
  id: string,
): Promise<void> {
  requireArguments({ kind: [kind, aScope], id: [id, aString] });
  if (!(await scopeExists(tx, kind, id))) throw notFound(area, kind.slice(0, -1), id);
}

/**
 * Records that requests name by their id: whose error codes they have, what holds them, their noun in messages, and whether
 * letters of ids in another case name another record.
 */
const namedRecords = {
  token_configs: { area: "tokens", scopes: "zones", noun: "token configuration" },
  token_rules: { area: "tokens", scopes: "zones", noun: "rule" },
  rule_lists: { area: "tokens", scopes: "accounts", noun: "list", exact: true },
  proxy_apps: { area: "proxy", scopes: "zones", noun: "proxy application" },
  brand_domain_queries: { area: "brand", scopes: "accounts", noun: "domain query" },
  brand_logo_queries: { area: "brand", scopes: "accounts", noun: "logo query" },
} as const satisfies Partial<
  Record<CollectionName, { area: Area; scopes: "zones" | "accounts"; noun: string; exact?: true }>
>;

/**
 * The record with an id.
 *
 * @throws {ApiError} when it does not exist, or the zone or account does not
 */
export async function requireRecord<C extends keyof typeof namedRecords>(
  tx: ReadTransaction,
  collection: C,
  scope: string,
  id: string,
): Promise<Collections[C]> {
  const { area, scopes, noun, ...kind } = namedRecords[collection];
  await requireScope(tx, area, scopes, scope);
  requireArgument("id", id, aString);
  const record = await tx.get(collection, scope, "exact" in kind ? id : id.toLowerCase());
  if (!record) throw notFound(area, noun, id);
  return record;
}

/** The problems or notes with a prefix before each pointer. */
export function prefixPointers<T extends Diagnostic>(prefix: string, items: readonly T[]): T[] {
  return items.map((item) => ({ ...item, pointer: `${prefix}${item.pointer ?? ""}` }));
}
