/**
 * The next step after a syntax error: the text that was probably meant, made from the text that was found. A hint is a
 * replacement after which the text is an expression, or has its first error behind the replacement (`chosen`).
 */

import { parseJson } from "../../../../core/json-value.ts";
import { withoutOuterTabs } from "../grammar.ts";
import type { RuleKind } from "../language/rule-kinds.ts";
import { advance, startCursor } from "../lexer.ts";
import { type ExpressionError, ExpressionSyntaxError, type Fix } from "../syntax-error.ts";
import { keywordsOf, nearestField, nearWords } from "../words.ts";
import { type LooseReader, readLooseLeaf } from "./loose-leaf.ts";
import { readQuoted, skipSpace } from "./loose-text.ts";
import { otherCharacters, otherCombinators, quotationMarks } from "./other-words.ts";

/** The language of the expressions that get hints. */
export interface HintLanguage {
  readonly rules: RuleKind;
  /** The first error of a text; undefined for an expression. */
  readonly errorOf: (text: string) => ExpressionError | undefined;
  readonly typeOf: LooseReader["typeOf"];
}

/** A replacement, and how the message describes it. */
interface Hint extends Fix {
  /** The correct form that the message has; the replacement by default, `""` for none. */
  readonly form?: string;
  /** The reason as a clause; that of the error by default. */
  readonly why?: string | undefined;
  /** Whether the text must be an expression after it, without further errors. */
  readonly isLast?: true;
}

/** The place of an error. */
interface Place {
  readonly language: HintLanguage;
  readonly text: string;
  readonly error: ExpressionError;
  readonly found: string;
  readonly test: TestPlace;
}

/** Adds the hints to an error. */
export function withHints(text: string, error: ExpressionError, language: HintLanguage): ExpressionError {
  const found = text.slice(error.span.start, error.span.end);
  const place: Place = { language, text, error, found, test: placeOfTest(text, error.span.start) };
  for (const find of finders) {
    const hints = find(place).filter((hint) => isBetter(place, hint));
    const [hint] = hints;
    if (hint === undefined) continue;
    // Only similar words are several alternatives.
    const fixes = find === words ? hints : [hint];
    return {
      ...error,
      message: describe(error, hint),
      fixes: fixes.map(({ span, replacement }) => ({ span, replacement })),
    };
  }
  return error;
}

/** Whether a replacement leaves less text at and after the first error, and the error is not in it. */
function isBetter({ language, text, error }: Place, { span, replacement, isLast }: Hint): boolean {
  const fixed = text.slice(0, span.start) + replacement + text.slice(span.end);
  const next = fixed === text ? error : language.errorOf(fixed);
  if (next === undefined || isLast) return next === undefined;
  return (
    fixed.length - next.offset < text.length - error.offset && next.offset >= span.start + replacement.length
  );
}

/** Maximum length of a form in a message, in code units. */
const maxForm = 200;

function describe({ message }: ExpressionError, { why, form, replacement }: Hint): string {
  const shown = form ?? replacement;
  if (shown === "" || shown.length > maxForm) return why === undefined ? message : `${why}.`;
  if (why === undefined && message.includes(`\`${shown}\``)) return message;
  const clause = why ?? message.replace(/[;:] write .*$/s, "").replace(/[.?]$/, "");
  return `${clause}; write \`${shown}\`.`;
}

/** The hints by what was found, in the order in which they are tried. */
const finders: readonly ((place: Place) => readonly Hint[])[] = [
  comments,
  escapes,
  quotedTest,
  test,
  combinators,
  repeatedTest,
  separateTests,
  unclosedString,
  whole,
  parentheses,
  danglingCombinator,
  words,
  characters,
  missingCombinator,
];

/** A comment: it is removed. */
function comments({ text, error }: Place): Hint[] {
  const at = error.span.start;
  const end = endOfComment(text, at);
  if (end === undefined) return [];
  const start = end >= text.trimEnd().length ? text.slice(0, at).trimEnd().length : at;
  const why = "An expression has no comments; write them in the description of the rule";
  return [
    { span: { start, end: start < at ? text.length : skipSpace(text, end) }, replacement: "", form: "", why },
  ];
}

function endOfComment(text: string, at: number): number | undefined {
  if (text.startsWith("/*", at)) {
    const close = text.indexOf("*/", at + 2);
    return close === -1 ? text.length : close + 2;
  }
  if (text[at] !== "#" && !text.startsWith("//", at) && !text.startsWith("--", at)) return undefined;
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline;
}

/** A combinator of another language, or a keyword with upper-case letters. */
function combinators({ language, text, error: { span }, found }: Place): Hint[] {
  const signs = /^[&|^]+/.exec(text.slice(span.start, span.start + 4))?.[0] ?? "";
  const combinator = otherCombinators.get(signs);
  if (combinator !== undefined)
    return [{ span: { start: span.start, end: span.start + signs.length }, replacement: combinator }];
  const lower = found.toLowerCase();
  return lower !== found && keywordsOf(language.rules).has(lower) ? [{ span, replacement: lower }] : [];
}

/** A test in the spelling of another language. */
function test(place: Place): Hint[] {
  const { text, test: at } = place;
  const leaf = readTest(place, at.start, at.isQuantified);
  if (leaf === undefined || leaf.end <= place.error.span.start) return [];
  const span = { start: at.start, end: leaf.end };
  return [{ ...trim(text, span, leaf.form), form: leaf.form, why: leaf.why }];
}

function readTest({ language: { rules, typeOf }, text }: Place, at: number, isQuantified: boolean) {
  const fieldOf = (name: string, isExact: boolean) => nearestField(rules, name, isExact);
  return readLooseLeaf({ text, typeOf, fieldOf }, at, isQuantified);
}

/** The part of a replacement that differs, from space to space. */
function trim(text: string, { start, end }: Fix["span"], replacement: string): Fix {
  const before = text.slice(start, end).split(" ");
  const after = replacement.split(" ");
  let first = 0;
  while (first < Math.min(before.length, after.length) - 1 && before[first] === after[first]) first++;
  let last = 0;
  const rest = Math.min(before.length, after.length) - first - 1;
  while (last < rest && before.at(-1 - last) === after.at(-1 - last)) last++;
  const lengthOf = (words: readonly string[]) => words.reduce((sum, word) => sum + word.length + 1, 0);
  return {
    span: {
      start: start + lengthOf(before.slice(0, first)),
      end: end - lengthOf(before.slice(before.length - last)),
    },
    replacement: after.slice(first, after.length - last).join(" "),
  };
}

/** A test without its left side, or without its operator too, after a combinator: both are those of the test before. */
function repeatedTest(place: Place): Hint[] {
  const { text, test: at, error } = place;
  if (at.start < error.span.start || readTest(place, at.start, at.isQuantified) !== undefined) return [];
  const before = at.before === undefined ? undefined : readTest(place, at.before, at.isQuantified);
  if (before?.left === undefined || before.comparing === undefined) return [];
  const { name, isNegated } = before.comparing;
  const { left } = before;
  const isValue = /["'0-9“‘]/.test(text[at.start] ?? "");
  const starts = [left, ...(isValue && operators.has(name) ? [`${left} ${name}`] : [])];
  return starts
    .flatMap((start) => {
      const virtual = `${start} ${text.slice(at.start)}`;
      const leaf = readTest({ ...place, text: virtual }, 0, at.isQuantified);
      if (leaf?.comparing === undefined) return [];
      const end = at.start + leaf.end - start.length - 1;
      const replacement = isNegated ? `not ${leaf.form}` : leaf.form;
      const hint = {
        span: { start: at.start, end },
        replacement,
        form: text.slice(at.before, at.start) + replacement,
        why: `Each side of \`${at.combinator}\` must be a test of its own`,
      };
      return end > error.span.start ? [hint] : [];
    })
    .slice(0, 1);
}

const operators: ReadonlySet<string> = new Set([
  "eq",
  "ne",
  "lt",
  "le",
  "gt",
  "ge",
  "contains",
  "wildcard",
  "matches",
]);

/** Several comparisons in `any` or `all`. */
function separateTests({ language, text, error, test: at }: Place): Hint[] {
  const { quantifier } = at;
  if (quantifier === undefined || !isCombinator(text.slice(error.span.start, error.span.end))) return [];
  const close = closingOf(text, quantifier.end);
  if (close === undefined) return [];
  const name = text.slice(quantifier.start, quantifier.end - 1);
  const first = text.slice(quantifier.end, error.span.start).trim();
  const rest = text.slice(error.span.end, close).trim();
  const combinator = text.slice(error.span.start, error.span.end);
  const span = { start: quantifier.start, end: close + 1 };
  const forms = [`${name}(${first}) ${combinator} ${rest}`, `${name}((${first}) ${combinator} ${rest})`];
  const valid = forms.find((form) => language.errorOf(form) === undefined);
  return valid === undefined ? [] : [{ span, replacement: valid }];
}

/** A string without its end: it ends with the text, or before its last parentheses or another quotation mark. */
function unclosedString({ text, error: { span } }: Place): Hint[] {
  if (span.end !== span.start + 1 || !quotationMarks.has(text[span.start] ?? "")) return [];
  const ends = [text.trimEnd().length];
  for (let at = ends[0] ?? 0; text[at - 1] === ")" && ends.length < 8; at--) ends.push(at - 1);
  const hints = ends.map((end) => {
    const isMarked = end > span.start + 1 && /['`”’“]/.test(text[end - 1] ?? "");
    const replacement = `"${text.slice(span.start + 1, isMarked ? end - 1 : end)}"`;
    return { span: { start: span.start, end }, replacement };
  });
  return [...hints.map((hint) => ({ ...hint, isLast: true as const })), ...hints];
}

/** A test in quotation marks. */
function quotedTest({ language, text, error: { span } }: Place): Hint[] {
  const quoted = readQuoted(text, span.start);
  if (quoted === undefined || language.errorOf(quoted.text) !== undefined) return [];
  const why = "A test has no quotation marks around it";
  return [{ span: { start: span.start, end: quoted.end }, replacement: quoted.text, why }];
}

/** Escapes of a JSON string. */
function escapes({ text }: Place): Hint[] {
  const trimmed = text.trim();
  if (!/\\["u]/.test(trimmed)) return [];
  const why = "An expression has the escapes of JSON in a JSON file only";
  return [trimmed, trimmed.replace(/^"|"$/g, "")].flatMap((inner): Hint[] => {
    const replacement = parseJson(`"${inner}"`);
    const span = { start: 0, end: text.length };
    return typeof replacement === "string" ? [{ span, replacement, why, isLast: true }] : [];
  });
}

/** A whole expression inside of a statement: `if ... then`, or quotation marks. */
function whole({ text }: Place): Hint[] {
  const span = { start: 0, end: text.length };
  const words = text.trim();
  const condition = /^(?:if|when|where)\b(.*)$/is.exec(words)?.[1];
  if (condition !== undefined) {
    const ends = ["", ...["then", "{", ":", "return", "block"].map((end) => end)];
    const why = "An expression is the condition alone; the action is a member of the rule";
    return ends.flatMap((end) => {
      const at = end === "" ? condition.length : condition.indexOf(end);
      return at === -1 ? [] : [{ span, replacement: condition.slice(0, at).trim(), why }];
    });
  }
  const quoted = /^(["'`“])(.*)["'`”]$/s.exec(words)?.[2];
  const assigned = /^expression\s*[:=](.*)$/is.exec(words)?.[1];
  const why = "An expression has no name and no quotation marks around it";
  return [quoted, assigned].flatMap((inner) =>
    inner === undefined ? [] : [{ span, replacement: inner.trim(), why }],
  );
}

/** A parenthesis without the other one. */
function parentheses({ text, error: { span, expected }, found }: Place): Hint[] {
  const end = text.trimEnd().length;
  const missing = (at: number, count: number): Hint => {
    const replacement = ")".repeat(count);
    const form = (text.slice(0, at) + replacement + text.slice(at)).trim();
    return { span: { start: at, end: at }, replacement, form, isLast: true };
  };
  if (found === ")") {
    const form = (text.slice(0, span.start) + text.slice(span.end)).trim();
    const why = "The parenthesis `)` has no `(`";
    return depthOf(text, span.start) > 0 ? [] : [{ span, replacement: "", form, why, isLast: true }];
  }
  if (isCombinator(found) && expected.includes("`)`"))
    return [missing(text.slice(0, span.start).trimEnd().length, 1)];
  const depth = span.start < end ? 0 : depthOf(text, end);
  return depth > 0 ? [missing(end, depth)] : [];
}

/** The number of parentheses that are open at an offset. */
function depthOf(text: string, offset: number): number {
  let depth = 0;
  for (const { kind, text: found } of tokensBefore(text, offset)) {
    if (kind !== "symbol") continue;
    if (found === "(") depth++;
    else if (found === ")") depth--;
  }
  return depth;
}

/** A combinator without a test on one of its sides. */
function danglingCombinator({ text, error: { span }, found }: Place): Hint[] {
  const hint = (start: number, end: number) => ({
    span: { start, end },
    replacement: "",
    form: (text.slice(0, start) + text.slice(end)).trim(),
    why: `\`${text.slice(start, end).trim()}\` needs a test on both of its sides`,
    isLast: true as const,
  });
  if (isCombinator(found)) return [hint(span.start, skipSpace(text, span.end))];
  const last = tokensBefore(text, span.start).at(-1);
  if (last === undefined || !isCombinator(last.text)) return [];
  return [hint(text.slice(0, last.span.start).trimEnd().length, span.start)];
}

/** Two tests without a combinator between them; most often both are meant. */
function missingCombinator({ text, error: { span, expected } }: Place): Hint[] {
  if (!expected.includes("`and`")) return [];
  const form = `${text.slice(0, span.start).trim()} and ${text.slice(span.start).trim()}`;
  const why = "There is neither `and` nor `or` between two tests";
  return [{ span: { start: span.start, end: span.start }, replacement: "and ", form, why }];
}

/** Words with a similar spelling. */
function words({ language, error, found }: Place): Hint[] {
  if (!/^[A-Za-z_][\w.]{0,79}$/.test(found)) return [];
  const [, keyword = "", name = ""] = /^(not|and|or|xor)(.+)$/.exec(found) ?? [];
  if (keyword !== "" && nearestField(language.rules, name, true) !== undefined)
    return [
      { span: error.span, replacement: `${keyword} ${name}`, why: "There must be a space between two words" },
    ];
  return nearWords(language.rules, found, error.expected).map((replacement) => ({
    span: error.span,
    replacement,
    form: "",
  }));
}

/** Characters of word processors, and characters without a meaning. */
function characters({ text, error: { span, message }, found }: Place): Hint[] {
  if (found.length !== 1) return [];
  const meant = otherCharacters.get(found);
  if (meant !== undefined) {
    const code = `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    const step = meant === "" ? "remove it" : `write ${meant === " " ? "a space" : `\`${meant}\``}`;
    const why = message.startsWith("Expected")
      ? { why: `The character ${code} is not allowed here; ${step}` }
      : {};
    return [{ span, replacement: meant, form: "", ...why }];
  }
  const isAtEnd = text.slice(span.end).trim() === "";
  if (!/[;'`”’“‘\\]/.test(found) && !(isAtEnd && /[,.:"]/.test(found))) return [];
  return [
    { span, replacement: "", form: "", why: `\`${found}\` has no meaning here; remove it`, isLast: true },
  ];
}

const isCombinator = (word: string) => /^(?:and|or|xor|&&|\|\||\^\^)$/.test(word);

/** The place of the test around an offset. */
interface TestPlace {
  readonly start: number;
  /** Whether `any(` or `all(` is around it. */
  readonly isQuantified: boolean;
  /** The name and the parenthesis of the innermost `any(` or `all(` around it. */
  readonly quantifier?: Fix["span"] | undefined;
  /** The start of the test before it, and the combinator between them. */
  readonly before?: number | undefined;
  readonly combinator?: string | undefined;
}

/** Finds the test around an offset: everything before it is right. */
function placeOfTest(text: string, offset: number): TestPlace {
  const groups: { readonly kind: "group" | "call" | "quantifier"; readonly span: Fix["span"] }[] = [];
  let start: number | undefined;
  let before: number | undefined;
  let combinator: string | undefined;
  let previous: { readonly text: string; readonly span: Fix["span"] } | undefined;
  for (const token of tokensBefore(text, offset)) {
    const isCall = groups.at(-1)?.kind === "call";
    const word = token.kind === "string" ? "" : token.text;
    if (word === "(") {
      const isAfterWord = previous?.span.end === token.span.start && /^[A-Za-z]/.test(previous.text);
      const kind =
        previous !== undefined && /^(?:any|all)$/.test(previous.text)
          ? "quantifier"
          : isAfterWord && !/^(?:and|or|xor|not|in)$/.test(previous?.text ?? "")
            ? "call"
            : "group";
      groups.push({ kind, span: { start: previous?.span.start ?? 0, end: token.span.end } });
      if (kind !== "call") start = undefined;
    } else if (word === ")") groups.pop();
    else if (!isCall && isCombinator(word)) {
      before = start;
      combinator = word;
      start = undefined;
    } else if (word !== "not" && word !== "!") start ??= token.span.start;
    previous = token;
  }
  const quantifier = groups.findLast(({ kind }) => kind === "quantifier")?.span;
  const at = start ?? skipSpace(text, previous?.span.end ?? 0);
  return { start: at, isQuantified: quantifier !== undefined, quantifier, before, combinator };
}

/** The tokens before an offset, up to the first one that cannot be read. */
function tokensBefore(text: string, offset: number) {
  const tokens = [];
  try {
    for (
      const cursor = startCursor(withoutOuterTabs(text));
      cursor.token.kind !== "end" && cursor.token.span.start < offset;
    ) {
      tokens.push(cursor.token);
      advance(cursor);
    }
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
  }
  return tokens;
}

function closingOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (const { kind, text: found, span } of tokensBefore(text, text.length)) {
    if (span.start < from || kind !== "symbol") continue;
    if (found === "(") depth++;
    else if (found === ")" && depth-- === 0) return span.start;
  }
  return undefined;
}
