/** Random input of token validation for property tests: valid, and with exactly one fault. */

import type { Arbitrary } from "fast-check";
import { anyValue, optionsOf, requireArgument } from "../../core/arguments.ts";
import type {
  JwtKey,
  Operation,
  SimulatedRequest,
  TokenConfig,
  TokenRule,
} from "../../engine/tokens/model.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import type { InvalidBody } from "./body-faults.ts";
import { assertFastCheck, type FastCheck } from "./fast-check.ts";
import {
  type RequestOptions,
  rejectUnreachable,
  requestArbitrary,
  requestMembers,
} from "./requests/request-arbitrary.ts";
import {
  type ConfigBody,
  type ConfigPatchBody,
  configBody,
  configPatch,
  invalidConfigBody,
  invalidConfigPatch,
  invalidCredentials,
  invalidRuleBody,
  invalidRulePatch,
  type RuleBody,
  type RulePatchBody,
  ruleBody,
  rulePatch,
} from "./token-bodies.ts";
import {
  type InvalidRequest,
  type InvalidZone,
  invalidRequestArbitrary,
  invalidZoneArbitrary,
} from "./token-faults.ts";
import {
  configArbitrary,
  expressionArbitrary,
  hosts,
  operationArbitrary,
  ruleArbitrary,
  tokenSourceArbitrary,
  zoneArbitrary,
} from "./token-zones.ts";

/** Arbitraries of every input of token validation. For tokens themselves there are `mintToken` and `mintFaultyToken`. */
export interface TokenArbitraries {
  /** A token source: a header or a cookie. */
  readonly tokenSource: Arbitrary<string>;
  /** A token configuration with some of the keys. */
  readonly config: Arbitrary<TokenConfig>;
  /** An operation. */
  readonly operation: Arbitrary<Operation>;
  /** An expression that references some of the configurations. */
  expression(configIds: readonly string[]): Arbitrary<string>;
  /** A rule that references some of the configurations and excludes up to two of the operations. */
  rule(configIds: readonly string[], operations: readonly Operation[]): Arbitrary<TokenRule>;
  /** A body that creates a configuration. */
  readonly configBody: Arbitrary<ConfigBody>;
  /** A body of a configuration with one fault. */
  readonly invalidConfigBody: Arbitrary<InvalidBody>;
  /** A body that changes a configuration. */
  readonly configPatch: Arbitrary<ConfigPatchBody>;
  /** A body that changes a configuration, with one fault. */
  readonly invalidConfigPatch: Arbitrary<InvalidBody>;
  /** A body that replaces the keys of a configuration. */
  readonly credentials: Arbitrary<ConfigBody["credentials"]>;
  /** A body that replaces keys, with one fault. */
  readonly invalidCredentials: Arbitrary<InvalidBody>;
  /** A body that creates a rule for existing configurations. */
  ruleBody(configIds: readonly string[]): Arbitrary<RuleBody>;
  /** A body of a rule with one fault. */
  invalidRuleBody(configIds: readonly string[]): Arbitrary<InvalidBody>;
  /** A body that changes a rule; its `position`, if any, is `{ index: 1 }`. A list of these with `id` is a bulk change. */
  rulePatch(configIds: readonly string[]): Arbitrary<RulePatchBody>;
  /** A body that changes a rule, with one fault. */
  invalidRulePatch(configIds: readonly string[]): Arbitrary<InvalidBody>;
  /** A zone that compiles. */
  readonly zone: Arbitrary<ZoneInput>;
  /** A zone that compiles except for one fault. */
  readonly invalidZone: Arbitrary<InvalidZone>;
  /**
   * A request of a zone. Most are chosen so that each rule acts on some and passes on others, as far as the analysis
   * finds such requests; the others have any host, operation and values of the zone. Valid tokens are those of `tokens`
   * that the keys of the zone sign; without them no token is valid.
   *
   * @param options `allowUnreachable` accepts rules that act only on requests with valid tokens, without any token
   * @throws {InvalidInputError} when the zone is invalid, with every problem
   * @throws {TypeError} when no tokens are given and a rule acts only on requests with valid ones
   */
  request(
    zone: ZoneInput,
    tokens?: readonly string[],
    options?: { readonly allowUnreachable?: boolean },
  ): Arbitrary<SimulatedRequest>;
  /** A request that can be evaluated except for one fault. */
  readonly invalidRequest: Arbitrary<InvalidRequest>;
}

/** Options of {@link tokenArbitraries}: how `request` reads zones. Every option of a profile is known. */
export type TokenArbitrariesOptions = RequestOptions;

const reachOptions = optionsOf<{ readonly allowUnreachable?: boolean }>("request", {
  allowUnreachable: anyValue,
});

/**
 * Creates the arbitraries. Configurations have some of the keys given, of which there must be at least one.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256");
 * const fc = await import("fast-check");
 * const { zone } = tokenArbitraries(fc, [key.jwk]);
 * fc.sample(zone, 20).flatMap((input) => checkZone(input)); // => []
 * ```
 * @throws {TypeError} when `fc` is not fast-check, `keys` is empty or an option does not exist
 */
export function tokenArbitraries(
  fc: FastCheck,
  keys: readonly [JwtKey, ...JwtKey[]],
  options: TokenArbitrariesOptions = {},
): TokenArbitraries {
  assertFastCheck(fc, "tokenArbitraries");
  requireArgument("options", options, optionsOf<RequestOptions>("tokenArbitraries", requestMembers));
  if (!Array.isArray(keys) || keys.length === 0)
    throw new TypeError(
      "`keys` must be a list of at least one public key: `tokenArbitraries(fc, [key.jwk])`.",
    );
  const zone = zoneArbitrary(fc, keys);
  const requests = zone.chain((input) => requestArbitrary(fc, input, [], options));
  return {
    tokenSource: tokenSourceArbitrary(fc),
    config: configArbitrary(fc, keys),
    operation: operationArbitrary(fc),
    expression: (configIds) => expressionArbitrary(fc, configIds),
    rule: (configIds, operations) => ruleArbitrary(fc, configIds, operations),
    ...bodyArbitraries(fc, keys),
    zone,
    invalidZone: invalidZoneArbitrary(fc, zone),
    request: (input, tokens = [], given = {}) => {
      requireArgument("options", given, reachOptions);
      const { allowUnreachable = false } = given;
      const requests = requestArbitrary(fc, input, tokens, options);
      if (tokens.length === 0 && !allowUnreachable) rejectUnreachable(fc, input, options);
      return requests;
    },
    invalidRequest: invalidRequestArbitrary(fc, requests),
  };
}

type BodyArbitraries = Omit<
  TokenArbitraries,
  | "tokenSource"
  | "config"
  | "operation"
  | "expression"
  | "rule"
  | "zone"
  | "invalidZone"
  | "request"
  | "invalidRequest"
>;

/** The arbitraries of request bodies. */
function bodyArbitraries(fc: FastCheck, keys: readonly [JwtKey, ...JwtKey[]]): BodyArbitraries {
  const configBodies = configBody(fc, keys, tokenSourceArbitrary(fc));
  const configPatches = configPatch(fc, configBodies);
  const credentials = configBodies.map((body) => body.credentials);
  const ruleBodies = (configIds: readonly string[]) =>
    ruleBody(fc, expressionArbitrary(fc, configIds), hosts);
  const rulePatches = (configIds: readonly string[]) => rulePatch(fc, ruleBodies(configIds));
  return {
    configBody: configBodies,
    invalidConfigBody: invalidConfigBody(fc, configBodies, keys[0]),
    configPatch: configPatches,
    invalidConfigPatch: invalidConfigPatch(fc, configPatches, keys[0]),
    credentials,
    invalidCredentials: invalidCredentials(fc, credentials, keys[0]),
    ruleBody: ruleBodies,
    invalidRuleBody: (configIds) => invalidRuleBody(fc, ruleBodies(configIds)),
    rulePatch: rulePatches,
    invalidRulePatch: (configIds) => invalidRulePatch(fc, rulePatches(configIds)),
  };
}
