/** Audits of zones with custom rules against brute force over requests that state all values, with real tokens. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { auditOperations } from "../../../../../src/engine/tokens/analysis/audit/audit-operations.ts";
import type { OperationAudit } from "../../../../../src/engine/tokens/analysis/audit/audit-result.ts";
import type { Ruleset } from "../../../../../src/engine/tokens/rulesets/model.ts";
import type { Verdict } from "../../../../../src/engine/tokens/verdict/verdict.ts";
import type { ZoneInput } from "../../../../../src/engine/tokens/zone/zone-input.ts";
import { fillPlaceholderTokens } from "../../../../../src/testing/tokens/fill-placeholders.ts";
import { runs } from "../../../../support/runs.ts";
import {
  compileTimed,
  keys,
  leafTexts,
  normalization,
  sampleRequests,
  type TimedRequest,
  zoneOf,
  zoneWith,
} from "../custom/random-rulesets.ts";

const header = { name: "header", source: 'http.request.headers["authorization"][0]' };
const cookie = { name: "cookie", source: 'http.request.cookies["t"][0]' };
const host = "api.example.com";
const operation = (method: string, endpoint: string, ...security: (typeof header)[][]) => {
  return { operation_id: `${method} ${endpoint}`, method, host, endpoint, security };
};
const documented = [
  operation("GET", "/a", [header]),
  operation("POST", "/{x}", [cookie], [header]),
  operation("GET", "/{x}"),
];

/** Custom rules that block requests without a valid token. */
const guards = [
  'not http.request.jwt.claims.iat.sec["C1"][0] ge 0',
  'not (lookup_json_string(http.request.jwt.claims["C1"][0], "role") in {"admin" "user"})',
  'not any(http.request.jwt.claims.aud["C2"][*] eq "b") and not http.host eq "x.example.com"',
];

/** Often with a hole for some requests. */
const guard = fc
  .tuple(fc.constantFrom(...guards), fc.option(fc.constantFrom(...leafTexts), { freq: 2 }))
  .map(([text, hole]) => (hole === null ? text : `(${text}) and not (${hole})`));

/** Zones, often with a rule that blocks requests without a token before all others. */
const zones: fc.Arbitrary<ZoneInput> = fc
  .tuple(zoneOf(leafTexts), fc.option(guard, { freq: 2 }))
  .map(([zone, expression]): ZoneInput => {
    const [entry] = zone.account_rulesets as readonly Ruleset[];
    if (expression === null || entry === undefined) return zone;
    const rules = [{ id: "guard", action: "block" as const, expression }, ...(entry.rules ?? [])];
    return { ...zone, account_rulesets: [{ ...entry, rules }] };
  });

/** Whether a request has a token that is valid for a configuration, and whether it has one at all. */
const hasToken = Object.fromEntries(
  await Promise.all(
    ["valid", "present"].flatMap((test) =>
      ["C1", "C2"].map(async (id) => {
        const selector = { include: [{ host: [host] }] };
        const expression = `is_jwt_${test}("${id}")`;
        const rule = { id: "r", action: "block", enabled: true, expression, selector } as const;
        const evaluate = await compileTimed(zoneWith("false", [rule]));
        return [`${test} ${id}`, (request: TimedRequest) => evaluate(request).action === "allow"] as const;
      }),
    ),
  ),
);
const has = (test: string, request: TimedRequest) => hasToken[test]?.(request) === true;

function meets({ security }: (typeof documented)[number], request: TimedRequest): boolean {
  return security.flat().some(({ name }) => {
    return (name === "header" && has("valid C1", request)) || has("valid C2", request);
  });
}

function isOf({ method, endpoint }: (typeof documented)[number], { request }: TimedRequest): boolean {
  const { host: found, pathname: encoded } = new URL(request.url);
  // An encoded letter is the same letter.
  const pathname = encoded.replaceAll("%61", "a");
  const fits =
    endpoint === "/{x}"
      ? /^\/[^/]+$/.test(pathname) && !(method === "GET" && pathname === "/a")
      : pathname === endpoint;
  return found === host && request.method === method && fits;
}

/** Whether a rule blocks that asks for tokens. */
function blocksWithoutToken({ action, outcome, custom }: Verdict, { account_rulesets, rulesets }: ZoneInput) {
  if (action !== "block" || outcome !== "custom_rule") return action === "block";
  const rules = [...(account_rulesets ?? []), ...(rulesets ?? [])].flatMap((ruleset) => ruleset.rules ?? []);
  return rules.some(({ id, expression }) => id === custom?.rule?.rule && expression.includes("jwt.claims"));
}

const requests = sampleRequests(3000).filter((request) =>
  documented.some((operation) => isOf(operation, request)),
);
const counts = new Map<string, number>();

type Evaluate = (request: TimedRequest) => Verdict;

function expectAgreement({ operation, outcome }: OperationAudit, zone: ZoneInput, evaluate: Evaluate): void {
  const documentedOne = documented.find(({ operation_id }) => operation_id === operation.operation_id)!;
  const own = requests.filter((request) => isOf(documentedOne, request));
  const without = own.filter((request) => !meets(documentedOne, request));
  const actionsOf = (list: readonly TimedRequest[]) =>
    new Set(list.map((request) => evaluate(request).action));
  if (outcome === "protected")
    expect(["allow", "log"].filter((action) => actionsOf(without).has(action as "allow"))).toEqual([]);
  if (outcome === "logged") expect(actionsOf(without).has("allow")).toBe(false);
  if (outcome !== "public") return;
  const bare = own.filter((request) => !has("present C1", request) && !has("present C2", request));
  expect(bare.filter((request) => blocksWithoutToken(evaluate(request), zone))).toEqual([]);
}

async function expectConfirmed(audited: OperationAudit, zone: ZoneInput, evaluate: Evaluate): Promise<void> {
  const { contradiction, operation, outcome } = audited;
  if (contradiction === undefined) return;
  const documentedOne = documented.find(({ operation_id }) => operation_id === operation.operation_id)!;
  const request = await fillPlaceholderTokens(contradiction, keys);
  const timed = { request, timeMs: contradiction.timeMs ?? 0 };
  const verdict = evaluate(timed);
  expect(verdict.action).toBe(contradiction.action);
  expect(isOf(documentedOne, timed)).toBe(true);
  if (outcome === "public-blocked") {
    expect(blocksWithoutToken(verdict, zone)).toBe(true);
    expect(has("present C1", timed)).toBe(false);
  } else expect(meets(documentedOne, timed)).toBe(false);
}

test("an outcome agrees with the evaluation of requests, and each request shown contradicts the document", async () => {
  await fc.assert(
    fc.asyncProperty(zones, normalization, async (plain, setting) => {
      const zone = { ...plain, ...setting };
      const evaluate = await compileTimed(zone);
      for (const audited of auditOperations(zone, documented).operations) {
        counts.set(audited.outcome, (counts.get(audited.outcome) ?? 0) + 1);
        expectAgreement(audited, zone, evaluate);
        await expectConfirmed(audited, zone, evaluate);
      }
    }),
    { numRuns: runs(200, 20) },
  );
  const seen = (outcome: string) => counts.get(outcome) ?? 0;
  for (const outcome of ["protected", "unprotected", "public"])
    expect(seen(outcome), outcome).toBeGreaterThan(0);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(seen("undecided") + seen("public-undecided"), "every part has a model").toBeLessThanOrEqual(
    1 + all / 50,
  );
});
