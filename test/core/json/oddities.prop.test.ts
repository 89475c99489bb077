/** Repeated members and rounded numbers, against a parser that keeps every member and its text. */
import fc from "fast-check";
import { type Node, parseTree } from "jsonc-parser";
import { expect, test } from "vitest";
import { type JsonOddity, jsonOddities } from "../../../src/core/json/oddities.ts";
import { runs } from "../../support/runs.ts";

/** Texts with repeated names, escapes, white space and marks inside of strings. */
const { text } = fc.letrec<{ text: string }>((tie) => {
  const name = fc.constantFrom('"a"', '"\\u0061"', '"b/~"', '"{,"', '"\\"]"', '"__proto__"', '""');
  const space = fc.constantFrom("", " ", "\n\t");
  const list = (open: string, item: fc.Arbitrary<string>, close: string) =>
    fc
      .tuple(fc.array(item, { maxLength: 4 }), space)
      .map(([items, gap]) => open + items.join(`${gap},${gap}`) + gap + close);
  const member = fc.tuple(name, space, tie("text")).map(([key, gap, value]) => `${key}${gap}:${gap}${value}`);
  return {
    text: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("1", "null", '"a"', '",{"', '"9007199254740993"', "-0", "1e400", "-1E+999", "1.5e-400"),
      fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }).map(String),
      fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 4n }).map(String),
      list("{", member, "}"),
      list("[", tie("text"), "]"),
    ),
  };
});

function odditiesOf(json: string, { type, children = [], offset, length }: Node, at: string): JsonOddity[] {
  if (type === "number") {
    const literal = json.slice(offset, offset + length);
    const isInteger = /^-?\d+$/.test(literal);
    const kept = isInteger ? BigInt(literal) === BigInt(Number(literal)) : Number.isFinite(Number(literal));
    return kept ? [] : [{ kind: "rounded", pointer: at }];
  }
  if (type === "array") return children.flatMap((child, i) => odditiesOf(json, child, `${at}/${i}`));
  if (type !== "object") return [];
  const names = new Set<string>();
  return children.flatMap(({ children: [key, value] = [] }) => {
    const name = key!.value as string;
    const own = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const repeated: JsonOddity[] = names.has(name) ? [{ kind: "repeated", pointer: own }] : [];
    names.add(name);
    return [...repeated, ...(value ? odditiesOf(json, value, own) : [])];
  });
}

test("repeated members and rounded numbers are those that another parser finds, in the order of the text", () => {
  fc.assert(
    fc.property(text, (json) => {
      expect([...jsonOddities(json)]).toEqual(odditiesOf(json, parseTree(json)!, ""));
    }),
    { numRuns: runs(2_000) },
  );
});

test("a long number is read in a moment", () => {
  const long = `[${"9".repeat(1_000_000)}]`;
  expect([...jsonOddities(long)]).toEqual([{ kind: "rounded", pointer: "/0" }]);
});
