/** Outcomes of audits against brute force over requests: without token, with a valid, an expired and a forged one. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { auditOperations } from "../../../../../src/engine/tokens/analysis/audit/audit-operations.ts";
import type { OperationAudit } from "../../../../../src/engine/tokens/analysis/audit/audit-result.ts";
import type {
  DocumentedOperation,
  DocumentedScheme,
} from "../../../../../src/engine/tokens/analysis/audit/documented-operation.ts";
import { printExpression } from "../../../../../src/engine/tokens/expression/printer.ts";
import type { Operation, SimulatedRequest, TokenRule } from "../../../../../src/engine/tokens/model.ts";
import { compileZone } from "../../../../../src/engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../../../../src/engine/tokens/zone/zone-input.ts";
import { runs } from "../../../../support/runs.ts";
import { configs, expression, invalidTokens, parse, tokens, withTokens } from "../grid.ts";

const header: DocumentedScheme = { name: "header", source: 'http.request.headers["X-A"][0]' };
const cookie: DocumentedScheme = { name: "cookie", source: 'http.request.cookies["c"][0]' };
const unread: DocumentedScheme = { name: "unread", source: 'http.request.headers["x-key"][0]' };
const query: DocumentedScheme = { name: "query" };

/** The configurations that read a scheme, by its name. */
const readers: Readonly<Record<string, readonly string[]>> = {
  header: ["a", "b", "c"],
  cookie: ["c", "d"],
  unread: [],
  query: [],
};

const host = "api.example.com";
const paths = ["/", "/a", "/b", "/a/b", "/a/c", "/c/b", "/c/c"];
const templates = ["/", "/a", "/{x}", "/a/b", "/a/{x}", "/{x}/b", "/{x}/{y}"];

const operation = fc.record({
  method: fc.constantFrom("GET", "POST"),
  endpoint: fc.constantFrom(...templates),
});

/** Operations that match different requests. */
const operations: fc.Arbitrary<Operation[]> = fc
  .uniqueArray(operation, { selector: ({ method, endpoint }) => method + endpoint, maxLength: 6 })
  .map((list) => list.map((target, i) => ({ operation_id: `o${i}`, host, ...target })));

const alternative = fc.subarray([header, cookie, unread, query], { maxLength: 2 });
const security = fc.array(alternative, { maxLength: 2 });

const documented: fc.Arbitrary<DocumentedOperation[]> = fc
  .tuple(operations, fc.array(security, { minLength: 6, maxLength: 6 }))
  .map(([list, securities]) =>
    list.map((documented, i) => ({ ...documented, security: securities[i] ?? [] })),
  );

/** Random expressions, and some that protect. */
const ruleExpression = fc.oneof(
  { weight: 1, arbitrary: expression },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...configs.map(({ id }) => parse(`is_jwt_valid("${id}")`)),
      parse('is_jwt_valid("a") or is_jwt_valid("b")'),
      parse('is_jwt_valid("c") and is_jwt_valid("d")'),
    ),
  },
);

const rules: fc.Arbitrary<TokenRule[]> = fc
  .array(
    fc.record({
      expression: ruleExpression.map(printExpression),
      action: fc.constantFrom("block" as const, "log" as const),
      enabled: fc.constantFrom(true, true, true, false),
      excluded: fc.subarray(["o0", "o1", "o2"], { maxLength: 1 }),
    }),
    { maxLength: 3 },
  )
  .map((list) =>
    list.map(({ excluded, ...rest }, i) => ({
      id: `r${i}`,
      ...rest,
      selector: { include: [{ host: [host] }], exclude: [{ operation_ids: excluded }] },
    })),
  );

const zone: fc.Arbitrary<ZoneInput> = fc
  .record({ rules, operations: fc.option(operations, { nil: undefined }) })
  .map(({ rules, operations }) => ({ configs, rules, ...(operations && { operations }) }));

const values = [undefined, "", tokens.k1, tokens.k2, invalidTokens.expired, invalidTokens.forged];

interface Point extends SimulatedRequest {
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** A request for every combination of a path, a header and a cookie. */
const requests: readonly Point[] = ["GET", "POST", "PUT"].flatMap((method) =>
  paths.flatMap((path) =>
    values.flatMap((inHeader) =>
      values.flatMap((inCookie) =>
        [[], [["accept", "a"] as const]].map((accept) => ({
          method,
          path,
          url: `https://${host}${path}`,
          headers: [
            ...accept,
            ...(inHeader === undefined ? [] : [["x-a", `Bearer ${inHeader}`] as const]),
            ...(inCookie === undefined ? [] : [["cookie", `c=${inCookie}`] as const]),
          ],
        })),
      ),
    ),
  ),
);

/** The documented operation of a request, literal segments first, by plain search. */
function operationOf<O extends Operation>(
  list: readonly O[],
  { method, url }: SimulatedRequest,
): O | undefined {
  const segments = new URL(url).pathname.split("/");
  const fits = ({ endpoint }: Operation) => {
    const parts = endpoint.split("/");
    return parts.length === segments.length && parts.every((part, i) => matches(part, segments[i] ?? ""));
  };
  const rank = ({ endpoint }: Operation) => endpoint.replaceAll(/\{\w+\}/g, "\uffff");
  const found = list.filter((operation) => operation.method === method && fits(operation));
  return found.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}

function matches(part: string, segment: string): boolean {
  // An encoded letter is the same letter.
  return part.startsWith("{")
    ? segment !== ""
    : part === segment.replaceAll(/%6([1-3])/g, decodeURIComponent);
}

const accepted: Readonly<Record<string, readonly string[]>> = {
  a: [tokens.k1],
  b: [tokens.k2],
  c: [tokens.k1, tokens.k2],
  d: [tokens.k1],
};

function valuesOf({ headers = [] }: SimulatedRequest) {
  const list = headers as readonly (readonly [string, string])[];
  const inHeader = list.find(([name]) => name === "x-a")?.[1].replace(/^Bearer:? ?/i, "") ?? "";
  const inCookie = list.find(([name]) => name === "cookie")?.[1].replace(/^c=(Bearer:? ?)?/i, "") ?? "";
  return { inHeader, inCookie };
}

function isValid(id: string, request: SimulatedRequest): boolean {
  const { inHeader, inCookie } = valuesOf(request);
  const token = id === "d" ? inCookie : id === "c" ? inHeader || inCookie : inHeader;
  return accepted[id]?.includes(token) ?? false;
}

/** Whether a request has the tokens that the document requires, as far as some configuration reads them. */
function meets({ security }: DocumentedOperation, request: SimulatedRequest): boolean {
  const read = security
    .map((schemes) => schemes.map(({ name }) => readers[name] ?? []).filter(({ length }) => length > 0))
    .filter(({ length }) => length > 0);
  if (read.length === 0) return ["a", "b", "c", "d"].some((id) => isValid(id, request));
  return read.some((schemes) => schemes.every((ids) => ids.some((id) => isValid(id, request))));
}

const seen = new Set<string>();

test.each(["all", "first"] as const)(
  "with precedence %s an outcome agrees with the evaluation of requests, and each request shown contradicts the document",
  async (precedence) => {
    await fc.assert(
      fc.asyncProperty(zone, documented, async (input, document) => {
        const { operations, undocumented } = auditOperations(input, document, { precedence });
        const compiled = await compileZone(input, { precedence, clock: () => 10_000_000 });
        const action = (request: SimulatedRequest) => compiled.evaluateSync(request).action;
        expect(operations.map(({ operation }) => operation)).toEqual(document);
        for (const audited of operations) {
          seen.add(audited.outcome);
          const own = requests.filter((request) => operationOf(document, request) === audited.operation);
          expectAgreement(audited, own, action);
          expectConfirmed(audited, document, action);
        }
        for (const request of requests) {
          const found = operationOf(input.operations ?? [], request);
          if (found !== undefined && operationOf(document, request) === undefined)
            expect(undocumented.map(({ operation_id }) => operation_id)).toContain(found.operation_id);
        }
      }),
      { numRuns: runs(200, 100) },
    );
  },
);

test("the random zones and documents have each outcome", () => {
  expect([...seen]).toEqual(
    expect.arrayContaining(["protected", "unprotected", "logged", "public", "public-blocked", "unknown"]),
  );
});

type ActionOf = (request: SimulatedRequest) => string;

/** No request among those of the operation contradicts more than the outcome says. */
function expectAgreement(
  { operation, outcome }: OperationAudit,
  own: readonly Point[],
  action: ActionOf,
): void {
  const withoutTokens = own.filter((request) => !meets(operation, request));
  const allowed = withoutTokens.filter((request) => action(request) === "allow");
  if (outcome === "protected") expect(withoutTokens.filter((r) => action(r) !== "block")).toEqual([]);
  if (outcome === "logged" || outcome === "undecided") expect(allowed).toEqual([]);
  if (outcome !== "public") return;
  const bare = own.filter((r) => valuesOf(r).inHeader === "" && valuesOf(r).inCookie === "");
  expect(bare.filter((r) => action(r) === "block")).toEqual([]);
}

const actions: Readonly<Record<string, string>> = {
  logged: "log",
  unprotected: "allow",
  "no-token-source": "allow",
  unknown: "allow",
  "public-blocked": "block",
};

/** The request that an audit shows is evaluated with real tokens. */
function expectConfirmed(
  { operation, outcome, contradiction, zoneOperations }: OperationAudit,
  document: readonly DocumentedOperation[],
  action: ActionOf,
): void {
  expect(contradiction === undefined).toBe(actions[outcome] === undefined);
  if (contradiction === undefined) return;
  const request = withTokens(contradiction.request, contradiction.placeholderTokens);
  expect(operationOf(document, request)).toBe(operation);
  expect(action(request)).toBe(actions[outcome]);
  expect(contradiction.action).toBe(actions[outcome]);
  if (contradiction.operationId !== undefined && zoneOperations.length > 0)
    expect(zoneOperations).toContain(contradiction.operationId);
  if (outcome === "public-blocked") {
    const states = Object.values(contradiction.tokens);
    expect(states.every((state) => state === "missing")).toBe(true);
  } else expect(meets(operation, request)).toBe(false);
}
