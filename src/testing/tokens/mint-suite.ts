/** Mints the tokens of generated suites: no private key is stored, so the zone gets new keys. */
import {
  anyObject,
  anyValue,
  aPair,
  arrayOf,
  aString,
  objectWith,
  optional,
  optionsOf,
  requireArguments,
} from "../../core/arguments.ts";
import type { JwtKey, SimulatedRequest, TokenConfig } from "../../engine/tokens/model.ts";
import type { SuiteToken, SuiteTokenState } from "../../engine/tokens/suite/suite-token.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import { mintFaultyToken, type TokenFault } from "./faults.ts";
import { type MintedKey, mintKey, mintToken } from "./mint.ts";

/** A request with placeholders for tokens: one of `suiteFor` or `coveringRequests`. */
export interface RequestWithTokens {
  /** The request, with placeholders in its headers. */
  readonly request: SimulatedRequest;
  /** The tokens that take their place. */
  readonly tokens: readonly SuiteToken[];
  /** The time at which this request will be evaluated, in milliseconds since 1970. Default: that of the options. */
  readonly nowMs?: number;
}

/** Options of {@link mintSuite}. */
export interface MintSuiteOptions {
  /** The time at which the requests will be evaluated, in milliseconds since 1970. Default: now. */
  readonly nowMs?: number;
  /** The tolerance of the zone for `exp` and `nbf`, in seconds from 0. Default 0. */
  readonly clockToleranceSeconds?: number;
}

/** A zone whose keys were replaced, and requests with tokens of these keys. */
export interface MintedSuite<R extends RequestWithTokens = RequestWithTokens> {
  /** The zone with the new public keys; a key that no token needs is unchanged. */
  readonly zone: ZoneInput;
  /** The requests, in the order given, with tokens instead of placeholders. */
  readonly requests: readonly R[];
}

/** Other members of keys, such as `x5c`, are of any type. */
const aKey = objectWith({ kty: optional(aString), kid: optional(aString), alg: optional(aString) });
const aConfig = objectWith({ id: aString, credentials: objectWith({ keys: arrayOf(aKey) }) });
const aSuiteToken = objectWith({
  placeholder: aString,
  config: aString,
  kid: aString,
  alg: aString,
  state: aString,
  claims: optional(anyObject),
});

/**
 * Replaces the keys of a zone by new ones with the same `kid` and `alg`, and the placeholders of requests by tokens that
 * these keys sign. Private keys exist only in memory.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256", "key-1");
 * const source = 'http.request.headers["authorization"][0]';
 * const config = { id: "users", token_sources: [source], credentials: { keys: [key.jwk] } };
 * const selector = { include: [{ host: ["api.example.com"] }] };
 * const expression = 'is_jwt_valid("users")';
 * const rule = { id: "r1", action: "block", enabled: true, expression, selector } as const;
 * const input = { configs: [config], rules: [rule] };
 * const minted = await mintSuite(input, coveringRequests(input).requests);
 * const zone = await compileZone(minted.zone);
 * minted.requests.map(({ request }) => zone.evaluateSync(request).action); // => ["block", "allow"]
 * ```
 * @throws {RangeError} when a token names a configuration or a key that the zone does not have
 * @throws {TypeError} for an option that does not exist
 */
export async function mintSuite<R extends RequestWithTokens>(
  zone: ZoneInput,
  requests: readonly R[],
  options: MintSuiteOptions = {},
): Promise<MintedSuite<R>> {
  requireArguments({
    zone: [zone, objectWith({ configs: arrayOf(aConfig), rules: arrayOf(anyObject) })],
    requests: [
      requests,
      arrayOf(
        objectWith({
          request: objectWith({ headers: optional(arrayOf(aPair)) }),
          tokens: arrayOf(aSuiteToken),
        }),
      ),
    ],
    options: [
      options,
      optionsOf<MintSuiteOptions>("mintSuite", { nowMs: anyValue, clockToleranceSeconds: anyValue }),
    ],
  });
  const { nowMs = Date.now(), clockToleranceSeconds = 0 } = options;
  const minted = await mintKeys(
    zone,
    requests.flatMap(({ tokens }) => tokens),
  );
  const filled: R[] = [];
  for (const request of requests) {
    const values = new Map<string, string>();
    for (const token of request.tokens) {
      const key = minted.get(identityOf(keyOf(zone, token))) as MintedKey;
      values.set(
        token.placeholder,
        await mintState(key, token, request.nowMs ?? nowMs, clockToleranceSeconds),
      );
    }
    filled.push({ ...request, request: fill(request.request, values) });
  }
  return { zone: withKeys(zone, minted), requests: filled };
}

/** A new key for each key that a token needs, by the identity of the key that it replaces. */
async function mintKeys(zone: ZoneInput, tokens: readonly SuiteToken[]): Promise<Map<string, MintedKey>> {
  const needed = new Map(tokens.map((token) => keyOf(zone, token)).map((key) => [identityOf(key), key]));
  const minted = new Map<string, MintedKey>();
  for (const [identity, { alg, kid }] of needed) minted.set(identity, await mintKey(alg, kid));
  return minted;
}

function withKeys(zone: ZoneInput, minted: ReadonlyMap<string, MintedKey>): ZoneInput {
  const configs = zone.configs.map((config): TokenConfig => {
    const keys = config.credentials.keys.map((key) => minted.get(identityOf(key))?.jwk ?? key);
    return { ...config, credentials: { ...config.credentials, keys } };
  });
  return { ...zone, configs };
}

/** Equal for equal public keys, whatever the order of their members. */
function identityOf(key: JwtKey): string {
  const members = Object.entries(key).filter(([, value]) => typeof value === "string");
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function keyOf({ configs }: ZoneInput, { config: id, kid, alg }: SuiteToken): JwtKey {
  const config = configs.find((candidate) => candidate.id === id);
  if (config === undefined) throw new RangeError(`There is no token configuration \`${id}\`.`);
  const key = config.credentials.keys.find((candidate) => candidate.kid === kid && candidate.alg === alg);
  if (key !== undefined) return key;
  throw new RangeError(`The configuration \`${id}\` has no key with kid \`${kid}\` and alg \`${alg}\`.`);
}

/** The fault of each reason that is not about times. */
const faults: Partial<Record<SuiteTokenState, TokenFault>> = {
  malformed: "two_segments",
  unsupported_header: "alg_none",
  unknown_key: "wrong_kid",
  algorithm_mismatch: "wrong_alg",
  bad_signature: "tampered_payload",
};

function mintState(
  key: MintedKey,
  { state, claims }: SuiteToken,
  nowMs: number,
  toleranceSeconds: number,
): Promise<string> {
  const fault = faults[state];
  if (fault !== undefined) return mintFaultyToken(key, fault, { nowMs });
  return mintToken(key, { ...claims, ...timesOf(state, Math.floor(nowMs / 1_000), toleranceSeconds) });
}

/** Expired when `exp <= now - tolerance`, not yet valid when `nbf > now + tolerance`. */
function timesOf(state: SuiteTokenState, now: number, tolerance: number): Readonly<Record<string, number>> {
  if (state === "expired") return { exp: now - tolerance };
  if (state === "valid_before_exp") return { exp: now - tolerance + 1 };
  if (state === "valid_from_nbf") return { nbf: now + tolerance };
  return state === "not_yet_valid" ? { nbf: now + tolerance + 1 } : {};
}

function fill(request: SimulatedRequest, values: ReadonlyMap<string, string>): SimulatedRequest {
  const replace = (value: string) =>
    [...values].reduce((filled, [placeholder, token]) => filled.replaceAll(placeholder, token), value);
  const { headers } = request;
  if (headers === undefined) return request;
  if (Array.isArray(headers)) {
    const pairs = headers as readonly (readonly [string, string])[];
    return { ...request, headers: pairs.map(([name, value]) => [name, replace(value)] as const) };
  }
  const filled = Object.entries(headers as Readonly<Record<string, string | readonly string[]>>).map(
    ([name, value]) => [name, typeof value === "string" ? replace(value) : value.map(replace)],
  );
  return { ...request, headers: Object.fromEntries(filled) };
}
