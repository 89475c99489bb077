/** Random patterns of `matches`, and the reasons for which the other engine of `compare-firewalker.ts` has another answer. */
import fc from "fast-check";
import { parseExpression } from "../src/engine/tokens/expression/parser.ts";
import {
  compilePattern,
  undecidedPart,
} from "../src/engine/tokens/expression/patterns/regular-expression.ts";
import { toBytes } from "../src/engine/tokens/expression/values/bytes.ts";

/** The strings of bytes that each pattern is searched in, some of which are not UTF-8. */
export const patternSubjects: readonly string[] = [
  ...[
    "",
    "a",
    "b",
    "k",
    "K",
    "ab",
    "aab",
    "abc",
    "aaaa",
    "z",
    "0",
    "7",
    "_",
    "a b",
    " ",
    "\t",
    "\v",
    "\n",
    "\r",
  ],
  ...[
    "a\nb",
    "\r\n",
    "a\r\nb",
    "-",
    "]",
    "[",
    "^",
    "&",
    "~",
    "{",
    "}",
    "a-b",
    "b]",
    "a&b",
    "ab-cd ef",
    "x{2}",
    "{id}",
  ],
  ...["\\", "#", "\x00", "\x7f", "\x80", "\xc3", "\xe9", "\xff", "a\xe9b", "\xf0\x9f"],
  ...["é", "É", "\u212a", "ſ", "한", "αβ", "Ω", "😀", "é a", "٣", "\u00a0", "aé😀b"].map(toBytes),
];

const literal = fc.constantFrom(
  ...[
    "a",
    "b",
    "c",
    "k",
    "K",
    "z",
    "0",
    "7",
    "_",
    " ",
    "-",
    "]",
    "}",
    "&",
    "~",
    "#",
    ",",
    ":",
    "é",
    "한",
    "😀",
    "/",
  ],
);
const escaped = fc.constantFrom(
  ...[
    "\\.",
    "\\[",
    "\\]",
    "\\{",
    "\\}",
    "\\-",
    "\\^",
    "\\\\",
    "\\&",
    "\\~",
    "\\#",
    "\\/",
    "\\%",
    "\\ ",
    "\\n",
    "\\t",
  ],
  ...[
    "\\v",
    "\\r",
    "\\f",
    "\\a",
    "\\x61",
    "\\x{62}",
    "\\u0061",
    "\\u{63}",
    "\\U00000061",
    "\\U{7A}",
    "\\xe9",
    "\\xff",
  ],
  ...[
    "\\x{e9}",
    "\\u{e9}",
    "\\x{d800}",
    "\\x{110000}",
    "\\x6",
    "\\u{}",
    "\\12",
    "\\0",
    "\\7",
    "\\8",
    "\\e",
    "\\Q",
    "\\E",
  ],
  ...["\\Z", "\\<", "\\é"],
);
const unicode = fc.constantFrom(
  ...[
    "\\pL",
    "\\PL",
    "\\p{Lu}",
    "\\p{Greek}",
    "\\P{Hangul}",
    "\\p{sc=Hangul}",
    "\\p{greek}",
    "\\p{Letter}",
    "\\p{Foo}",
    "\\p{",
  ],
);
const perl = fc.constantFrom("\\d", "\\D", "\\s", "\\S", "\\w", "\\W");
const condition = fc.constantFrom("^", "$", "\\A", "\\z", "\\b", "\\B", "\\b{start}");
const named = fc.constantFrom(
  "[:alpha:]",
  "[:^digit:]",
  "[:space:]",
  "[:word:]",
  "[:punct:]",
  "[:foo:]",
  "[:alpha",
);
const character = fc.oneof({ weight: 5, arbitrary: literal }, { weight: 2, arbitrary: escaped });
const range = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "a-c",
      "a-z",
      "A-Z",
      "0-9",
      "b-k",
      " -~",
      "\\x00-\\x7f",
      "\\x80-\\xff",
      "\\x61-z",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("z-a", "a-\\d", "é-ü", "a-", "-a", "+--", "a--b", "α-ω", "\\x{e0}-\\x{ff}"),
  },
);
const { set } = fc.letrec<{ set: string }>((tie) => ({
  set: fc
    .tuple(
      fc.constantFrom("[", "[", "[", "[^", "[]", "[-", "[^-", "[^]"),
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: range },
          { weight: 3, arbitrary: character },
          { weight: 1, arbitrary: perl },
          { weight: 1, arbitrary: named },
          { weight: 2, arbitrary: fc.constantFrom("&&", "--", "~~") },
          { weight: 2, arbitrary: tie("set") },
        ),
        { minLength: 1, maxLength: 4 },
      ),
      fc.constantFrom("]", "]", "]", "]", "-]", "--]", "&&]", ""),
    )
    .map(([open, items, close]) => open + items.join("") + close),
}));
const times = fc.constantFrom(
  ...[
    "*",
    "+",
    "?",
    "*?",
    "+?",
    "??",
    "{2}",
    "{1,2}",
    "{0,1}?",
    "{2,}",
    "{ 1 , 3 }",
    "{0}",
    "{1,2}{2}",
    "**",
    "{3,1}",
    "{,2}",
  ],
  ...["{,}", "{a}", "{", "{2", "{1001}", "{30}{40}"],
);
const group = fc.constantFrom(
  ...[
    "(",
    "(",
    "(?:",
    "(?:",
    "(?i:",
    "(?i:",
    "(?s:",
    "(?m:",
    "(?x:",
    "(?u:",
    "(?iu:",
    "(?-u:",
    "(?U:",
    "(?s-i:",
    "(?im-s:",
    "(?P<n>",
  ],
  ...["(?<m>", "(?R:", "(?mR:", "(?ii:", "(?i-i:", "(?-:", "(?y:", "(?=", "(?<!", "( ?:"],
);
const flags = fc.constantFrom(
  "(?i)",
  "(?u)",
  "(?x)",
  "(?m)",
  "(?s)",
  "(?-u)",
  "(?iu)",
  "(?U)",
  "(?)",
  "(?i-)",
  "(?R)",
);
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 5, arbitrary: literal },
    { weight: 4, arbitrary: set },
    { weight: 2, arbitrary: escaped },
    { weight: 1, arbitrary: fc.oneof(perl, condition, fc.constant(".")) },
    { weight: 1, arbitrary: unicode },
    {
      weight: 3,
      arbitrary: fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((all) => all.join("")),
    },
    { weight: 2, arbitrary: fc.tuple(tie("node"), times).map((parts) => parts.join("")) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(group, tie("node"), fc.constantFrom(")", ")", ")", ")", ""))
        .map((parts) => parts.join("")),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("node"), fc.constantFrom("|", "||", "|*"), tie("node"))
        .map((parts) => parts.join("")),
    },
    { weight: 1, arbitrary: fc.tuple(flags, tie("node")).map((parts) => parts.join("")) },
    { weight: 1, arbitrary: fc.constantFrom("# a\n", " \n ", "^/users/{id}$") },
  ),
}));

/** The patterns. A quotation mark would end the string that has them. */
export const patternText = fc
  .tuple(fc.constantFrom("", "", "", "(?u)", "(?i)", "(?x)"), node, fc.constantFrom("", "", "$"))
  .map((parts) => parts.join(""));

/** Differences of the version of the build (regex 1.3.9) from the one of the service, by message and pattern. */
const olderRules: readonly (readonly [kind: string, message: RegExp, pattern: RegExp])[] = [
  ["a character above ASCII, which regex 1.10 accepts", /Unicode not allowed here/, /[^\0-\x7f]|\\[xuU]\{/],
  ["a class without characters, which regex 1.8 accepts", /empty character classes/, /\[/],
  ["an escape of a character without a meaning, which regex 1.8 accepts", /unrecognized escape/, /\\[/% ]/],
  ["the side of a word, which regex 1.10 has", /valid decimal|unrecognized escape/, /\\(?:b\{start|<)/],
  ["`(?<name>` or the flag `R`, which regex 1.9 has", /unrecognized flag/, /\(\?(?:<m>|m?R)/],
];

/** The expression with a pattern; the bytes are percent-encoded in the body. */
export function patternExpression(pattern: string): string {
  return `url_decode(http.request.body.raw) matches "${pattern}"`;
}

/**
 * The pattern without names of classes, which the build reads together with what is before them in a class
 * (rust-lang/regex#680, corrected in regex 1.6).
 */
export function withoutNames(pattern: string): string {
  return pattern.replace(/\[:(\^?)(alpha|digit|space|word|punct):\]/g, (_, not: string, name: string) => {
    const items = {
      alpha: "a-zA-Z",
      digit: "0-9",
      space: "\\t-\\r\\x20",
      word: "\\w",
      punct: "!-/:-@\\x5b-`{-\\x7e",
    };
    return `[${not}${items[name as keyof typeof items]}]`;
  });
}

/** The kind of the outcome for a pattern; it starts with `different` when no reason for a difference is known. */
export function patternOutcome(pattern: string, theirs: readonly boolean[] | string): string {
  const isRejected = typeof theirs === "string";
  const parsed = parseExpression(patternExpression(pattern), { rules: "custom" });
  if (!parsed.ok) {
    const { message } = parsed.problems[0];
    if (message.includes("the search would take too long"))
      return "rejected here alone: the search is bounded";
    return isRejected ? "rejected by both" : "different: accepted there alone";
  }
  const right = parsed.value.kind === "comparison" ? parsed.value.right : undefined;
  if (right?.kind !== "regex") return "different: not a comparison";
  const part = undecidedPart(right.value);
  if (isRejected) {
    const known = olderRules.find(([, message, text]) => message.test(theirs) && text.test(pattern));
    if (known !== undefined) return `accepted here alone: ${known[0]}`;
    const isProperty = theirs.includes("Unicode property not found") && part !== undefined;
    return isProperty
      ? "undecided here, rejected there: an unknown Unicode property"
      : "different: accepted here alone";
  }
  if (part !== undefined) return `undecided here: ${part.replace(/^`.*`: /s, "")}`;
  const find = compilePattern(right.value);
  const isSame = patternSubjects.every((subject, i) => find(subject) === theirs[i]);
  return isSame ? "the same values" : "different: values";
}
