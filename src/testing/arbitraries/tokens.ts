/** Random input of token validation for property tests: valid, and wrong in exactly one way. */
import type { Arbitrary } from "fast-check";
import { printString } from "../../engine/tokens/expression/literal.ts";
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

/** A zone with one fault. */
export interface InvalidZone {
  readonly zone: unknown;
  /** Where the only problem is that `checkZone` reports, and its code. */
  readonly pointer: string;
  readonly code: number;
}

/** A request with one fault. */
export interface InvalidRequest {
  readonly request: unknown;
  /** Where the only problem is that `checkRequest` reports, and its code. */
  readonly pointer: string;
  readonly code: number;
}

/** Arbitraries of every input of token validation. For tokens themselves there are `mintToken` and `mintFaultyToken`. */
export interface TokenArbitraries {
  readonly tokenSource: Arbitrary<string>;
  readonly config: Arbitrary<TokenConfig>;
  readonly operation: Arbitrary<Operation>;
  /** An expression over some configurations. */
  expression(configIds: readonly string[]): Arbitrary<string>;
  /** A rule over some configurations and operations. */
  rule(configIds: readonly string[], operations: readonly Operation[]): Arbitrary<TokenRule>;
  /** The body of a configuration to create. */
  readonly configBody: Arbitrary<ConfigBody>;
  readonly invalidConfigBody: Arbitrary<InvalidBody>;
  /** The body that changes a configuration. */
  readonly configPatch: Arbitrary<ConfigPatchBody>;
  readonly invalidConfigPatch: Arbitrary<InvalidBody>;
  /** The keys that replace those of a configuration. */
  readonly credentials: Arbitrary<ConfigBody["credentials"]>;
  readonly invalidCredentials: Arbitrary<InvalidBody>;
  /** The body of a rule to create, over configurations that are there. */
  ruleBody(configIds: readonly string[]): Arbitrary<RuleBody>;
  invalidRuleBody(configIds: readonly string[]): Arbitrary<InvalidBody>;
  /** The body that changes a rule; of the positions only the first place. A list of these with `id` is a bulk change. */
  rulePatch(configIds: readonly string[]): Arbitrary<RulePatchBody>;
  invalidRulePatch(configIds: readonly string[]): Arbitrary<InvalidBody>;
  /** A zone that compiles. */
  readonly zone: Arbitrary<ZoneInput>;
  /** A zone that would compile but for one fault. */
  readonly invalidZone: Arbitrary<InvalidZone>;
  /** A request that is likely to be an operation of the zone, with some of the tokens given in its sources. */
  request(zone: ZoneInput, tokens?: readonly string[]): Arbitrary<SimulatedRequest>;
  /** A request that could be evaluated but for one fault. */
  readonly invalidRequest: Arbitrary<InvalidRequest>;
}

/** The code of everything that is wrong here (`chosen`). */
const invalidInput = 10_400;

const hosts = ["api.example.com", "www.example.com", "shop.example.net"] as const;
const methods = ["GET", "POST", "PUT", "DELETE"] as const;
const words = ["users", "orders", "v1", "login", "a"] as const;
const headerNames = ["authorization", "x-token", "x-session"] as const;
const cookieNames = ["session", "Token"] as const;

/**
 * Makes the arbitraries. Configurations have the keys given, of which there is at least one.
 *
 * @example
 * ```ts
 * const key = await mintKey("ES256");
 * const fc = await import("fast-check");
 * const { zone } = tokenArbitraries(fc, [key.jwk]);
 * fc.sample(zone, 20).flatMap((input) => checkZone(input)); // => []
 * ```
 */
export function tokenArbitraries(fc: FastCheck, keys: readonly [JwtKey, ...JwtKey[]]): TokenArbitraries {
  assertFastCheck(fc, "tokenArbitraries");
  if (!Array.isArray(keys) || keys.length === 0)
    throw new TypeError("Give tokenArbitraries at least one public key: `tokenArbitraries(fc, [key.jwk])`.");
  const tokenSource = fc.oneof(
    fc.constantFrom(...headerNames).map((name) => `http.request.headers["${name}"][0]`),
    fc.constantFrom(...cookieNames).map((name) => `http.request.cookies["${name}"][0]`),
  );

  const config: Arbitrary<TokenConfig> = fc.record({
    id: fc.uuid(),
    title: fc.constantFrom("Users", "Partners"),
    token_sources: fc.uniqueArray(tokenSource, { minLength: 1, maxLength: 4 }),
    credentials: fc.record({ keys: fc.subarray([...keys], { minLength: 1 }) }),
  });

  const endpoint = fc
    .array(fc.oneof(fc.constantFrom<string>(...words), fc.constant("{id}")), { maxLength: 3 })
    .map((segments) => `/${segments.join("/")}`);

  const operation: Arbitrary<Operation> = fc.record({
    operation_id: fc.uuid(),
    method: fc.constantFrom(...methods),
    host: fc.constantFrom(...hosts),
    endpoint,
  });

  function expression(configIds: readonly string[]): Arbitrary<string> {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        { weight: 3, arbitrary: leaf(fc, configIds) },
        { weight: 1, arbitrary: tie("tree").map((inner) => `not (${inner})`) },
        {
          weight: 2,
          arbitrary: fc
            .tuple(tie("tree"), fc.constantFrom("or", "and", "xor"), tie("tree"))
            .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
        },
      ),
    }));
    return tree;
  }

  function rule(configIds: readonly string[], operations: readonly Operation[]): Arbitrary<TokenRule> {
    const ids = operations.map(({ operation_id }) => operation_id);
    return fc.record({
      id: fc.uuid(),
      title: fc.constantFrom("Guard", "Count"),
      action: fc.constantFrom("log" as const, "block" as const),
      enabled: fc.constantFrom(true, true, true, false),
      expression: expression(configIds),
      selector: fc.record({
        include: fc.subarray([...hosts], { minLength: 1 }).map((host) => [{ host }]),
        exclude: fc
          .subarray(ids, { maxLength: Math.min(2, ids.length) })
          .map((operation_ids) => [{ operation_ids }]),
      }),
    });
  }

  const zone: Arbitrary<ZoneInput> = fc
    .record({
      configs: fc.uniqueArray(config, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
      operations: fc
        .uniqueArray(operation, { minLength: 1, maxLength: 5, selector: ({ operation_id }) => operation_id })
        .map(withoutOverlaps),
    })
    .chain(({ configs, operations }) => {
      const ids = configs.map(({ id }) => id);
      const rules = fc.uniqueArray(rule(ids, operations), {
        minLength: 1,
        maxLength: 4,
        selector: ({ id }) => id,
      });
      return rules.map((list) => ({ configs, operations, rules: list }));
    });

  const wrongZone = fc
    .tuple(zone, fc.constantFrom(...zoneFaults), fc.nat())
    .map(([valid, breakZone, pick]): InvalidZone => ({ ...breakZone(valid, pick), code: invalidInput }));

  function request(input: ZoneInput, tokens: readonly string[] = []): Arbitrary<SimulatedRequest> {
    const targets = (input.operations ?? []).map(({ method, host, endpoint }) => ({
      method,
      host,
      endpoint,
    }));
    const elsewhere = { method: "GET", host: hosts[0], endpoint: "/elsewhere" };
    const sources = input.configs.flatMap(({ token_sources }) => token_sources);
    const headers = fc
      .subarray([...new Set(sources)])
      .chain((used) => fc.tuple(...used.map((source) => headerOf(fc, source, tokens))));
    return fc.tuple(fc.constantFrom(...targets, elsewhere), fc.constantFrom(...words), headers).map(
      ([{ method, host, endpoint }, word, given]): SimulatedRequest => ({
        method,
        url: `https://${host}${endpoint.replaceAll(/\{[^}]+\}/g, word)}`,
        headers: given,
      }),
    );
  }

  const wrongRequest = fc
    .tuple(
      zone.chain((input) => request(input)),
      fc.constantFrom(...requestFaults),
    )
    .map(([valid, [changed, pointer]]): InvalidRequest => {
      return { request: { ...valid, ...changed }, pointer, code: invalidInput };
    });

  const bodies = configBody(fc, keys, tokenSource);
  const configPatches = configPatch(fc, bodies);
  const credentials = bodies.map((body) => body.credentials);
  const rulesOver = (configIds: readonly string[]) => ruleBody(fc, expression(configIds), hosts);
  const rulePatches = (configIds: readonly string[]) => rulePatch(fc, rulesOver(configIds));

  return {
    tokenSource,
    config,
    operation,
    expression,
    rule,
    configBody: bodies,
    invalidConfigBody: invalidConfigBody(fc, bodies, keys[0]),
    configPatch: configPatches,
    invalidConfigPatch: invalidConfigPatch(fc, configPatches, keys[0]),
    credentials,
    invalidCredentials: invalidCredentials(fc, credentials, keys[0]),
    ruleBody: rulesOver,
    invalidRuleBody: (configIds) => invalidRuleBody(fc, rulesOver(configIds)),
    rulePatch: rulePatches,
    invalidRulePatch: (configIds) => invalidRulePatch(fc, rulePatches(configIds)),
    zone,
    invalidZone: wrongZone,
    request,
    invalidRequest: wrongRequest,
  };
}

/** Another value for a member of a request, and where the problem is. */
const requestFaults: readonly (readonly [changed: object, pointer: string])[] = [
  [{ method: "" }, "/method"],
  [{ method: "GET /" }, "/method"],
  [{ method: 1 }, "/method"],
  [{ url: "/users" }, "/url"],
  [{ url: "ftp://api.example.com/" }, "/url"],
  [{ url: undefined }, "/url"],
  [{ headers: "authorization: x" }, "/headers"],
  [{ headers: { authorization: 1 } }, "/headers/authorization"],
  [{ headers: [["authorization"]] }, "/headers/0"],
];

function leaf(fc: FastCheck, configIds: readonly string[]): Arbitrary<string> {
  const id = fc.constantFrom(...configIds).map(printString);
  const comparison = fc.oneof(
    fc
      .subarray([...methods], { minLength: 1 })
      .map((list) => `http.request.method in {${list.map(printString).join(" ")}}`),
    fc.constantFrom(...words).map((word) => `http.request.uri.path contains ${printString(word)}`),
    fc.constantFrom(...words).map((word) => `http.request.uri.path wildcard ${printString(`/${word}/*`)}`),
    fc.constantFrom(...hosts).map((host) => `http.host ne ${printString(host)}`),
  );
  if (configIds.length === 0) return comparison;
  return fc.oneof(
    { weight: 3, arbitrary: id.map((text) => `is_jwt_valid(${text})`) },
    { weight: 2, arbitrary: id.map((text) => `is_jwt_present(${text})`) },
    { weight: 2, arbitrary: comparison },
  );
}

/** Operations of which no two match the same requests. */
function withoutOverlaps(operations: readonly Operation[]): Operation[] {
  const shapes = operations.map(({ method, host, endpoint }) => `${method} ${host}${endpoint}`);
  return operations.filter((_, i) => shapes.indexOf(shapes[i]!) === i);
}

function headerOf(fc: FastCheck, source: string, tokens: readonly string[]): Arbitrary<[string, string]> {
  const name = /\["([^"]+)"\]/.exec(source)?.[1] ?? "";
  const token = fc.constantFrom("", "nonsense", ...tokens);
  if (source.startsWith("http.request.cookies")) return token.map((text) => ["cookie", `${name}=${text}`]);
  return fc.tuple(fc.constantFrom("Bearer ", ""), token).map(([scheme, text]) => [name, scheme + text]);
}

type BreakZone = (zone: ZoneInput, pick: number) => Omit<InvalidZone, "code">;

type List = "configs" | "rules" | "operations";

/** Puts another value at a member of some entry of a list. */
function breakMember(list: List, member: string, value: unknown, at = member): BreakZone {
  return (zone, pick) => {
    const entries = zone[list] ?? [];
    const index = pick % entries.length;
    const broken = entries.map((entry, i) => (i === index ? { ...entry, [member]: value } : entry));
    return { zone: { ...zone, [list]: broken }, pointer: `/${list}/${index}/${at}` };
  };
}

/** Repeats the last entry of a list, so that its id is taken. */
function repeatRule(zone: ZoneInput): Omit<InvalidZone, "code"> {
  return {
    zone: { ...zone, rules: [...zone.rules, zone.rules.at(-1)] },
    pointer: `/rules/${zone.rules.length}/id`,
  };
}

/** One way each in which a zone can be wrong. */
const zoneFaults: readonly BreakZone[] = [
  breakMember("configs", "token_sources", "http.request.headers"),
  breakMember("configs", "token_sources", ["http.request.body"], "token_sources/0"),
  breakMember("configs", "credentials", { keys: [] }, "credentials/keys"),
  breakMember("configs", "credentials", {}, "credentials/keys"),
  breakMember("rules", "id", ""),
  breakMember("rules", "action", "deny"),
  breakMember("rules", "enabled", "yes"),
  breakMember("rules", "expression", "is_jwt_valid("),
  breakMember("rules", "expression", 'is_jwt_valid("no-such-configuration")'),
  breakMember("rules", "expression", null),
  breakMember("rules", "selector", null),
  breakMember("rules", "selector", { include: "api.example.com" }, "selector/include"),
  breakMember("rules", "selector", { include: [{ host: [""] }] }, "selector/include/0/host/0"),
  breakMember("operations", "method", ""),
  breakMember("operations", "host", 1),
  breakMember("operations", "endpoint", "users"),
  breakMember("operations", "endpoint", "/a{id}"),
  repeatRule,
  (zone) => ({ zone: { ...zone, operations: {} }, pointer: "/operations" }),
];
