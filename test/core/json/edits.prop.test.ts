/** Edits of JSON texts: the text has the edited value, and differs only where it was edited. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJsoncSource } from "../../../src/core/json/comments.ts";
import { createValueIndex, patchText } from "../../../src/core/json/edits.ts";
import { pointer } from "../../../src/errors.ts";

const space = fc.constantFrom("", " ", "\n", "\r\n\t", '/* "]} */', '// {"\n', " /**/ ");
const name = fc.oneof(fc.constantFrom("a", 'q"\\', "~/", "__proto__", "", "é:"), fc.string({ maxLength: 4 }));
const scalar = fc.constantFrom(
  "1",
  "12345678901234567890",
  "-0",
  "1e3",
  '"\\u0041:\\""',
  '"x"',
  "null",
  "true",
);

/** A text with spaces and comments at every place where they may be, and the pointers of its members. */
interface Written {
  readonly text: string;
  readonly members: readonly string[];
}

const written = fc.letrec<{ value: Written; object: Written; array: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar.map((text) => ({ text, members: [] })),
    tie("object"),
    tie("array"),
  ),
  object: fc
    .uniqueArray(fc.tuple(name, tie("value"), space, space), { maxLength: 3, selector: ([key]) => key })
    .map((members) => ({
      text: `{${members.map(([key, { text }, a, b]) => `${a}${JSON.stringify(key)}${b}:${a}${text}${b}`).join(",")}}`,
      members: members.flatMap(([key, value]) => [
        pointer(key),
        ...value.members.map((at) => pointer(key) + at),
      ]),
    })),
  array: fc.array(fc.tuple(tie("value"), space), { maxLength: 3 }).map((items) => ({
    text: `[${items.map(([{ text }, a]) => `${a}${text}${a}`).join(",")}]`,
    members: items.flatMap(([value], i) => value.members.map((at) => pointer(i) + at)),
  })),
}));

function parsedValue(text: string): unknown {
  const parsed = parseJsoncSource(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.problems[0].message}`);
  return parsed.value.value;
}

/** The segments of a pointer. */
function namesOf(at: string): readonly string[] {
  return at
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A copy of a value in which one member is changed. */
function changed(
  value: unknown,
  [key, ...rest]: readonly string[],
  to: (old: unknown) => [string?, unknown?],
): unknown {
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === key ? changed(item, rest, to) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([other, old]): [string, unknown] => {
      if (other !== key) return [other, old];
      if (rest.length > 0) return [other, changed(old, rest, to)];
      const [newName = other, member] = to(old);
      return [newName, member];
    }),
  );
}

const chosen = written.object
  .filter(({ members }) => members.length > 0)
  .chain(({ text, members }) => fc.record({ text: fc.constant(text), at: fc.constantFrom(...members) }));

test("a replaced value is the only change", () => {
  fc.assert(
    fc.property(chosen, fc.constantFrom("new", 7, null), ({ text, at }, value) => {
      const edited = patchText(text, [{ op: "replace", path: at, value }]);
      expect(parsedValue(edited)).toEqual(changed(parsedValue(text), namesOf(at), () => [undefined, value]));
      const { start, end } = createValueIndex(text)(at);
      expect(edited).toBe(text.slice(0, start) + JSON.stringify(value) + text.slice(end));
    }),
  );
});

test("a renamed member keeps its value, its place and the text around its name", () => {
  fc.assert(
    fc.property(chosen, ({ text, at }) => {
      const edited = patchText(text, [{ op: "move", from: at, path: at.replace(/[^/]*$/, 'renamed:"') }]);
      expect(parsedValue(edited)).toEqual(
        changed(parsedValue(text), namesOf(at), (old) => ['renamed:"', old]),
      );
      const old = JSON.stringify(namesOf(at).at(-1));
      const start = [...edited].findIndex((_, i) => edited.slice(i, i + 11) === '"renamed:\\"');
      expect(edited.length - text.length).toBe('"renamed:\\""'.length - old.length);
      expect(start).toBeGreaterThan(0);
    }),
  );
});

test("several edits of a text do not disturb each other", () => {
  const text = '{ "a": 1, // one\r\n\t"b" : { "c": [1, 12345678901234567890] },\r\n}';
  const edited = patchText(text, [
    { op: "move", from: "/b", path: "/longer name" },
    { op: "replace", path: "/a", value: "x" },
    { op: "replace", path: "/b/c/0", value: 22 },
  ]);
  expect(edited).toBe('{ "a": "x", // one\r\n\t"longer name" : { "c": [22, 12345678901234567890] },\r\n}');
});
