/**
 * Values of a request for which a leaf of an expression may be true, and others that are close to them: enough to distinguish most
 * leaves from others that are nearly the same. The engine confirms them.
 */

import { base64Text, latin1Bytes } from "#bytes";
import { type PlainNode, plainPattern } from "../../analysis/strings/plain-patterns.ts";
import { hasCode } from "../../expression/patterns/code-sets.ts";
import type { Literal, SetItem, Test, Value } from "../../expression/tree.ts";
import { isValue, testsOf } from "../../expression/tree-queries.ts";
import { toBytes, toText } from "../../expression/values/bytes.ts";
import type { CompiledList } from "../../expression/values/lists.ts";
import type { Wanted } from "./with-value.ts";

/** A value of a field or an element. */
export interface NearValue {
  readonly of: Value;
  readonly wanted: Wanted;
}

type Lists = ReadonlyMap<string, Pick<CompiledList, "items">>;

/** The values near those that make a leaf true. */
export function nearValues(leaf: Test, lists: Lists): readonly NearValue[] {
  const values = testsOf(leaf).flatMap((test) => {
    if (test.kind === "comparison") {
      const { left, right } = test;
      return valuesBefore(left, isValue(right) ? ["x", 1] : operandValues(right, lists));
    }
    return test.kind === "test" ? nearTest(test.value) : [];
  });
  return [...values, ...values.flatMap(inQuery)];
}

/** The fields that contain the query. */
const withQuery: readonly string[] = ["uri", "full_uri"].flatMap((name) => [
  `http.request.${name}`,
  `raw.http.request.${name}`,
]);

const query: Value = {
  kind: "field",
  name: "http.request.uri.query",
  type: "String",
  isEach: false,
  span: { start: 0, end: 0 },
};

/** The same value as a query, where the URI has it and the path has not. */
function inQuery({ of, wanted }: NearValue): readonly NearValue[] {
  return of.kind === "field" && withQuery.includes(of.name) ? [{ of: query, wanted }] : [];
}

/** Values near those for which a value of type Bool is true. */
function nearTest(value: Value): readonly NearValue[] {
  if (value.kind !== "call") return [true, false].map((wanted) => ({ of: value, wanted }));
  const [first, second] = value.args;
  if (first === undefined || first.kind === "literal") return [];
  const text = second?.kind === "literal" && typeof second.value === "string" ? second.value : undefined;
  if (text === undefined) return [];
  if (value.name !== "has_key") return valuesBefore(first, around(text));
  const { span } = value;
  const list: Value = {
    kind: "index",
    of: first,
    key: text,
    keySpan: span,
    type: "Array<String>",
    isEach: false,
    span,
  };
  return [
    {
      of: { kind: "index", of: list, key: 0, keySpan: span, type: "String", isEach: false, span },
      wanted: "x",
    },
  ];
}

type Operand = Exclude<Extract<Test, { kind: "comparison" }>["right"], Value>;

function operandValues(right: Operand, lists: Lists): readonly Wanted[] {
  switch (right.kind) {
    case "literal":
      return literalValues(right);
    case "wildcard":
      return wildcardValues(right.value);
    case "regex":
      return patternValues(toText(right.value) ?? right.value).flatMap((text) => longer(toBytes(text)));
    case "set":
      return right.items.slice(0, maxItems).flatMap(itemValues);
    case "list":
      return (lists.get(right.name)?.items ?? [])
        .slice(0, maxItems)
        .flatMap((item) => (typeof item === "string" ? hostValues(item) : ends(item.first, item.last)));
  }
}

/** The number of elements of a set or a list that values are near to. */
const maxItems = 32;

function literalValues({ value }: Literal): readonly Wanted[] {
  return typeof value === "string" ? around(value) : ends(value, value);
}

function itemValues(item: SetItem): readonly Wanted[] {
  return item.type === "String" ? around(item.value) : ends(item.first, item.last);
}

/** Both ends of a range, and the values before and after it. */
function ends(first: number | bigint, last: number | bigint): readonly Wanted[] {
  const step = (value: number | bigint, by: 1 | -1) =>
    typeof value === "bigint" ? value + BigInt(by) : value + by;
  return [first, last, step(first, -1), step(last, 1)];
}

function hostValues(item: string): readonly string[] {
  return item.startsWith("*.")
    ? [`x${item.slice(1)}`, item.slice(2)]
    : [item, `x.${item}`, `x${item}`, `${item}x`];
}

/** A string, in the other case, with more around it, and with less of it. */
function around(text: string): readonly string[] {
  return [...new Set([...longer(text), text.slice(0, -1), text.slice(1), otherCase(text), ""])];
}

function longer(text: string): readonly string[] {
  return [text, `${text}x`, `x${text}`, `x${text}x`];
}

function otherCase(text: string): string {
  const lower = text.toLowerCase();
  return text === lower ? text.toUpperCase() : lower;
}

/** The pattern with text in place of its stars, and in place of each alone. */
function wildcardValues(pattern: string): readonly string[] {
  const units: readonly string[] = pattern.match(/\\[*\\]|./gs) ?? [];
  const fill = (filler: (i: number) => string) =>
    units.map((unit, i) => (unit === "*" ? filler(i) : unit.replace(/^\\/, ""))).join("");
  const stars = units.flatMap((unit, i) => (unit === "*" ? [i] : []));
  const empty = fill(() => "");
  return [
    ...new Set([
      empty,
      fill(() => "x"),
      otherCase(fill(() => "x")),
      ...stars.flatMap((star) => ["x", "0"].map((filler) => fill((i) => (i === star ? filler : "")))),
      ...around(empty),
    ]),
  ];
}

/** The maximum number of strings that are made of a pattern. */
const maxPatternValues = 40;

/** Strings that match a pattern: of each part, the few that changes of it tell apart. */
function patternValues(pattern: string): readonly string[] {
  const node = plainPattern(pattern);
  return node === undefined ? [pattern] : variantsOf(node);
}

/** The usual string of a part first; then those in which one part is another one. */
function variantsOf(node: PlainNode): readonly string[] {
  switch (node.kind) {
    case "start":
    case "end":
      return [""];
    case "class":
      return charactersOf(node);
    case "choice":
      return limited(node.items.flatMap(variantsOf));
    case "repeat": {
      const variants = variantsOf(node.item);
      const [usual = ""] = variants;
      const max = node.max === Infinity ? node.min + 2 : node.max;
      const counts = [Math.max(1, node.min), node.min, node.min - 1, node.min + 1, max, max + 1];
      const repeated = [...new Set(counts)].filter((count) => count >= 0).map((count) => usual.repeat(count));
      return limited([
        ...repeated,
        ...variants.slice(1).map((variant) => variant + usual.repeat(Math.max(0, node.min - 1))),
      ]);
    }
    case "sequence": {
      const parts = node.items.map(variantsOf);
      const usual = parts.map(([first = ""]) => first);
      const others = parts.flatMap((variants, i) =>
        variants.slice(1).map((variant) => usual.with(i, variant).join("")),
      );
      return limited([usual.join(""), ...others]);
    }
  }
}

function limited(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].slice(0, maxPatternValues);
}

/** Characters of a class, and one that it lacks. */
function charactersOf({ set, parts }: Extract<PlainNode, { kind: "class" }>): readonly string[] {
  const accepts = (character: string, inSet = set) => hasCode(inSet, character.charCodeAt(0));
  const ends = parts?.items.flatMap(({ range }) => range ?? []) ?? [];
  const bounds = ends.map((code) => String.fromCharCode(code));
  const beside = ends.flatMap((code) => [code, code - 1, code + 1].map((unit) => String.fromCharCode(unit)));
  const inside = [...ascii].filter((char) => accepts(char));
  const tried = [
    ...bounds,
    ...inside.slice(0, 1),
    ...(parts?.items ?? []).flatMap((item) => [...ascii].find((char) => accepts(char, item.set)) ?? []),
  ];
  const outside = [...ascii].find((char) => !accepts(char));
  return [
    ...new Set([
      ...tried.filter((char) => accepts(char)),
      ...(parts === undefined ? [] : inside.slice(-1)),
      ...beside,
      ...(outside ?? ""),
    ]),
  ].filter((char) => char >= " " && char <= "~");
}

const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(i + 32))
  .sort((a, b) => Number(/[a-z]/.test(b)) - Number(/[a-z]/.test(a)))
  .join("");

/** The values of the innermost argument for which functions of it have some values. */
function valuesBefore(value: Value, wanted: readonly Wanted[]): readonly NearValue[] {
  const call = value.kind === "each" && value.of.kind === "call" ? value.of : value;
  if (call.kind !== "call") return wanted.map((operand) => ({ of: value, wanted: operand }));
  const [first] = call.args;
  if (first === undefined || first.kind === "literal") return [];
  return valuesBefore(first, [
    ...new Set(wanted.flatMap((operand) => argumentsFor(call.name, call.args, operand))),
  ]);
}

/** The maximum length of a string that is made up. */
const maxLength = 4096;

/** Arguments of a function that may have a result; of most functions the result itself. */
function argumentsFor(name: string, args: readonly (Value | Literal)[], wanted: Wanted): readonly Wanted[] {
  if (name === "len")
    return typeof wanted === "number" && wanted >= 0 && wanted <= maxLength ? ["x".repeat(wanted)] : [];
  if (typeof wanted !== "string") return [wanted];
  switch (name) {
    case "lower":
    case "upper":
      return [wanted, otherCase(wanted)];
    case "url_decode":
      return [wanted, ...percentEncoded(wanted)];
    case "decode_base64":
      return [base64Text(latin1Bytes(wanted))];
    case "substring": {
      const [, from] = args;
      const start = from?.kind === "literal" ? Number(from.value) : 0;
      return start > 0 && start <= maxLength ? [`/${"x".repeat(start - 1)}${wanted}`, wanted] : [wanted];
    }
    default:
      return [wanted];
  }
}

/** The first character as an escape, and the last one. */
function percentEncoded(text: string): readonly string[] {
  const encode = (at: number) => `%${text.charCodeAt(at).toString(16).padStart(2, "0")}`;
  const last = text.length - 1;
  return text === "" ? [] : [encode(0) + text.slice(1), text.slice(0, last) + encode(last)];
}
