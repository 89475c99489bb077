import fc from "fast-check";
import { expect, test } from "vitest";
import { type CompiledCustom, compileCustom } from "../../../../src/engine/tokens/expression/compile.ts";
import { createProgram as createScope } from "../../../../src/engine/tokens/expression/compile-value.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { startValues } from "../../../../src/engine/tokens/expression/values/request-values.ts";
import { indexCandidates } from "../../../../src/engine/tokens/rulesets/candidates.ts";
import { readRulesets } from "../../../../src/engine/tokens/rulesets/input/read-rulesets.ts";
import { createKeyIndex } from "../../../../src/engine/tokens/rulesets/key-index.ts";
import { createProgram } from "../../../../src/engine/tokens/rulesets/program.ts";
import { readRequest } from "../../../../src/engine/tokens/zone/request.ts";
import { runs } from "../../../support/runs.ts";
import { expression, printModel, request } from "../expression/custom/arbitraries.ts";
import { claimsOf } from "../expression/custom/evaluate-custom.ts";

/** Conditions that the index looks up, in front of any expression. */
const keyed = fc.constantFrom(
  'http.host eq "a" and ',
  'http.host in {"b" "ab"} and ',
  'http.user_agent contains "b" and ',
  'http.request.uri.path contains "abc" and ',
  'starts_with(http.user_agent, "ab") and ',
  'ip.src.country eq "a" and ',
  "ip.src.asnum eq 5 and ",
  'any(http.request.headers["a"][*] eq "b") and ',
  'http.host eq "a" or http.user_agent eq "b" and ',
  "",
);

const text = fc.tuple(keyed, expression).map(([key, operand]) => `${key}(${printModel(operand)})`);

const limits = { maxLength: 1_000_000, maxNesting: 1000 };
const phase = "http_request_firewall_custom";

test("an expression that is not found is false", () => {
  let [left, evaluated] = [0, 0];
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), request, (texts, request) => {
      const scope = createScope({ configurations: new Set(["C1"]), lists: new Map() });
      const compile = (source: string): CompiledCustom | undefined => {
        const parsed = parseExpression(source, { ...limits, rules: "custom" });
        const compiled = parsed.ok ? compileCustom(scope, source, parsed.value) : parsed;
        return compiled.ok ? compiled.value : undefined;
      };
      const rules = texts.map((source, i) => ({ id: `${i}`, action: "log", expression: source }));
      const { read, problems } = readRulesets<CompiledCustom>(
        { rulesets: [{ id: "z", kind: "zone", phase, rules }] },
        (source) => {
          const compiled = compile(source);
          if (compiled === undefined) throw new Error(source);
          return { ok: true, value: compiled };
        },
        () => ({
          ok: true,
          value: {
            tree: { kind: "constant", value: true, isArray: false, span: { start: 0, end: 4 } },
            notes: [],
          },
        }),
      );
      expect(problems).toEqual([]);
      const program = createProgram(read);
      const simulated = { method: "GET", url: "https://www.example.com/", ...request };
      const claims = claimsOf(request.payload === undefined ? {} : { C1: request.payload }, ["C1"]);
      const find = indexCandidates(program);
      const values = startValues(scope, readRequest(simulated), simulated, 0, claims);
      const found = find(values);
      expect([...new Set(found)].sort((a, b) => a - b)).toEqual(found);
      for (const [i, step] of program.steps.entries()) {
        if (found.includes(i)) evaluated++;
        else {
          left++;
          expect([texts[i], step.expression?.test(values)]).toEqual([texts[i], false]);
        }
      }
    }),
    { numRuns: runs(3_000, 150) },
  );
  // The index is used, and not for everything.
  expect(Math.min(left, evaluated)).toBeGreaterThan(50);
});

test("an index finds the keys of a value, and few others", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "\xff", "\0"), maxLength: 6 });
  const needles = fc.uniqueArray(
    word.filter((term) => term !== ""),
    { maxLength: 8 },
  );
  const keysOf = (list: readonly string[]) => new Map(list.map((key, i) => [key, [i]]));
  fc.assert(
    fc.property(
      needles,
      needles,
      needles,
      fc.string({ unit: fc.constantFrom("a", "b", "\xff", "\0"), maxLength: 12 }),
      (equal, starts, contains, value) => {
        const index = createKeyIndex({
          equal: keysOf(equal),
          starts: keysOf(starts),
          contains: keysOf(contains),
        });
        const found: number[] = [];
        index.find(value, (positions) => found.push(...positions));
        const expected = [
          ...[...equal.keys()].filter((i) => equal[i] === value),
          ...[...starts.keys()].filter((i) => value.startsWith(starts[i] ?? "")),
          ...[...contains.keys()].filter((i) => value.includes(contains[i] ?? "")),
        ];
        expect([...new Set(found)].sort()).toEqual([...new Set(expected)].sort());
      },
    ),
    { numRuns: runs(5_000) },
  );
});

test("values of other types are found by equality", () => {
  const index = createKeyIndex({
    equal: new Map<unknown, number[]>([
      [5, [0]],
      [5n, [1]],
    ]),
    starts: new Map(),
    contains: new Map(),
  });
  const find = (value: unknown) => {
    const found: number[] = [];
    index.find(value, (positions) => found.push(...positions));
    return found;
  };
  expect([find(5), find(5n), find("5"), find(true)]).toEqual([[0], [1], [], []]);
});
