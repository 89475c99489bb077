/** Random zones and requests of token validation, with their parts. */
import type { Arbitrary } from "fast-check";
import { printString } from "../../engine/tokens/expression/literal.ts";
import type { JwtKey, Operation, TokenConfig, TokenRule } from "../../engine/tokens/model.ts";
import type { ZoneInput } from "../../engine/tokens/zone/zone-input.ts";
import type { FastCheck } from "./fast-check.ts";

/** The hosts of operations and rules. */
export const hosts = ["api.example.com", "www.example.com", "shop.example.net"] as const;

/** Hosts of operations with variables, and of rules that select them. */
const hostTemplates = ["{hostVar1}.example.com", "shop.{hostVar1}.net"] as const;

const methods = ["GET", "POST", "PUT", "DELETE"] as const;
const words = ["users", "orders", "v1", "login", "a"] as const;
const headerNames = ["authorization", "x-token", "x-session"] as const;
const cookieNames = ["session", "Token"] as const;

/** Headers and cookies that a configuration takes its token from. */
export function tokenSourceArbitrary(fc: FastCheck): Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...headerNames).map((name) => `http.request.headers["${name}"][0]`),
    fc.constantFrom(...cookieNames).map((name) => `http.request.cookies["${name}"][0]`),
  );
}

/** Configurations with some of the keys. */
export function configArbitrary(fc: FastCheck, keys: readonly JwtKey[]): Arbitrary<TokenConfig> {
  return fc.record({
    id: fc.uuid(),
    title: fc.constantFrom("Users", "Partners"),
    token_sources: fc.uniqueArray(tokenSourceArbitrary(fc), { minLength: 1, maxLength: 4 }),
    credentials: fc.record({ keys: fc.subarray([...keys], { minLength: 1 }) }),
  });
}

/** Operations of up to three path segments. */
export function operationArbitrary(fc: FastCheck): Arbitrary<Operation> {
  const segment = fc.oneof(fc.constantFrom<string>(...words), fc.constant("{id}"));
  return fc.record({
    operation_id: fc.uuid(),
    method: fc.constantFrom(...methods),
    host: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<string>(...hosts) },
      { weight: 1, arbitrary: fc.constantFrom<string>(...hostTemplates) },
    ),
    endpoint: fc.array(segment, { maxLength: 3 }).map((segments) => `/${segments.join("/")}`),
  });
}

/** Expressions that reference some configurations. */
export function expressionArbitrary(fc: FastCheck, configIds: readonly string[]): Arbitrary<string> {
  const leaf = leafArbitrary(fc, configIds);
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: tie("tree").map((operand) => `not (${operand})`) },
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

function leafArbitrary(fc: FastCheck, configIds: readonly string[]): Arbitrary<string> {
  const id = fc.constantFrom(...configIds).map(printString);
  const comparison = fc.oneof(
    fc
      .subarray([...methods], { minLength: 1 })
      .map((list) => `http.request.method in {${list.map(printString).join(" ")}}`),
    fc.constantFrom(...words).map((word) => `http.request.uri.path contains ${printString(word)}`),
    fc.constantFrom(...words).map((word) => `http.request.uri.path wildcard ${printString(`/${word}/*`)}`),
    fc.constantFrom(...hosts).map((host) => `http.host ne ${printString(host)}`),
    fc.constantFrom(...words).map((word) => `starts_with(lower(http.request.uri.path), "/${word}")`),
    fc
      .constantFrom(...headerNames)
      .map((name) => `any(http.request.headers["${name}"][*] contains "Bearer")`),
    fc.constantFrom(1, 6, 12).map((length) => `len(http.request.uri) gt ${length}`),
    fc.constantFrom(...words).map((word) => `http.request.uri.path matches "^/${word}(/|$)"`),
  );
  if (configIds.length === 0) return comparison;
  return fc.oneof(
    { weight: 3, arbitrary: id.map((printed) => `is_jwt_valid(${printed})`) },
    { weight: 2, arbitrary: id.map((printed) => `is_jwt_present(${printed})`) },
    { weight: 2, arbitrary: comparison },
  );
}

/** Rules that reference some configurations and exclude some of the operations. */
export function ruleArbitrary(
  fc: FastCheck,
  configIds: readonly string[],
  operations: readonly Operation[],
): Arbitrary<TokenRule> {
  const ids = operations.map(({ operation_id }) => operation_id);
  const excluded = fc.subarray(ids, { maxLength: Math.min(2, ids.length) });
  return fc.record({
    id: fc.uuid(),
    title: fc.constantFrom("Guard", "Count"),
    action: fc.constantFrom("log" as const, "block" as const),
    enabled: fc.constantFrom(true, true, true, false),
    expression: expressionArbitrary(fc, configIds),
    selector: fc.record({
      include: fc.subarray([...hosts, ...hostTemplates], { minLength: 1 }).map((host) => [{ host }]),
      exclude: excluded.map((operation_ids) => [{ operation_ids }]),
    }),
  });
}

/** Zones that compile. */
export function zoneArbitrary(fc: FastCheck, keys: readonly JwtKey[]): Arbitrary<ZoneInput> {
  const selectId = ({ id }: { readonly id: string }) => id;
  const configs = fc.uniqueArray(configArbitrary(fc, keys), {
    minLength: 1,
    maxLength: 3,
    selector: selectId,
  });
  const operations = fc
    .uniqueArray(operationArbitrary(fc), {
      minLength: 1,
      maxLength: 5,
      selector: ({ operation_id }) => operation_id,
    })
    .map(withoutOverlaps);
  return fc.record({ configs, operations }).chain((zone) => {
    const rule = ruleArbitrary(fc, zone.configs.map(selectId), zone.operations);
    const rules = fc.uniqueArray(rule, { minLength: 1, maxLength: 4, selector: selectId });
    return rules.map((list) => ({ ...zone, rules: list }));
  });
}

/** Operations of which no two match the same requests. */
function withoutOverlaps(operations: readonly Operation[]): Operation[] {
  const byTarget = new Map(
    operations
      .toReversed()
      .map((operation) => [`${operation.method} ${operation.host}${operation.endpoint}`, operation]),
  );
  const kept = new Set(byTarget.values());
  return operations.filter((operation) => kept.has(operation));
}
