/**
 * Reads one test of an expression in the spelling of another language, and prints it in the language of expressions: a
 * value, an operator in any of its spellings, and operands with any quotation marks and brackets.
 */

import { isFunction } from "../language/functions.ts";
import { type OperatorName, operatorsOfType } from "../language/operators.ts";
import { isArrayType, isMapType, partType, type ScalarType, type ValueType } from "../language/types.ts";
import { testsOfLookAround } from "./look-around.ts";
import {
  type LooseItem,
  printText,
  readItem,
  readSign,
  readWord,
  skipSeparators,
  skipSpace,
} from "./loose-text.ts";
import { isRange, printers } from "./operands.ts";
import {
  type Comparing,
  comparingOf,
  functionOf,
  isNothing,
  isOperator,
  listedFields,
} from "./other-words.ts";

/** The text of a leaf, with the names and types of its language. */
export interface LooseReader {
  readonly text: string;
  /** The type of a value in the language of expressions; undefined for another text. */
  readonly typeOf: (value: string) => { readonly type: ValueType; readonly isEach: boolean } | undefined;
  /** The field that a name means, or has. */
  readonly fieldOf: (name: string, isExact: boolean) => string | undefined;
}

/** A test in the language of expressions. */
export interface LooseLeaf {
  readonly form: string;
  /** Offset after the test in the text. */
  readonly end: number;
  /** The value on its left and its operator, which a test after a combinator may repeat. */
  readonly left?: string;
  readonly comparing?: Comparing;
  /** The reason why the text is no such test, as a clause. */
  readonly why?: string;
}

/** A value on the left side. */
interface LooseValue {
  readonly text: string;
  readonly end: number;
  /** A comparison that is written as a call: of a function, or of a method of the value. */
  readonly call?: { readonly comparing: Comparing; readonly operand: Operand; readonly written: string };
}

/** The values on the right side. */
interface Operand {
  readonly items: readonly LooseItem[];
  readonly end: number;
  /** The bracket before them; `""` for none. */
  readonly bracket: string;
}

/** Maximum depth of calls. */
const maxDepth = 16;

/** Maximum number of words in an operator. */
const maxWords = 4;

/** Reads the test at an offset; undefined where there is none. */
export function readLooseLeaf(reader: LooseReader, at: number, isQuantified: boolean): LooseLeaf | undefined {
  const left = readValue(reader, at, 0);
  if (left === undefined) return readReversed(reader, at, isQuantified);
  if (left.call !== undefined) {
    const { comparing, operand, written } = left.call;
    const why = `\`${written}\` is not a function of these rules`;
    return printLeaf(reader, { left: left.text, comparing, operand, why }, isQuantified);
  }
  const isList = !isQuantified && isBoolList(reader.typeOf(left.text));
  const form = isList ? `any(${left.text})` : left.text;
  return readComparison(reader, left, isQuantified) ?? { form, end: left.end };
}

/** Whether a value is a Bool for each element of an array. */
function isBoolList(found: ReturnType<LooseReader["typeOf"]>): boolean {
  return found?.type === "Array<Bool>" || (found?.type === "Bool" && found.isEach);
}

function readComparison(reader: LooseReader, left: LooseValue, isQuantified: boolean): LooseLeaf | undefined {
  const { text } = reader;
  const phrase = readPhrase(reader, left.end);
  const start = skipSpace(text, phrase?.end ?? left.end);
  const operand = readOperand(reader, start, phrase?.comparing.name === "matches");
  if (operand === undefined) return undefined;
  const isImplied = phrase === undefined;
  if (isImplied && operand.items[0]?.kind !== "string") return undefined;
  const comparing = phrase?.comparing ?? { name: "eq", isNegated: false };
  const why = isImplied ? "There is no operator between the two values" : whyOf(phrase.written, operand);
  const parts = { left: left.text, comparing, operand, written: phrase?.written, why };
  return printLeaf(reader, parts, isQuantified);
}

/** The reason why an operator or its operand is not one. */
function whyOf(written: string, { items, bracket }: Operand): string | undefined {
  if (!isOperator(written)) return `\`${written}\` is not an operator`;
  const [first] = items;
  if (bracket !== "" && bracket !== "{") return "A set has braces, with spaces between its values";
  if (first?.kind === "bare" && isNothing(first.text)) return `There is no \`${first.text}\``;
  if (first?.kind === "slashes" && written === "matches") return "A regular expression is a string";
  return undefined;
}

/** A literal before its operator and its value: `"GET" == http.request.method`, `"a" in http.host`. */
function readReversed(reader: LooseReader, at: number, isQuantified: boolean): LooseLeaf | undefined {
  const item = readItem(reader.text, at);
  const phrase = item && readPhrase(reader, item.end);
  if (item === undefined || phrase === undefined) return undefined;
  const name = reversed[phrase.comparing.name];
  const left = readValue(reader, skipSpace(reader.text, phrase.end), 0);
  if (left === undefined || left.call !== undefined || name === undefined) return undefined;
  const type = reader.typeOf(left.text)?.type;
  const isList = name === "contains" && (type === undefined || isArrayType(type) || isMapType(type));
  const comparing: Comparing = { ...phrase.comparing, name: isList ? "eq" : name };
  const operand = { items: [item], end: left.end, bracket: "" };
  return printLeaf(
    reader,
    { left: left.text, comparing, operand, why: "The value must be on the left" },
    isQuantified,
  );
}

/** The operators with their sides exchanged. */
const reversed: Readonly<Partial<Record<Comparing["name"], OperatorName>>> = {
  eq: "eq",
  ne: "ne",
  lt: "gt",
  le: "ge",
  gt: "lt",
  ge: "le",
  in: "contains",
};

/** Reads an operator: the longest of up to four words, the first of which may be signs. */
function readPhrase({ text }: LooseReader, at: number) {
  const start = skipSpace(text, at);
  const sign = readSign(text, start);
  const ends = sign.text === "" ? [] : [sign.end];
  while (ends.length < maxWords) {
    const next = readWord(text, skipSpace(text, ends.at(-1) ?? start));
    if (next.text === "") break;
    ends.push(next.end);
  }
  return ends
    .toReversed()
    .flatMap((end) => {
      const written = text.slice(start, end);
      const comparing = comparingOf(written);
      return comparing === undefined ? [] : [{ comparing, end, written }];
    })
    .at(0);
}

/** Reads a field or a call with its indices; undefined for anything else. Operands are words rather than misspelled fields. */
function readValue(reader: LooseReader, at: number, depth: number, isExact = false): LooseValue | undefined {
  const { text: name, end } = readWord(reader.text, at);
  if (name === "" || depth > maxDepth) return undefined;
  const next = skipSpace(reader.text, end);
  if (reader.text[next] === "(") return readCall(reader, name, end, depth);
  const called = isFunction(name) ? name : functionOf(name);
  const argument = called === undefined ? undefined : readValue(reader, next, depth + 1, true);
  if (argument !== undefined && argument.call === undefined)
    return readIndices(reader, { text: `${called}(${argument.text})`, end: argument.end }, depth);
  const field = reader.fieldOf(name, isExact);
  return field === undefined ? undefined : readIndices(reader, { text: field, end }, depth);
}

/** Reads a call: of a function, of a comparison as a function, or of one as a method. */
function readCall(reader: LooseReader, name: string, end: number, depth: number): LooseValue | undefined {
  const known = isFunction(name) ? name : functionOf(name);
  const open = skipSpace(reader.text, end) + 1;
  if (known !== undefined) {
    const args = readArguments(reader, open, depth);
    if (args === undefined) return undefined;
    const [first = ""] = args.texts;
    const isOfEntry = known === "has_key" && args.texts.length === 1;
    const entry = isOfEntry ? printPresence(first, { name: "ne", isNegated: false }) : undefined;
    const text = entry ?? `${known}(${args.texts.join(", ")})`;
    return readIndices(reader, { text, end: args.end }, depth);
  }
  const dot = name.lastIndexOf(".");
  const method = name.slice(dot + 1);
  const comparing = comparingOf(method);
  if (dot === -1) {
    if (comparing === undefined) return undefined;
    const left = readValue(reader, skipSpace(reader.text, open), depth + 1);
    const start = left && skipSeparators(reader.text, left.end);
    return left && withOperand(reader, left, { comparing, start: start ?? 0, written: name });
  }
  const field = reader.fieldOf(name.slice(0, dot), false);
  return field === undefined ? undefined : readMethod(reader, { text: field, end }, method, depth);
}

/** Reads the parenthesis of a method: a comparison, or a function of the value. */
function readMethod(
  reader: LooseReader,
  value: LooseValue,
  method: string,
  depth: number,
): LooseValue | undefined {
  const open = skipSpace(reader.text, value.end);
  const hasParenthesis = reader.text[open] === "(";
  const name = isFunction(method) ? method : functionOf(method);
  if (name !== undefined && name !== "starts_with" && name !== "ends_with") {
    const args = hasParenthesis ? readArguments(reader, open + 1, depth) : { texts: [], end: value.end };
    if (args === undefined) return undefined;
    const text = `${name}(${[value.text, ...args.texts].join(", ")})`;
    return readIndices(reader, { text, end: args.end }, depth);
  }
  const comparing = comparingOf(method);
  if (comparing === undefined || !hasParenthesis) return undefined;
  return withOperand(reader, value, { comparing, start: open + 1, written: method });
}

/** A comparison in a call, whose operands end at its closing parenthesis. */
function withOperand(
  reader: LooseReader,
  { text: left }: LooseValue,
  call: { readonly comparing: Comparing; readonly start: number; readonly written: string },
): LooseValue | undefined {
  const isPattern = call.comparing.name === "matches";
  const read = readOperand(reader, skipSpace(reader.text, call.start), isPattern);
  if (read === undefined) return undefined;
  const close = skipSpace(reader.text, read.end);
  const end = reader.text[close] === ")" ? close + 1 : close;
  return { text: left, end, call: { ...call, operand: { ...read, end } } };
}

/** Reads the arguments of a call, and its closing parenthesis. */
function readArguments(reader: LooseReader, from: number, depth: number) {
  const { text } = reader;
  const texts: string[] = [];
  let at = skipSeparators(text, from);
  while (at < text.length && text[at] !== ")") {
    const value = readValue(reader, at, depth + 1, texts.length > 0);
    const item = value === undefined ? readItem(text, at) : undefined;
    const printed = value?.text ?? (item && printArgument(item));
    if (printed === undefined || value?.call !== undefined) return undefined;
    texts.push(printed);
    at = skipSeparators(text, (value ?? item)?.end ?? text.length);
  }
  return { texts, end: Math.min(at + 1, text.length) };
}

function printArgument(item: LooseItem): string | undefined {
  const isBare = item.kind === "bare" && /^-?[0-9]/.test(item.text);
  return isBare ? item.written : printers.String(item);
}

/** Reads what follows a value: indices, members and methods. */
function readIndices(reader: LooseReader, value: LooseValue, depth: number): LooseValue | undefined {
  const { text } = reader;
  let read = value;
  for (;;) {
    const at = skipSpace(text, read.end);
    if (text[at] === "[") {
      const next = readIndex(reader, read, at + 1);
      if (next === undefined) return undefined;
      read = next;
    } else if (text[read.end] === ".") {
      const method = readWord(text, read.end + 1);
      return method.text === ""
        ? undefined
        : readMethod(reader, { text: read.text, end: method.end }, method.text, depth);
    } else return read;
  }
}

function readIndex(reader: LooseReader, value: LooseValue, from: number): LooseValue | undefined {
  const { text } = reader;
  const start = skipSpace(text, from);
  const item = text[start] === "*" ? undefined : readItem(text, start);
  const close = skipSpace(text, item?.end ?? start + 1);
  if (text[close] !== "]") return undefined;
  const number = item?.kind === "bare" && /^-?[0-9]+$/.test(item.text) ? item.text : undefined;
  const key =
    item === undefined ? "*" : number !== undefined ? number.replace(/^-.*/, "0") : printers.String(item);
  const isName = item !== undefined && number === undefined;
  const of = isName ? (listedFields.get(value.text) ?? value.text) : value.text;
  return { text: `${of}[${key}]`, end: close + 1 };
}

const closings: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["(", ")"],
  ["[", "]"],
]);

/** Reads one value, or several in brackets or with commas between them. */
function readOperand(reader: LooseReader, at: number, isPattern: boolean): Operand | undefined {
  const { text } = reader;
  const bracket = text[at] ?? "";
  const close = closings.get(bracket);
  if (close === undefined) return readBareOperand(reader, at, isPattern);
  const items: LooseItem[] = [];
  let next = skipSeparators(text, at + 1);
  while (next < text.length && text[next] !== close) {
    const item = readScalar(reader, next, isPattern);
    if (item === undefined) return undefined;
    if (item.kind !== "bare" || !/^(?:or|and)$/i.test(item.text)) items.push(item);
    next = skipSeparators(text, item.end);
  }
  return { items, end: Math.min(next + 1, text.length), bracket };
}

/** Reads values without brackets: one, or several with commas between them. */
function readBareOperand(reader: LooseReader, at: number, isPattern: boolean): Operand | undefined {
  const items: LooseItem[] = [];
  let end = at;
  for (let next = at; ; next = skipSpace(reader.text, end + 1)) {
    const item = readScalar(reader, next, isPattern);
    if (item === undefined) return undefined;
    items.push(item);
    ({ end } = item);
    end = skipSpace(reader.text, end);
    if (reader.text[end] !== ",") return { items, end: item.end, bracket: "" };
  }
}

/** Reads a value of the request, or an item; a minus sign may have a space after it. */
function readScalar(reader: LooseReader, at: number, isPattern: boolean): LooseItem | undefined {
  const { text } = reader;
  const value = readValue(reader, at, 1, true);
  if (value !== undefined && value.call === undefined && reader.typeOf(value.text) !== undefined)
    return { kind: "bare", written: value.text, text: value.text, end: value.end };
  const item = readItem(text, at, isPattern);
  if (item?.text !== "-") return item;
  const number = readItem(text, skipSpace(text, item.end));
  return number && { ...number, text: `-${number.text}`, written: `-${number.written}` };
}

/** The parts of a comparison. */
interface Comparison {
  readonly left: string;
  readonly comparing: Comparing;
  readonly operand: Operand;
  /** The spelling of the operator. */
  readonly written?: string | undefined;
  readonly why?: string | undefined;
}

/** Prints a comparison by the type of its value; undefined where its operands have another type. */
function printLeaf(reader: LooseReader, parts: Comparison, isQuantified: boolean): LooseLeaf | undefined {
  const { comparing, operand, why } = parts;
  const typed = elementsOf(reader, parts.left);
  if (typed === undefined) return undefined;
  const { left, type, isList } = typed;
  const [first] = operand.items;
  const rest = { end: operand.end, left, comparing, ...(why !== undefined && { why }) };
  if (type === "Bool") {
    const form = printBool(left, comparing, first);
    return form === undefined ? undefined : { ...rest, form };
  }
  const absent =
    first?.kind === "bare" && isNothing(first.text) ? printPresence(parts.left, comparing) : undefined;
  if (absent !== undefined) return { ...rest, form: absent };
  const isWrapped = isList && !isQuantified;
  const test = printTest(reader, { ...parts, left }, type, isWrapped);
  if (test === undefined) return undefined;
  const core = isWrapped ? `any(${test.core})` : test.core;
  return { ...rest, form: test.isNegated ? `not ${core}` : core };
}

/** The value with a star for the elements of an array, and the type of what is compared. */
function elementsOf({ typeOf }: LooseReader, value: string) {
  const found = typeOf(value);
  if (found === undefined) return undefined;
  const { type, isEach } = found;
  const array = isMapType(type) ? partType(type) : type;
  if (array === undefined || !isArrayType(array))
    return { left: value, type: type as ScalarType, isList: isEach };
  const left = isMapType(type) ? `${value}.values[*]` : `${value}[*]`;
  return { left, type: partType(array) as ScalarType, isList: true };
}

function printBool(
  left: string,
  { name, isNegated }: Comparing,
  item: LooseItem | undefined,
): string | undefined {
  const value = new Map([
    ["true", true],
    ["1", true],
    ["yes", true],
    ["false", false],
    ["0", false],
    ["no", false],
  ]).get(item?.text.toLowerCase() ?? "");
  if (value === undefined || (name !== "eq" && name !== "ne")) return undefined;
  return ((name === "eq") !== isNegated) === value ? left : `not ${left}`;
}

/** The test of whether a map has a name, in place of a comparison with nothing. */
function printPresence(left: string, { name, isNegated }: Comparing): string | undefined {
  const [, map, key] = /^([a-z_.]+)\[("[^"\\]*")\](?:\[[0-9*]+\])?$/.exec(left) ?? [];
  if (map === undefined || (name !== "eq" && name !== "ne")) return undefined;
  return `${(name === "eq") !== isNegated ? "not " : ""}has_key(${map}, ${key})`;
}

/** A test without its negation. */
interface PrintedTest {
  readonly core: string;
  readonly isNegated: boolean;
}

function printTest(
  reader: LooseReader,
  { left, comparing, operand, written }: Comparison,
  type: ScalarType,
  isWrapped: boolean,
): PrintedTest | undefined {
  const { name } = comparing;
  if (type === "IP" && (name === "contains" || name === "starts_with")) {
    const ofNetworks = { ...operand, items: operand.items.map(asNetwork) };
    const parts = { left, comparing: { ...comparing, name: "in" as const }, operand: ofNetworks };
    return printTest(reader, parts, type, isWrapped);
  }
  const isFunctionName = name === "starts_with" || name === "ends_with";
  if (isFunctionName ? type !== "String" : !operatorsOfType(type).has(name)) return undefined;
  const isPattern = name === "matches" || name === "wildcard" || name === "strict wildcard";
  const literals = operand.items.flatMap((item) => {
    if (item.kind === "list") return [item.written];
    if (item.kind === "bare" && reader.typeOf(item.written)?.type === type) return [item.written];
    return printers[isPattern ? "Pattern" : type](fromLike(item, written)) ?? [];
  });
  if (literals.length < operand.items.length) return undefined;
  const isSet = name === "in" || (isEquality(name) && (operand.bracket === "{" || literals.length > 1));
  if (isSet || (isEquality(name) && literals.some((literal) => isRange(type, literal)))) {
    const isNegated = comparing.isNegated || name === "ne";
    const [only] = literals;
    const isList = literals.length === 1 && only?.startsWith("$");
    return { core: `${left} in ${isList ? only : `{${literals.join(" ")}}`}`, isNegated };
  }
  if (literals.length === 0) return undefined;
  const isPositive = isWrapped && name === "ne";
  const spelling =
    written !== undefined && isOperator(written) && !isPositive ? written : isPositive ? "eq" : name;
  const tests = literals.map((literal, i) => {
    const item = operand.items[i];
    const around = name === "matches" && item !== undefined ? testsOfLookAround(left, item.text) : undefined;
    return around ?? (isFunctionName ? `${name}(${left}, ${literal})` : `${left} ${spelling} ${literal}`);
  });
  const core = tests.length === 1 ? (tests[0] ?? "") : `(${tests.join(" or ")})`;
  return { core, isNegated: comparing.isNegated || isPositive };
}

const isEquality = (name: string) => name === "eq" || name === "ne";

/** The start of an address, up to a dot, is a network. */
function asNetwork(item: LooseItem): LooseItem {
  return item.text.endsWith(".") ? { ...item, text: `${item.text}*` } : item;
}

/** The `%` of SQL is the `*` of a wildcard pattern. */
function fromLike(item: LooseItem, written: string | undefined): LooseItem {
  if (!/like/i.test(written ?? "") || !item.text.includes("%")) return item;
  const text = item.text.replaceAll("%", "*");
  return { ...item, text, written: printText(text) };
}
