/** The complete simulator: the services and the fetch handler over them. */

import {
  aBoolean,
  aFunction,
  anyValue,
  eachMember,
  type KindsOf,
  optional,
  optionGroup,
  optionsOf,
  requireArgument,
} from "./core/arguments.ts";
import { type Profile, profiles } from "./core/profiles.ts";
import { type CodedDiagnostic, InvalidInputError, problem, quote } from "./errors.ts";
import { endpoints } from "./http/endpoints/endpoints.ts";
import { faultTargets } from "./http/faults/targets.ts";
import {
  cleanBase,
  createHandler,
  defaultBasePath,
  type FetchHandler,
  type HandlerOptions,
} from "./http/handler.ts";
import { notify } from "./http/records/notify.ts";
import { type VerdictRecord, verdictRecord } from "./http/records/verdict-record.ts";
import { type Compute, inProcess } from "./service/compute.ts";
import type { FetchImage, ImageSource, ProxyWorld, ServiceContext } from "./service/context.ts";
import { createFaults, faultyStore } from "./service/faults/faults.ts";
import type { FaultRule, Faults } from "./service/faults.ts";
import { type IdSource, randomIds } from "./service/ids.ts";
import { type Limits, resolveLimits } from "./service/limits.ts";
import { createServices, type Services } from "./service/services.ts";
import { resolveAccess, resolveSettings, type Settings, type SettingsAccess } from "./service/settings.ts";
import { seededStore } from "./service/store/seeded-store.ts";
import type { Clock } from "./service/time.ts";
import { applySettings, applyWorld } from "./service/world/apply.ts";
import type { World } from "./service/world/schema.ts";
import { createWorldSeed, type WorldSeed } from "./service/world/world-seed.ts";
import { createMemoryStore } from "./store/memory/memory-store.ts";
import { flatStore, type Store } from "./store/port.ts";
import { createThreadPool } from "./threads/thread-pool.ts";

/** Options of a simulator. Every setting of the profiles is an option of its own. */
export interface EdgeOptions extends Partial<Settings>, HandlerOptions {
  /** Defaults of all settings: those of the specification, or those of the real service. Default: that of the world, or `spec`. */
  readonly profile?: Profile;
  /** Storage of all records. Default: a new store in memory. */
  readonly store?: Store;
  /** Returns milliseconds since 1970. Default `Date.now`. */
  readonly clock?: Clock;
  /** Source of identifiers and secrets. Default: random ones. */
  readonly ids?: IdSource;
  /** Maximum sizes and counts that differ from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /**
   * Accounts, zones, API tokens and their contents, applied to the store before its first use. A store that had another
   * world follows this one in what only a world can say; what requests can create stays as the store has it.
   */
  readonly world?: World;
  /**
   * The treatment of the settings that decide matches and are stored with each account: `brand`, and of the limits
   * `logoBytes` and `logoPixels`. `update` (the default): options that are given here are stored with all
   * accounts before the first use, the others stay as they are stored, and an account without settings gets those of this
   * edge. `read`, for workers: stored settings are used and never written; an account without them, or with those of
   * another version, is rejected with an `AccountSettingsError`.
   */
  readonly accountSettings?: SettingsAccess;
  /**
   * Leaves the invalid parts of the world out, such as a proxy application, a variant or a brand query, and is called
   * with the RFC 6901 pointer of each and its problems; some are found at the first use only. Requests to a zone whose
   * token validation is left out are not evaluated: `edge.tokens.evaluate` rejects with an InvalidInputError. What a
   * stored account lacks is not added later, so do not use it with a store that stays. Default: an invalid world is
   * rejected.
   */
  readonly onLeftOut?: (pointer: string, problems: readonly CodedDiagnostic[]) => void;
  /** API tokens in addition to the world's, whose list they count as part of. When there is any, unknown tokens are rejected. */
  readonly credentials?: NonNullable<World["api_tokens"]>;
  /**
   * Whether a store whose API tokens were all removed accepts every token again. Default false. A store that has API
   * tokens is an InvalidInputError at the first use.
   */
  readonly anyToken?: boolean;
  /** Whether the resources of zones and accounts that do not exist any more are deleted before the first use. Default false. */
  readonly prune?: boolean;
  /**
   * Called with one line for each difference between the world and the store, when the world has been applied. Errors
   * that it throws are ignored.
   */
  readonly onNote?: (line: string) => void;
  /**
   * Fetches the images that uploads name by `url`; without it such uploads are rejected. `guardedFetchImage` of
   * `edgeproof/http` is a fetch function for the public internet.
   */
  readonly fetchImage?: FetchImage;
  /**
   * Answers the requests for the sources of transformations, as the origins of a test: the bytes, a response, or undefined for a
   * source that `fetchImage` fetches.
   */
  readonly imageSource?: ImageSource;
  /** Host names that count as a zone's in `/cdn-cgi/image/`, such as `127.0.0.1`, with the zone's id or name. */
  readonly zoneHosts?: Readonly<Record<string, string>>;
  /**
   * Interval in which the store is looked through for lookbacks that another process has left, to continue them, in
   * milliseconds up to 2,147,483,647; 0, the default: never. A process has left one when it has stored nothing for a
   * minute by `clock`.
   */
  readonly lookbackCheckMs?: number;
  /**
   * Maximum number of worker threads for heavy computations: describing, compiling and searching logos, and their
   * lookbacks; 0 to 64. One starts at once and prepares the engine. The results are those without threads. `close` ends
   * them. Default 0: everything is computed in this thread, which other requests then wait for.
   */
  readonly threads?: number;
  /** Faults injected into the answers to requests, and into the dependencies of the services. Default: none. */
  readonly faults?: readonly FaultRule[];
  /** Replacements of the simulator's own knowledge of DNS and addresses. */
  readonly proxy?: ProxyWorld;
  /**
   * Called with the record of every verdict of `edge.tokens`: the request without secrets, the decoded tokens, the
   * verdict. Claims are personal data. It is not waited for; what it throws or rejects with is ignored.
   */
  readonly onVerdict?: (record: VerdictRecord) => unknown;
}

/** A simulator: its use cases as functions, and the interface as a fetch handler. */
export interface Edge extends Pick<Services, "tokens" | "brand" | "images" | "proxy"> {
  /** Records and blobs. */
  readonly store: Store;
  /** Responds to a request of the interface as the service would. Rejects only for a fault that cuts the whole answer off. */
  readonly fetch: FetchHandler;
  /** The faults that are injected, with their counts; they can be replaced at any time. */
  readonly faults: Faults;
  /**
   * Adds a world to the one that the store has, in one transaction: accounts, zones and API tokens that it does not name
   * stay. Contents of accounts and zones that the store had before are compared, and belong to the store.
   *
   * @returns a line for each difference and each addition
   * @throws {InvalidInputError} with every problem and its pointer; nothing is added
   */
  seed(world: World): Promise<readonly string[]>;
  /**
   * Continues every pending lookback of the store, and resolves when none is left.
   *
   * @throws {Error} when the edge is closed before
   * @throws {DependencyUnavailableError} when the store cannot be reached
   */
  settled(): Promise<void>;
  /** Stops pending lookbacks, which another process or a later one continues, and closes threads and store. */
  close(): Promise<void>;
}

/** The kinds of the options: the compiler finds a name that is missing. Other values are checked where they are used. */
const ownOptions: KindsOf<Omit<EdgeOptions, keyof Settings>> = {
  profile: anyValue,
  store: anyValue,
  clock: optional(aFunction),
  ids: anyValue,
  limits: anyValue,
  world: anyValue,
  credentials: anyValue,
  anyToken: optional(aBoolean),
  prune: optional(aBoolean),
  accountSettings: anyValue,
  onNote: optional(aFunction),
  onLeftOut: optional(aFunction),
  fetchImage: optional(aFunction),
  imageSource: optional(aFunction),
  zoneHosts: anyValue,
  lookbackCheckMs: anyValue,
  threads: anyValue,
  faults: anyValue,
  proxy: anyValue,
  basePath: anyValue,
  publicBaseUrl: anyValue,
  deliveryBaseUrl: anyValue,
  cors: anyValue,
  ingest: optional(aBoolean),
  requestFaults: optional(aBoolean),
  onError: optional(aFunction),
  onAnswer: optional(aFunction),
  onVerdict: optional(aFunction),
};

const brandOptions: Readonly<Record<keyof Settings["brand"], true>> = {
  mode: true,
  transpositions: true,
  confusables: true,
  separators: true,
  own: true,
};

/** The members of `EdgeOptions`. */
export const edgeMembers: KindsOf<EdgeOptions> = {
  ...ownOptions,
  ...eachMember(profiles.spec, anyValue),
  brand: optional(optionGroup<Settings["brand"]>("brand", eachMember(brandOptions, anyValue))),
  proxy: optional(optionGroup<ProxyWorld>("proxy", { zoneOf: anyValue, originAccess: anyValue })),
};

const edgeOptions = optionsOf<EdgeOptions>("createEdge", edgeMembers);

/**
 * Creates a simulator.
 *
 * @throws {InvalidInputError} when the world or a rule of faults is invalid, with every problem and its pointer
 * @throws {TypeError | RangeError} for an unknown option, limit or profile, and an invalid option or limit
 * @example
 * ```ts
 * const edge = createEdge();
 * const url = "https://edge.test/client/v4/zones/z1/token_validation/config";
 * const response = await edge.fetch(new Request(url, { headers: { authorization: "Bearer t" } }));
 * (await response.json()).result_info.total_count; // => 0
 * ```
 */
export function createEdge(options: EdgeOptions = {}): Edge {
  requireArgument("options", options, edgeOptions);
  const { store = createMemoryStore(), clock = Date.now, ids = randomIds() } = options;
  const profile = options.profile ?? profileOf(options.world);
  const settings = resolveSettings(profile, options);
  const limits = resolveLimits(options.limits, profile);
  const { proxy = {} } = options;
  const faults = createFaults(
    options.faults ?? [],
    faultTargets(cleanBase(options.basePath ?? defaultBasePath)),
  );
  const { fetchImage, imageSource, zoneHosts, lookbackCheckMs = 0 } = options;
  checkInterval(lookbackCheckMs);
  const compute = computeOf(options);
  const bare = {
    store,
    clock,
    ids,
    settings,
    limits,
    accountSettings: resolveAccess(options),
    compute,
    faults,
    proxy,
    lookbackCheckMs,
    ...(fetchImage && { fetchImage }),
    ...(imageSource && { imageSource }),
    ...(zoneHosts && { zoneHosts }),
    ...observerOf(options),
  };
  const world = withCredentials(options.world, options.credentials);
  const seed = world === undefined ? undefined : createWorldSeed(world, bare, options.onLeftOut);
  const hasWork = seed !== undefined || options.anyToken === true || options.prune === true;
  const context = { ...bare, store: flatStore(store) };
  const apply: WorldSeed["apply"] = seed?.apply ?? ((to, how) => applyWorld(to, undefined, how));
  const start = hasWork ? () => apply(context, options) : () => applySettings(context, options);
  const hasStored = options.store !== undefined && bare.accountSettings.access === "update";
  const started = hasWork || hasStored ? seededStore(store, start) : store;
  const seeded = faultyStore(started, faults);
  const services = createServices({
    ...bare,
    store: flatStore(seeded),
    ...(seed && { invalidRules: seed.invalidRules }),
  });
  compute.prepare();
  return {
    tokens: services.tokens,
    brand: services.brand,
    images: services.images,
    proxy: services.proxy,
    store: seeded,
    fetch: createHandler(services, endpoints, { ...options, clock }),
    faults: { rules: faults.rules, replace: faults.replace },
    seed: async (more) => {
      const lines: string[] = [];
      const added = createWorldSeed(more, bare);
      assertProfile(more, options);
      // The world of the start comes first.
      await started.read(async () => {});
      await added.apply(context, { adds: true, onNote: (line) => lines.push(line) });
      return lines;
    },
    settled: () => services.brand.lookbacks.settled(),
    close: async () => {
      await services.brand.lookbacks.stop();
      await compute.close();
      await seeded.close();
    },
  };
}

/** Maximum interval of a timer, in milliseconds. */
const maxIntervalMs = 2 ** 31 - 1;

/** @throws {RangeError} */
function checkInterval(ms: number): void {
  if (Number.isSafeInteger(ms) && ms >= 0 && ms <= maxIntervalMs) return;
  throw new RangeError(`lookbackCheckMs must be an integer from 0 to ${maxIntervalMs}; found ${quote(ms)}`);
}

/** Maximum of the option `threads`. `chosen` */
const maxThreads = 64;

/** @throws {RangeError} */
function computeOf({ threads = 0 }: EdgeOptions): Compute {
  if (!(Number.isSafeInteger(threads) && threads >= 0 && threads <= maxThreads))
    throw new RangeError(`threads must be an integer from 0 to ${maxThreads}; found ${quote(threads)}`);
  return threads === 0 ? inProcess : createThreadPool({ threads });
}

/** The records of verdicts are only created when there is an observer. */
function observerOf({ onVerdict }: EdgeOptions): Pick<ServiceContext, "onVerdict"> {
  if (onVerdict === undefined) return {};
  return { onVerdict: (evaluated) => notify(onVerdict, () => verdictRecord(evaluated)) };
}

/** The profile of a world; another value is left to the validation of the world. */
function profileOf(world: World | undefined): Profile | undefined {
  const profile = world?.profile;
  return typeof profile === "string" && Object.hasOwn(profiles, profile) ? profile : undefined;
}

/** @throws {InvalidInputError} when the world is for another profile than that of the edge */
function assertProfile({ profile }: World, options: EdgeOptions): void {
  const own = options.profile ?? profileOf(options.world) ?? "spec";
  if (profile === undefined || profile === own || profileOf({ profile }) === undefined) return;
  const message = `The profile must be that of the simulator, ${quote(own)}; found ${quote(profile)}.`;
  throw new InvalidInputError("the world does not fit the simulator", [problem(10400, message, "/profile")]);
}

/** The world with the additional API tokens; a value that is not a world is left to its validation. */
function withCredentials(
  world: World | undefined,
  credentials: EdgeOptions["credentials"],
): World | undefined {
  if (!credentials) return world;
  if (world === undefined) return { api_tokens: credentials };
  if (typeof world !== "object" || world === null || !Array.isArray(world.api_tokens ?? [])) return world;
  return { ...world, api_tokens: [...(world.api_tokens ?? []), ...credentials] };
}
