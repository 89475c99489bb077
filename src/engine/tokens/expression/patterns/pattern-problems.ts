/** The messages about invalid patterns: what was found, and the next step. */

import { quote } from "../../../../errors.ts";
import { joinAlternatives } from "../../input-problem.ts";

/** A part of a pattern with its backslashes as they are, where it can be shown. */
const show = (part: string) => (/^[ -_a-~]{1,60}$/.test(part) ? `\`${part}\`` : quote(part));

const literal = (character: string) => `write \`\\${character}\` for the character`;

/** One message for each reason why the service rejects a pattern. */
export const problems = {
  unopened: () => `\`)\` closes no group; ${literal(")")}`,
  unclosedGroup: () => `the group that starts with \`(\` is not closed; add \`)\`, or ${literal("(")}`,
  unclosedClass: () => `the class that starts with \`[\` is not closed; add \`]\`, or ${literal("[")}`,
  nesting: (max: number) =>
    `the pattern nests more than ${max} levels deep; write fewer groups and repetitions`,
  size: (max: number) =>
    `the search would take too long: up to here it has more than ${max} bytes of code points and classes; write fewer of them`,
  nothingRepeated: (character: string) =>
    character === "{"
      ? `\`{\` begins no repetition, as nothing is before it; ${literal("{")}`
      : `\`${character}\` repeats nothing; ${literal(character)}`,
  noCount: () => `\`{\` begins no repetition such as \`{2}\`, \`{2,}\` or \`{2,5}\`; ${literal("{")}`,
  emptyCount: (text: string) => `the repetition ${show(text)} has a maximum below its minimum; exchange them`,
  largeCount: (max: number) => `a repetition is of more than ${max}; write a lower number`,
  lookAround: (text: string) =>
    `${show(text)} is look-around, which the service does not have; write a comparison of its own, with \`not\` where it is needed`,
  groupName: (found: string | undefined) =>
    found === undefined
      ? "the name of the group is not closed; add `>`"
      : `${show(found)} is not allowed here in the name of a group; write letters, digits and \`_\`, or \`(\` without a name`,
  sameName: (name: string) => `the name ${show(name)} is of two groups; write another one`,
  flag: (found: string | undefined, isSecond: boolean) =>
    found === undefined
      ? "the flags are not closed; add `:` or `)`"
      : isSecond
        ? `${show(found)} is twice in the flags of one group; remove one`
        : found === "-"
          ? "no flag is after `-`; add one, or remove `-`"
          : `${show(found)} is not a flag; write \`i\`, \`m\`, \`s\`, \`R\`, \`U\`, \`u\` or \`x\`, or \`\\(\\?\` for the characters`,
  lonelyBackslash: () => "nothing is after the last backslash; write `\\\\` for the character",
  backreference: (text: string) =>
    `${show(text)} is a backreference or an octal code, which the service does not have; write a character by its code as \`\\x0a\``,
  escape: (text: string) =>
    `${show(text)} is not an escape; write \`\\\\\` for a backslash, or the character alone`,
  hexadecimal: (letter: "x" | "u" | "U") =>
    `\`\\${letter}\` is not before the code of a character; write ${joinAlternatives([
      { x: "`\\x41`", u: "`\\u0041`", U: "`\\U00000041`" }[letter],
      `\`\\${letter}{41}\``,
    ])}`,
  propertyName: () => "no name is after `\\p`; write a Unicode property such as `\\p{Greek}`",
  property: (text: string) =>
    `${show(text)} is of code points, and patterns are of bytes; write \`(?u:${text})\``,
  wordSide: (names: readonly string[]) =>
    `the name after \`\\b\` is not known; write ${joinAlternatives(names.map((name) => `\`\\b{${name}}\``))}`,
  conditionInClass: (text: string) =>
    `${show(text)} is not a character and not allowed in a class; remove it`,
  rangeOfClass: (text: string) =>
    `${show(text)} is not a range, as one end is a class; write \`\\-\` for the character`,
  emptyRange: (text: string) => `the range ${show(text)} ends before it starts; exchange its ends`,
  characterInClass: (text: string) =>
    `${show(text)} in a class is several bytes, and classes are of bytes; write the class as \`(?u:[...])\``,
} as const satisfies Readonly<Record<string, (...args: never[]) => string>>;
