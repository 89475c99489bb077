/** The whole simulator in one value: services, and the fetch handler over them. */

import type { Profile } from "./core/profiles.ts";
import { endpoints } from "./http/endpoints/endpoints.ts";
import { createHandler, type FetchHandler, type HandlerOptions } from "./http/handler.ts";
import type { FetchImage, ProxyWorld } from "./service/context.ts";
import { type Faults, faultyStore } from "./service/faults.ts";
import { type IdSource, randomIds } from "./service/ids.ts";
import { type Limits, resolveLimits } from "./service/limits.ts";
import { seededStore } from "./service/seeded-store.ts";
import { createServices, type Services } from "./service/services.ts";
import { resolveSettings, type Settings } from "./service/settings.ts";
import type { Clock } from "./service/time.ts";
import type { World } from "./service/world/schema.ts";
import { prepareWorld, seedWorld } from "./service/world/world.ts";
import { createMemoryStore } from "./store/memory/memory-store.ts";
import type { Store } from "./store/port.ts";

/** Everything is optional: memory, real time, real randomness, the specification's profile. */
export interface EdgeOptions extends Partial<Settings>, HandlerOptions {
  readonly profile?: Profile;
  readonly store?: Store;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly limits?: Partial<Limits>;
  /** What the specification's endpoints cannot create. */
  readonly world?: World;
  /** API tokens beside the world's. With any, every other token is refused. */
  readonly credentials?: NonNullable<World["api_tokens"]>;
  /**
   * Fetches the images that uploads name by `url`; without it such an upload is refused. `guardedFetchImage` of
   * `edgeproof/http` is one for the public internet.
   */
  readonly fetchImage?: FetchImage;
  /** Faults put into what the services depend on. */
  readonly faults?: Faults;
  /** What stands in place of the simulator's own knowledge of DNS and addresses. */
  readonly proxy?: ProxyWorld;
}

export interface Edge extends Pick<Services, "tokens" | "brand" | "images" | "proxy" | "store"> {
  /** Answers a request of the interface as the service would. Never rejects. */
  readonly fetch: FetchHandler;
  /** Lets go of the store. */
  close(): Promise<void>;
}

/**
 * Makes a simulator.
 *
 * @throws {InvalidInputError} when the world is not valid, with every problem and its pointer
 * @throws {TypeError | RangeError} for an unknown profile, and an option or a limit that cannot be so
 * @example
 * ```ts
 * const edge = createEdge();
 * const url = "https://edge.test/client/v4/zones/z1/token_validation/config";
 * const response = await edge.fetch(new Request(url, { headers: { authorization: "Bearer t" } }));
 * (await response.json()).result_info.total_count; // => 0
 * ```
 */
export function createEdge(options: EdgeOptions = {}): Edge {
  const { store = createMemoryStore(), clock = Date.now, ids = randomIds() } = options;
  const settings = resolveSettings(options.profile, options);
  const limits = resolveLimits(options.limits);
  const { faults = {}, proxy = {} } = options;
  const { fetchImage } = options;
  const bare = { store, clock, ids, settings, limits, faults, proxy, ...(fetchImage && { fetchImage }) };
  const prepared = prepareWorld(withCredentials(options.world ?? {}, options.credentials), bare);
  const seeded = faultyStore(
    seededStore(store, () => seedWorld(bare, prepared)),
    faults,
  );
  const services = createServices({ ...bare, store: seeded });
  return {
    tokens: services.tokens,
    brand: services.brand,
    images: services.images,
    proxy: services.proxy,
    store: seeded,
    fetch: createHandler(services, endpoints, options),
    close: () => seeded.close(),
  };
}

/** Whether the world is one at all is for its own check to say. */
function withCredentials(world: World, credentials: EdgeOptions["credentials"]): World {
  if (!credentials || typeof world !== "object" || !Array.isArray(world.api_tokens ?? [])) return world;
  return { ...world, api_tokens: [...(world.api_tokens ?? []), ...credentials] };
}
