/** Members that an object has more than once, against a parser that keeps every member. */
import fc from "fast-check";
import { type Node, parseTree } from "jsonc-parser";
import { expect, test } from "vitest";
import { repeatedMembers } from "../../../src/core/json/repeated-members.ts";
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
      fc.constantFrom("1", "null", '"a"', '",{"'),
      list("{", member, "}"),
      list("[", tie("text"), "]"),
    ),
  };
});

function pointersOf({ type, children = [] }: Node, at: string): string[] {
  if (type === "array") return children.flatMap((child, i) => pointersOf(child, `${at}/${i}`));
  if (type !== "object") return [];
  const names = new Set<string>();
  return children.flatMap(({ children: [key, value] = [] }) => {
    const name = key!.value as string;
    const own = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const repeated = names.has(name) ? [own] : [];
    names.add(name);
    return [...repeated, ...(value ? pointersOf(value, own) : [])];
  });
}

test("repeated members are those that another parser finds, in the order of the text", () => {
  fc.assert(
    fc.property(text, (json) => {
      expect([...repeatedMembers(json)]).toEqual(pointersOf(parseTree(json)!, ""));
    }),
    { numRuns: runs(2_000) },
  );
});
