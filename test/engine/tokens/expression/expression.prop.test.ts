import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compileExpression,
  type LeafBits,
  setLeafValue,
} from "../../../../src/engine/tokens/expression/leaf-bits.ts";
import { advance, startCursor } from "../../../../src/engine/tokens/expression/lexer.ts";
import { printString } from "../../../../src/engine/tokens/expression/literal.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import type { Test } from "../../../../src/engine/tokens/expression/tree.ts";
import { leavesOf } from "../../../../src/engine/tokens/expression/tree-queries.ts";
import { toBytes } from "../../../../src/engine/tokens/expression/values/bytes.ts";
import { compileWildcard, wildcardProblem } from "../../../../src/engine/tokens/expression/wildcard.ts";
import { runs } from "../../../support/runs.ts";
import { expression, pattern, trickyText, withoutSpans } from "../arbitraries.ts";
import { modelCompare, type modelTruth } from "../model.ts";

describe("parse and print", () => {
  test("parse(print(e)) is e", () => {
    fc.assert(
      fc.property(expression, (tree) => {
        const parsed = parseExpression(printExpression(tree), { maxLength: 1e6 });
        expect(parsed.ok && withoutSpans(parsed.value)).toEqual(withoutSpans(tree));
      }),
      { numRuns: runs(500) },
    );
  });

  test("every printed pair of parentheses is needed", () => {
    fc.assert(
      fc.property(expression, (tree) => {
        const printed = printExpression(tree);
        for (const [open, close] of groupings(printed)) {
          const without = `${printed.slice(0, open)} ${printed.slice(open + 1, close)} ${printed.slice(close + 1)}`;
          const parsed = parseExpression(without, { maxLength: 1e6 });
          expect(parsed.ok && withoutSpans(parsed.value)).not.toEqual(withoutSpans(tree));
        }
      }),
    );
  });

  test("the span of each node has the source of the node", () => {
    fc.assert(
      fc.property(expression, (tree) => {
        const text = printExpression(tree);
        const parsed = parseExpression(text, { maxLength: 1e6 });
        if (!parsed.ok) throw new Error(parsed.problems[0].message);
        for (const leaf of leavesOf(parsed.value)) {
          expect(text.slice(leaf.span.start, leaf.span.end)).toBe(printExpression(leaf));
        }
      }),
    );
  });

  test("parsing a printed string returns the string", () => {
    fc.assert(
      fc.property(fc.oneof(trickyText, fc.string({ unit: "binary" })), (value) => {
        const parsed = parseExpression(`is_jwt_valid(${printString(value)})`);
        expect(parsed.ok && parsed.value).toMatchObject({ value: { args: [{ value: toBytes(value) }] } });
      }),
    );
  });
});

describe("truth", () => {
  test("the compiled closures agree with the model, and compute each leaf at most once", () => {
    fc.assert(
      fc.property(expression, fc.infiniteStream(fc.boolean()), (tree, coins) => {
        const answers = new Map<string, boolean>();
        const answer = (key: string) => {
          if (!answers.has(key)) answers.set(key, coins.next().value as boolean);
          return answers.get(key) as boolean;
        };
        for (const leaf of leavesOf(tree)) answer(printExpression(leaf));
        const expected = modelTruthOver(tree, answer);
        const keys = [...answers.keys()];
        const asked: number[] = [];
        const words = Math.ceil(keys.length / 32);
        const bits: LeafBits = {
          known: new Array(words).fill(0),
          values: new Array(words).fill(0),
          resolve(self, slot) {
            asked.push(slot);
            setLeafValue(self, slot, answer(keys[slot] as string));
            return answer(keys[slot] as string);
          },
        };
        const slotOf = (leaf: Test) => keys.indexOf(printExpression(leaf));
        const run = compileExpression<LeafBits>(tree, slotOf);
        expect(run(bits)).toBe(expected);
        expect(run(bits)).toBe(expected);
        expect(new Set(asked).size).toBe(asked.length);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("wildcards", () => {
  test("agree with matching by recursion, with and without case", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "A", "b", "B", "*", "\\", "/", "é", "É"),
      maxLength: 10,
    });
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (value, input, strict) => {
        const operator = strict ? ("strict wildcard" as const) : ("wildcard" as const);
        const expected = modelCompare({ operator, operand: value }, input);
        expect(wildcardProblem(value)).toBeUndefined();
        expect(compileWildcard(value, strict)(input)).toBe(expected);
      }),
      { numRuns: runs(2000) },
    );
  });

  test("match input that would make backtracking exponential", () => {
    const stars = Array.from({ length: 1000 }, () => "a").join("*");
    expect(compileWildcard(`${stars}*b`, true)("a".repeat(1_000_000))).toBe(false);
  });
});

/** Offsets of matching parentheses that group, not those of calls or in strings. */
function groupings(printed: string): [number, number][] {
  const found: [number, number][] = [];
  const open: [number, boolean][] = [];
  for (const cursor = startCursor(printed); cursor.token.kind !== "end"; advance(cursor)) {
    const { kind, text, span } = cursor.token;
    if (kind === "symbol" && text === "(") {
      const before = printed.slice(0, span.start);
      open.push([span.start, !/[a-z_]$/.test(before) || /\bnot$/.test(before)]);
    } else if (kind === "symbol" && text === ")") {
      const [start, groups] = open.pop() as [number, boolean];
      if (groups) found.push([start, span.start]);
    }
  }
  return found;
}

function modelTruthOver(tree: Parameters<typeof modelTruth>[0], answer: (key: string) => boolean): boolean {
  if (tree.kind === "not") return !modelTruthOver(tree.operand, answer);
  if (tree.kind !== "combination") return answer(printExpression(tree));
  const values = tree.operands.map((operand) => modelTruthOver(operand, answer));
  if (tree.operator === "or") return values.some(Boolean);
  if (tree.operator === "and") return values.every(Boolean);
  return values.filter(Boolean).length % 2 === 1;
}
