/** The trees of evaluated expressions agree with the results of their rules, of both kinds, and so do the parts that decided. */
import { compileZone, type TraceNode, traceLeaves } from "edgeproof/tokens";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SimulatedRequest } from "../../../../src/engine/tokens/model.ts";
import { customTraces } from "../../../../src/engine/tokens/verdict/lazy-verdict.ts";
import type { TracedExpression } from "../../../../src/engine/tokens/verdict/trace-tree.ts";
import type { Verdict } from "../../../../src/engine/tokens/verdict/verdict.ts";
import { runs } from "../../../support/runs.ts";
import { configs, host, nowMs, rule, tokens } from "../zone-fixture.ts";

const sharedLeaves = [
  'http.request.method eq "GET"',
  'http.request.headers["x-tag"][0] eq "t"',
  'any(http.request.headers["x-tag"][*] eq "u")',
  'starts_with(http.request.uri.path, "/a")',
];
const tokenLeaves = [...sharedLeaves, 'is_jwt_valid("a")', 'is_jwt_present("a")', 'is_jwt_valid("b")'];
const customLeaves = [
  ...sharedLeaves,
  "ip.src in {10.0.0.0/8}",
  "cf.client.bot",
  "ip.src.asnum eq len(http.request.method)",
  'lookup_json_string(http.request.jwt.claims["a"][0], "sub") eq "u1"',
];

/** Random combinations of leaves. */
function expressionOf(leaves: readonly string[]): fc.Arbitrary<string> {
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...leaves),
      tie("tree").map((operand) => `not (${operand})`),
      fc
        .tuple(fc.constantFrom("and", "or", "xor"), fc.array(tie("tree"), { minLength: 2, maxLength: 3 }))
        .map(([operator, operands]) => operands.map((operand) => `(${operand})`).join(` ${operator} `)),
    ),
  }));
  return tree;
}

const request: fc.Arbitrary<SimulatedRequest> = fc
  .record({
    method: fc.constantFrom("GET", "PUT"),
    path: fc.constantFrom("/a", "/b"),
    token: fc.constantFrom(undefined, ...Object.values(tokens)),
    tags: fc.array(fc.constantFrom("t", "u"), { maxLength: 2 }),
    ip: fc.constantFrom(undefined, "10.0.0.1", "192.0.2.1"),
    asnum: fc.constantFrom(undefined, 3, 4),
  })
  .map(({ method, path, token, tags, ip, asnum }) => ({
    method,
    url: `https://${host}${path}`,
    headers: [
      ...tags.map((tag): [string, string] => ["x-tag", tag]),
      ...(token === undefined ? [] : [["x-a", token] as [string, string]]),
    ],
    ...(ip !== undefined && { ip }),
    ...(asnum !== undefined && { fields: { "ip.src.asnum": asnum } }),
  }));

type Truth = boolean | undefined;

/** The value of a tree whose leaves have the values that `truthOf` returns; undefined is unknown. */
function valueWith(node: TraceNode, truthOf: (leaf: TraceNode) => Truth): Truth {
  if (!("operator" in node)) return truthOf(node);
  const values = node.operands.map((operand) => valueWith(operand, truthOf));
  const [first] = values;
  if (node.operator === "not") return first === undefined ? undefined : !first;
  if (node.operator === "xor")
    return values.includes(undefined) ? undefined : values.filter(Boolean).length % 2 === 1;
  const decides = node.operator === "or";
  if (values.includes(decides)) return decides;
  return values.includes(undefined) ? undefined : !decides;
}

/** The parts of a tree, itself included. */
function partsOf(node: TraceNode): TraceNode[] {
  return "operator" in node ? [node, ...node.operands.flatMap(partsOf)] : [node];
}

const isEvaluated = (node: TraceNode) => traceLeaves(node).some(({ reason }) => reason !== "short_circuit");

interface TracedRule extends TracedExpression {
  readonly result: Truth;
}

/** The evaluated rules of both kinds, each with the value that its result shows. */
function tracedRules(verdict: Verdict): readonly TracedRule[] {
  const ofTokens = new Map(verdict.rules.map(({ id, result }) => [id, result]));
  const ofCustom = new Map(verdict.custom?.rules.map((rule) => [rule.rule, rule.result]));
  const customResults = new Map([
    ["matched", true],
    ["not_matched", false],
  ]);
  return [
    ...verdict.trace.expressions.map((expression) => ({
      ...expression,
      result: ofTokens.get(expression.ruleId) === "passed",
    })),
    ...customTraces(verdict).map((trace) => ({
      ...trace,
      result: customResults.get(ofCustom.get(trace.rule) ?? ""),
    })),
  ];
}

const zone = fc.record({
  tokenRules: fc.array(expressionOf(tokenLeaves), { minLength: 1, maxLength: 3 }),
  customRules: fc.array(expressionOf(customLeaves), { minLength: 1, maxLength: 3 }),
  requests: fc.array(request, { minLength: 1, maxLength: 3 }),
});

/** Calls `check` with every evaluated rule of random zones; returns the numbers of rules by their values. */
async function forEachRule(check: (rule: TracedRule) => void): Promise<Record<string, number>> {
  const met: Record<string, number> = {};
  const property = fc.asyncProperty(zone, async ({ tokenRules, customRules, requests }) => {
    const rules = tokenRules.map((text, i) => rule(`${i}`, text, { action: "log" }));
    const logging = customRules.map((expression, i) => ({
      id: `${i}`,
      action: "log" as const,
      expression,
    }));
    const entry = {
      id: "z",
      kind: "zone" as const,
      phase: "http_request_firewall_custom",
      rules: logging,
    };
    const compiled = await compileZone({ configs, rules, rulesets: [entry] }, { clock: () => nowMs });
    for (const sample of requests) {
      const traced = tracedRules(await compiled.evaluate(sample));
      expect(traced).toHaveLength(tokenRules.length + customRules.length);
      for (const each of traced) {
        check(each);
        met[String(each.result)] = (met[String(each.result)] ?? 0) + 1;
      }
    }
  });
  await fc.assert(property, { numRuns: runs(2_000, 100) });
  return met;
}

/** Values of the leaves that did not decide. */
const others: readonly ((leaf: TraceNode) => Truth)[] = [
  () => true,
  () => false,
  () => undefined,
  ({ span }) => span.start % 2 === 0,
  ({ span }) => [true, false, undefined][span.end % 3],
];

const all = { true: expect.any(Number), false: expect.any(Number), undefined: expect.any(Number) };

describe("the tree of a token rule or custom rule", () => {
  test("has in each part the value of its operands, and as a whole that of the rule", async () => {
    const met = await forEachRule(({ tree, value, result }) => {
      expect([value, tree.value]).toEqual([result, result]);
      for (const part of partsOf(tree)) {
        const computed = valueWith(part, (leaf) => leaf.value);
        if (isEvaluated(part)) expect(part.value).toBe(computed);
        else expect([part.value, part.reason === "unknown_value"]).toEqual([undefined, false]);
        if (isEvaluated(part) && computed === undefined) expect(part.reason).toBe("unknown_value");
      }
    });
    expect(met).toEqual(all);
  });

  test("keeps its value whatever the leaves are that did not decide", async () => {
    const met = await forEachRule(({ tree, value, decidedBy }) => {
      if (value === undefined) expect(decidedBy).toEqual([]);
      else
        for (const other of others) {
          const deciding = new Set<TraceNode>(decidedBy);
          expect(valueWith(tree, (leaf) => (deciding.has(leaf) ? leaf.value : other(leaf)))).toBe(value);
        }
    });
    expect(met).toEqual(all);
  });
});
