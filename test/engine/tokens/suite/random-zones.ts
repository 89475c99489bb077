/** Random zones of 2 to 12 rules on few hosts, whose rules meet often: also with patterns, lengths and functions. */

import type { JwtKey, Operation, TokenConfig, TokenRule } from "../../../../src/engine/tokens/model.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";

/** A number from 0 to below 1. */
export type Random = () => number;

/** The same numbers in every run (mulberry32). */
export function randomNumbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[below(random, values.length)] as T;
}

function some<T>(random: Random, values: readonly T[], share: number): T[] {
  return values.filter(() => random() < share);
}

const hosts = ["api.example.com", "www.example.com"];
const methods = ["GET", "POST", "DELETE"];
const endpoints = ["/admin", "/admin/{id}", "/api/users", "/api/{kind}/list", "/orders/{id}", "/v1/{a}/{b}"];

const leaves: readonly ((random: Random) => string)[] = [
  (random) => `is_jwt_valid("${pick(random, ["c0", "c1"])}")`,
  (random) => `is_jwt_valid("${pick(random, ["c0", "c1"])}")`,
  (random) => `is_jwt_present("${pick(random, ["c0", "c1"])}")`,
  (random) => `http.request.method eq "${pick(random, methods)}"`,
  () => 'http.request.method in {"GET" "POST"}',
  (random) => `http.request.uri.path wildcard "${pick(random, ["/admin/*", "/api/*/list", "*/users"])}"`,
  (random) => `http.request.uri.path contains "${pick(random, ["admin", "user", "v1"])}"`,
  (random) => `starts_with(http.request.uri.path, "${pick(random, ["/admin", "/api/", "/orders"])}")`,
  (random) => `http.request.headers["x-plan"][0] eq "${pick(random, ["gold", "silver"])}"`,
  () => 'http.request.headers["x-plan"][0] in {"gold" "silver" "team"}',
  (random) =>
    `len(http.request.headers["x-id"][0]) ${pick(random, ["ge", "lt", "eq"])} ${pick(random, [3, 8, 16])}`,
  (random) =>
    `http.request.headers["x-version"][0] matches "${pick(random, ["^v[0-9]{1,3}$", "beta|rc", "^(?:on|off)$"])}"`,
  () => 'lower(http.request.headers["x-mode"][0]) eq "debug"',
  () => 'any(http.request.headers["x-tag"][*] eq "a")',
  () => 'ends_with(http.request.headers["x-file"][0], ".json")',
];

function expression(random: Random, depth = 0): string {
  const kind = depth > 1 ? 1 : random();
  if (kind > 0.55) return pick(random, leaves)(random);
  if (kind > 0.45) return `not (${expression(random, depth + 1)})`;
  const operands = Array.from({ length: 2 + below(random, 2) }, () => `(${expression(random, depth + 1)})`);
  return operands.join(` ${pick(random, ["or", "or", "and", "xor"])} `);
}

/** A zone; both configurations have the first source of the other as a later one at times. */
export function randomZone(random: Random, keys: readonly [JwtKey, JwtKey]): ZoneInput {
  const sources = [
    'http.request.headers["authorization"][0]',
    'http.request.cookies["session"][0]',
    'http.request.headers["x-token"][0]',
  ];
  const configs = keys.map((key, i): TokenConfig => {
    const own = some(random, sources, 0.6);
    return {
      id: `c${i}`,
      token_sources: own.length === 0 ? [sources[i] ?? ""] : own,
      credentials: { keys: [key] },
    };
  });
  const used = new Set<string>();
  const operations = Array.from(
    { length: 3 + below(random, 5) },
    (_, i): Operation => ({
      operation_id: `o${i}`,
      method: pick(random, methods),
      host: pick(random, hosts),
      endpoint: pick(random, endpoints),
    }),
  ).filter(({ method, host, endpoint }) => {
    const route = [method, host, endpoint.replaceAll(/\{\w+\}/g, "{}")].join();
    return !used.has(route) && used.add(route);
  });
  const rules = Array.from({ length: 2 + below(random, 11) }, (_, i): TokenRule => {
    const included = random() < 0.6 ? hosts : [pick(random, hosts)];
    const excluded = some(random, operations, 0.25).map((operation) => operation.operation_id);
    return {
      id: `r${i}`,
      action: random() < 0.5 ? "block" : "log",
      enabled: random() < 0.9,
      expression: expression(random),
      selector: {
        include: [{ host: included }],
        ...(excluded.length > 0 && { exclude: [{ operation_ids: excluded }] }),
      },
    };
  });
  return random() < 0.85 ? { configs, rules, operations } : { configs, rules };
}
