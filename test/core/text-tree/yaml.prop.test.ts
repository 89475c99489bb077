/** The fast reader of YAML against the parser of the package. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument, stringify } from "yaml";
import type { TextNode } from "../../../src/core/text-tree/node.ts";
import { readYamlTree } from "../../../src/core/text-tree/yaml.ts";
import { runs } from "../../support/runs.ts";
import { type PlainTree, parserTree } from "./parser-tree.ts";

/** The tree with the values of its strings. */
function plain(node: TextNode): PlainTree {
  if (node.read) return node.read().value;
  if (node.kind === "array") return node.children.map(plain);
  if (node.kind !== "object") return null;
  return Object.fromEntries(node.children.map((child) => [child.name!.text, plain(child)]));
}

function fastTree(text: string): PlainTree | undefined {
  const { root } = readYamlTree(text);
  return root && plain(root);
}

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."ab: #-'\"\n[]{},&*!|>?😀é\\t0"), maxLength: 12 }),
  fc.constantFrom("", "true", "12", "~", 'is_jwt_valid("a") or x', "a\nb\n", "  a\n b"),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    word,
    fc.constantFrom(1, true, null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(word, tie("value"), { maxKeys: 4 }),
  ),
})).value;
const style = fc.record({
  defaultStringType: fc.constantFrom(
    "PLAIN",
    "QUOTE_DOUBLE",
    "QUOTE_SINGLE",
    "BLOCK_LITERAL",
    "BLOCK_FOLDED",
  ),
  defaultKeyType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE"),
  collectionStyle: fc.constantFrom("any", "flow"),
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 80),
} as const);

describe("a printed value", () => {
  test("has the tree of the parser, in every style", () => {
    fc.assert(
      fc.property(value, style, fc.constantFrom("", "\ufeff", "# c\n---\n"), (given, options, start) => {
        const text = start + stringify(given, options as never);
        // The package prints `-\na` without quotes, which it cannot read again.
        fc.pre(parseDocument(text).errors.length === 0);
        // Keys of several lines are written with a question mark, which the fast reader passes over.
        fc.pre(!/(?:^|[\s[{,])\?\s/.test(text));
        // The parser passes over some values of a line with a byte order mark.
        expect(fastTree(text)).toEqual(parserTree(text.replace(/^\ufeff/, "")));
      }),
      { numRuns: runs(2_000, 150) },
    );
  });
});

test.each([
  "a:\n- b\n- c:\n  - d\ne: f\n",
  "- - a\n  - b\n- c\n-\n  d: e\n  f: g\n",
  "a: &x b\nc: *x\nd: !t e # f\ng:\nh: i\n",
  "a: {b: [c, {d: e}], 'f': g}\nh: >-\n  i\n  j\n\nk: l\n",
  "a:\r\n  b: |\r\n    c\r\n    d\r\n  e: f\r\n",
  "---\na: b\n---\nc: d\n",
  "a: b\n  c\nd: 'e\n  f'\n",
])("%j has the tree of the parser", (text) => {
  expect(fastTree(text)).toEqual(parserTree(text));
});
