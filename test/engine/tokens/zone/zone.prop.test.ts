import {
  compileZone,
  type Operation,
  parseExpression,
  type TokenRule,
  type TraceNode,
  traceLeaves,
  type Verdict,
  type Zone,
} from "edgeproof/tokens";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import type { Expression } from "../../../../src/engine/tokens/expression/tree.ts";
import { bindMatchingRules } from "../../../../src/engine/tokens/zone/matching-rules.ts";
import { runs } from "../../../support/runs.ts";
import { configIds, expression } from "../arbitraries.ts";
import { type ModelFacts, modelField, modelTruth } from "../model.ts";
import { configs, nowMs, tokens } from "../zone-fixture.ts";

const clock = () => nowMs;
const hosts = ["api.example.com", "www.example.com"];
const paths = ["/a", "/a/b", "/c"];

const operations: readonly Operation[] = hosts.flatMap((host) =>
  ["GET", "POST"].flatMap((method) => [
    { operation_id: `${method} ${host} 1`, method, host, endpoint: "/a" },
    { operation_id: `${method} ${host} 2`, method, host, endpoint: "/a/{x}" },
  ]),
);

const selector = fc.record({
  include: fc.array(fc.record({ host: fc.subarray([...hosts, "API.example.com"]) }), { maxLength: 2 }),
  exclude: fc.array(fc.record({ operation_ids: fc.subarray(operations.map((o) => o.operation_id)) }), {
    maxLength: 2,
  }),
});

const ruleBody = fc.record({
  action: fc.constantFrom("log" as const, "block" as const),
  enabled: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  expression: expression.map(printExpression).filter((text) => text.length < 4000),
  selector,
});

const rules = fc
  .array(ruleBody, { maxLength: 12 })
  .map((bodies) => bodies.map((body, i): TokenRule => ({ id: `${i}`, ...body })));

const validTokens: ReadonlySet<unknown> = new Set([tokens.valid, tokens.nested]);

const pickToken = fc.constantFrom(undefined, ...Object.values(tokens), "");

const request = fc
  .record({
    method: fc.constantFrom("GET", "POST"),
    url: fc
      .tuple(fc.constantFrom(...hosts), fc.constantFrom(...paths))
      .map(([host, path]) => `https://${host}${path}`),
    picks: fc.tuple(pickToken, pickToken, pickToken, pickToken),
    accept: fc.constantFrom("a", "aB", "x"),
  })
  .map(({ method, url, picks, accept }) => {
    const given = picks.flatMap((token, i) =>
      token === undefined
        ? []
        : [
            [
              i % 2 ? `X-${configIds[i]}` : "Cookie",
              i % 2 ? `Bearer ${token}` : `${configIds[i]}=${token}`,
            ] as [string, string],
          ],
    );
    return { method, url, headers: [...given, ["Accept", accept] as [string, string]] };
  });

type Given = typeof request extends fc.Arbitrary<infer T> ? T : never;

/** Everything computed from nothing but the definitions, one rule after the other. */
function naive(list: readonly TokenRule[], given: Given, precedence: "all" | "first") {
  const url = new URL(given.url);
  const operation = operations.find(
    (o) =>
      o.method === given.method &&
      o.host === url.hostname &&
      (o.endpoint === url.pathname || (o.endpoint === "/a/{x}" && /^\/a\/[^/]+$/.test(url.pathname))),
  );
  if (operation === undefined) return { action: "allow", rule: undefined, rules: [] };
  const covering = list.filter(
    ({ selector: { include = [], exclude = [] } }) =>
      include.some((entry) => entry.host?.some((host) => host.toLowerCase() === operation.host)) &&
      !exclude.some((entry) => entry.operation_ids?.includes(operation.operation_id)),
  );
  let decided: TokenRule | undefined;
  let over = false;
  const results = covering.map((rule) => {
    if (!rule.enabled) return "disabled";
    if (over) return "shadowed";
    const fires = !truth(rule, given);
    if (fires && (decided === undefined || rule.action === "block")) decided = rule;
    over = precedence === "first" || (fires && rule.action === "block");
    return fires ? "fired" : "passed";
  });
  const first = covering.find((rule) => rule.enabled);
  return {
    action: decided?.action ?? "allow",
    rule: decided?.id ?? (precedence === "first" ? first?.id : undefined),
    rules: covering.map((rule, i) => `${rule.id} ${results[i]}`),
  };
}

function truth(rule: TokenRule, given: Given): boolean {
  return modelTruth(parsed(rule.expression), factsOf(given));
}

function factsOf(given: Given): ModelFacts {
  return {
    value: (field) => modelField(given, field),
    present: (id) => tokenOf(id, given) !== undefined,
    valid: (id) => validTokens.has(tokenOf(id, given)),
  };
}

/** Each leaf from left to right with its value; undefined when evaluation from left to right does not ask for it. */
function naiveLeaves(text: string, given: Given): [text: string, value: boolean | undefined][] {
  const found: [string, boolean | undefined][] = [];
  const visit = (part: Expression, isAsked: boolean): boolean => {
    if (part.kind === "not") return !visit(part.operand, isAsked);
    if (part.kind !== "combination") {
      const value = modelTruth(part, factsOf(given));
      found.push([printExpression(part), isAsked ? value : undefined]);
      return value;
    }
    const { operator, operands } = part;
    const values: boolean[] = [];
    for (const operand of operands) {
      const isOpen =
        (operator === "or" && !values.includes(true)) ||
        (operator === "and" && !values.includes(false)) ||
        operator === "xor";
      values.push(visit(operand, isAsked && isOpen));
    }
    return modelTruth(part, factsOf(given));
  };
  visit(parsed(text), true);
  return found;
}

/** Every operator has the value that its evaluated operands result in. */
function expectConsistent(node: TraceNode): void {
  if (!("operator" in node)) return;
  node.operands.forEach(expectConsistent);
  const values = node.operands.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const results = {
    not: values[0] === false,
    or: values.includes(true),
    and: !values.includes(false),
    xor: values.filter(Boolean).length % 2 === 1,
  };
  expect(node.value).toBe(values.length === 0 ? undefined : results[node.operator]);
}

function parsed(text: string): Expression {
  const result = parseExpression(text);
  if (!result.ok) throw new Error(result.problems[0].message);
  return result.value;
}

const canonical = (text: string) => printExpression(parsed(text));

function tokenOf(id: string, given: Given): string | undefined {
  const header = modelField(given, { name: "http.request.headers", key: `x-${id}`, index: 0 });
  const cookie = modelField(given, { name: "http.request.cookies", key: id, index: 0 });
  return [header?.replace(/^Bearer ?/, ""), cookie].find((token) => token !== undefined && token !== "");
}

const summary = ({ action, rule, rules: list }: Verdict) => ({
  action,
  rule: rule?.id,
  rules: list.map(({ id, result }) => `${id} ${result}`),
});

describe("a zone", () => {
  test.each(["all", "first"] as const)(
    "with precedence %s agrees with naive evaluation",
    async (precedence) => {
      await fc.assert(
        fc.asyncProperty(rules, fc.array(request, { minLength: 1, maxLength: 4 }), async (list, requests) => {
          const zone = await compileZone({ configs, rules: list, operations }, { clock, precedence });
          for (const given of requests) {
            const verdict = await zone.evaluate(given);
            expect(summary(verdict)).toEqual(naive(list, given, precedence));
            for (const trace of verdict.trace.expressions) {
              expect(trace.value).toBe(truth(list[Number(trace.ruleId)] as TokenRule, given));
            }
          }
        }),
        { numRuns: runs(150) },
      );
    },
  );

  test.each(["all", "first"] as const)(
    "with precedence %s traces each leaf with the value of naive evaluation, or as not evaluated",
    async (precedence) => {
      await fc.assert(
        fc.asyncProperty(rules, request, async (list, given) => {
          const zone = await compileZone({ configs, rules: list, operations }, { clock, precedence });
          for (const { ruleId, tree } of (await zone.evaluate(given)).trace.expressions) {
            const { expression } = list[Number(ruleId)] as TokenRule;
            const leaves = traceLeaves(tree);
            expect(leaves.map(({ text, value }) => [text, value])).toEqual(naiveLeaves(expression, given));
            for (const { span, text, value, reason, config } of leaves) {
              expect(canonical(expression.slice(span.start, span.end))).toBe(text);
              expect(value === undefined).toBe(reason === "short_circuit");
              expect(config !== undefined).toBe(text.startsWith("is_jwt_"));
            }
            expectConsistent(tree);
          }
        }),
        { numRuns: runs(150) },
      );
    },
  );

  test("the leaves of such draws have each kind of value", async () => {
    const marks = new Set<string>();
    for (const [list, given] of fc.sample(fc.tuple(rules, request), { numRuns: 300, seed: 1 })) {
      const zone = await compileZone({ configs, rules: list, operations }, { clock });
      for (const { tree } of (await zone.evaluate(given)).trace.expressions)
        for (const { value, reason } of traceLeaves(tree)) marks.add(`${value} ${reason}`);
    }
    for (const mark of [
      "true valid",
      "false expired",
      "false missing",
      "false missing_value",
      "true undefined",
    ])
      expect(marks).toContain(mark);
  });

  test("returns the same plain verdicts with jose as with node", async () => {
    await fc.assert(
      fc.asyncProperty(rules, request, async (list, given) => {
        const [node, jose] = await Promise.all(
          (["node", "jose"] as const).map((verifier) =>
            compileZone({ configs, rules: list, operations }, { clock, verifier }).then((zone) =>
              zone.evaluate(given),
            ),
          ),
        );
        expect(JSON.stringify(jose)).toBe(JSON.stringify(node));
      }),
      { numRuns: runs(40) },
    );
  });

  test("of 1,000 rules agrees with naive evaluation", async () => {
    const [bodies] = fc.sample(fc.array(ruleBody, { minLength: 1000, maxLength: 1000, size: "max" }), {
      numRuns: 1,
    });
    const list = (bodies as typeof bodies & object).map(
      (body, i): TokenRule => ({ id: `${i}`, ...body, action: i < 900 ? "log" : body.action }),
    );
    const zones = new Map<"all" | "first", Zone>();
    for (const precedence of ["all", "first"] as const) {
      zones.set(precedence, await compileZone({ configs, rules: list, operations }, { clock, precedence }));
    }
    for (const given of fc.sample(request, 5)) {
      for (const [precedence, zone] of zones) {
        expect(summary(await zone.evaluate(given))).toEqual(naive(list, given, precedence));
      }
    }
  });

  test("never throws anything but InvalidInputError, whatever request, headers and token are", async () => {
    const all = configIds.map((id) => `not is_jwt_valid("${id}")`).join(" and ");
    const rule: TokenRule = {
      id: "1",
      action: "log",
      enabled: true,
      expression: all,
      selector: { include: [{ host: ["a.example"] }] },
    };
    const odd = ["__proto__", "constructor"].map((id) => ({ ...configs[0]!, id }));
    const more = {
      ...rule,
      id: "2",
      expression: 'not is_jwt_valid("__proto__") and not is_jwt_present("constructor")',
    };
    const zone = await compileZone({ configs: [...configs, ...odd], rules: [rule, more] }, { clock });
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(...Object.values(tokens), "__proto__"),
    );
    const headers = fc.array(fc.tuple(fc.constantFrom("x-a", "X-B", "cookie", "__proto__"), text));
    await fc.assert(
      fc.asyncProperty(headers, fc.string({ unit: "binary" }), async (given, path) => {
        const verdict = await zone.evaluate({
          method: "GET",
          url: `https://a.example/${encodeURIComponent(path.toWellFormed())}`,
          headers: given,
        });
        expect(["log", "allow"]).toContain(verdict.action);
        JSON.stringify(verdict);
        verdict.explain();
      }),
      { numRuns: runs(300) },
    );
  });
});

test("parsing any string returns a tree or an error with a position in the string", () => {
  const words = fc.constantFrom(
    'is_jwt_valid("a")',
    "is_jwt_valid",
    "(",
    ")",
    "not",
    "or",
    "and",
    '"',
    "http.host",
    "eq",
    '"x"',
    "in",
    "{",
    "}",
    "[",
    "]",
    "0",
    "r#",
    "\\",
    "\n",
    "\t",
    " ",
    "é",
    "__proto__",
    "constructor",
    "strict",
    "wildcard",
    '"**"',
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(words, { maxLength: 15 }).map((parts) => parts.join(" ")),
    fc.array(words, { maxLength: 15 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parseExpression(given);
      if (parsed.ok) return;
      const { offset, line, column, excerpt } = parsed.problems[0];
      expect(offset).toBeLessThanOrEqual(given.length);
      expect(
        given
          .split("\n")
          .slice(0, line - 1)
          .join("\n").length +
          (line > 1 ? 1 : 0) +
          column -
          1,
      ).toBe(offset);
      expect(excerpt.split("\n")).toHaveLength(2);
    }),
    { numRuns: runs(3000) },
  );
});

test("the matching rules are the host's rules without those that exclude the operation, in both representations", () => {
  const flags = fc.array(fc.record({ enabled: fc.boolean(), excluded: fc.boolean() }), { maxLength: 20 });
  fc.assert(
    fc.property(flags, (list) => {
      const excluded = list.flatMap((rule, i) => (rule.excluded ? [i] : []));
      const covering = bindMatchingRules(list, excluded);
      const expected = list.filter((rule) => !rule.excluded);
      expect(covering.list.filter((_, i) => !covering.skipped?.has(i))).toEqual(expected);
      expect(covering.list[covering.first]).toEqual(expected.find((rule) => rule.enabled));
      expect(Math.min(covering.list.length, covering.skipped?.size ?? 0)).toBeLessThanOrEqual(
        list.length / 2,
      );
    }),
  );
});
