/**
 * Generates look-alikes of a domain by the techniques that impersonators use, as input of a matcher. Deterministic and
 * lazy. The techniques are those of the common generators; words and suffixes are `chosen`.
 */

import { anyValue, optionsOf, requireArgument } from "../core/arguments.ts";
import { domainToAscii } from "../core/idna/host.ts";
import type { Technique } from "../engine/brand/model.ts";
import { lookAlikeLetters } from "../engine/brand/names/confusables.ts";
import { type Host, maxLabelLength, normalizeHost } from "../engine/brand/names/host.ts";
import {
  bitNeighbors,
  digitsFor,
  keyboardNeighbors,
  otherVowels,
} from "../engine/brand/names/letter-confusions.ts";
import { quote } from "../errors.ts";

/** A technique that generates names. */
export type LookAlikeKind = Exclude<Technique, "exact" | "other">;

/** A generated name. */
export interface LookAlike {
  /** A registrable name with A-labels. */
  readonly domain: string;
  /** The technique that generated it. */
  readonly technique: LookAlikeKind;
  /** How often the technique was applied, from 1. */
  readonly changes: number;
}

/** How look-alikes are generated. */
export interface LookAlikeOptions {
  /** The techniques to use; all of `lookAlikeKinds` by default. */
  readonly kinds?: readonly LookAlikeKind[];
  /** Words for `combosquat`, instead of ten such as `login`. */
  readonly words?: readonly string[];
  /** Public suffixes for `tld-swap`, instead of fourteen such as `net`. */
  readonly suffixes?: readonly string[];
  /** Maximum number of letters that `homoglyph` replaces in one name, 1 to 63; 1 by default. */
  readonly maxChanges?: number;
  /** Maximum number of names, from 1; all by default. */
  readonly limit?: number;
}

/** The lists that are combined with a label, and how often a technique is applied. */
interface Lists {
  readonly words: readonly string[];
  readonly suffixes: readonly string[];
  readonly changes: number;
}

type Make = (host: Host & { readonly label: string }, lists: Lists) => Iterable<string>;

const alphabet = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const words = [
  "login",
  "secure",
  "account",
  "support",
  "verify",
  "pay",
  "online",
  "help",
  "service",
  "update",
];
const swappedSuffixes = [
  "com",
  "net",
  "org",
  "co",
  "io",
  "info",
  "biz",
  "app",
  "dev",
  "online",
  "site",
  "shop",
  "xyz",
  "top",
];

/** The generators by technique, the most specific first: a name belongs to the first technique that generates it. */
const makers: Readonly<Record<LookAlikeKind, Make>> = {
  homoglyph: onLabel((label, changes) => homoglyphs(label, changes)),
  hyphenation: onLabel((label) => gaps(label).map((i) => insert(label, i, "-"))),
  transposition: onLabel(swaps),
  omission: onLabel((label) => positions(label).map((i) => replace(label, i, ""))),
  repetition: onLabel((label) => positions(label).map((i) => insert(label, i, label.charAt(i)))),
  "vowel-swap": onLabel((label) => replaceEach(label, otherVowels)),
  "keyboard-neighbour": onLabel((label) => replaceEach(label, keyboardNeighbors)),
  bitsquat: onLabel((label) => replaceEach(label, bitNeighbors)),
  replacement: onLabel((label) => replaceEach(label, () => alphabet)),
  insertion: onLabel((label) => [
    ...[0, ...gaps(label), label.length].flatMap((i) => alphabet.map((c) => insert(label, i, c))),
    ...plurals(label),
  ]),
  combosquat: combosquats,
  "embedded-suffix": embeddedSuffixes,
  subdomain: subdomains,
  "tld-swap": ({ label, suffix }, { suffixes }) =>
    suffixes.filter((s) => s !== suffix).map((s) => `${label}.${s}`),
};

/** All techniques, the most specific first. */
export const lookAlikeKinds = Object.keys(makers) as LookAlikeKind[];

const lookAlikeOptions = optionsOf<LookAlikeOptions>("lookAlikes", {
  kinds: anyValue,
  words: anyValue,
  suffixes: anyValue,
  maxChanges: anyValue,
  limit: anyValue,
});

/**
 * Generates look-alikes of a domain, each name once, those of fewer changes first.
 *
 * @example
 * ```ts
 * [...lookAlikes("paypal.com", { kinds: ["transposition"] })].map((made) => made.domain);
 * // => ["apypal.com", "pyapal.com", "papyal.com", "payapl.com", "paypla.com"]
 * ```
 * @param domain a host name; labels left of the registrable one are ignored
 * @throws {TypeError} for a name without a registrable label, an unknown technique, and an option that does not exist
 * @throws {RangeError} for a number that is out of range
 */
export function* lookAlikes(
  domain: string,
  options: LookAlikeOptions = {},
): Generator<LookAlike, void, undefined> {
  requireArgument("options", options, lookAlikeOptions);
  const host = hostOf(domain);
  const { limit = Number.MAX_SAFE_INTEGER } = options;
  checkRange("limit", limit, Number.MAX_SAFE_INTEGER);
  const seen = new Set([domainToAscii(host.suffix === "" ? host.label : `${host.label}.${host.suffix}`)]);
  for (const { name, technique, changes } of namesOf(host, options)) {
    const made = isName(name) ? domainToAscii(name) : "";
    if (made === "" || seen.has(made)) continue;
    seen.add(made);
    yield { domain: made, technique, changes };
    if (seen.size > limit) return;
  }
}

/** Names as they are made: repeated ones, and some that cannot be registered. */
function* namesOf(host: Host & { readonly label: string }, options: LookAlikeOptions) {
  const { kinds = lookAlikeKinds, suffixes = swappedSuffixes, maxChanges = 1 } = options;
  checkRange("maxChanges", maxChanges, maxLabelLength);
  for (let changes = 1; changes <= maxChanges; changes++) {
    for (const technique of kinds.filter((kind) => changes === 1 || kind === "homoglyph")) {
      const lists = { words: options.words ?? words, suffixes, changes };
      for (const name of makerOf(technique)(host, lists)) yield { name, technique, changes };
    }
  }
}

function makerOf(technique: LookAlikeKind): Make {
  const make =
    typeof technique === "string" && Object.hasOwn(makers, technique) ? makers[technique] : undefined;
  if (make !== undefined) return make;
  throw new TypeError(`\`kinds\` must have only ${lookAlikeKinds.join(", ")}; found ${quote(technique)}.`);
}

function checkRange(name: "limit" | "maxChanges", value: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? "from 1" : `from 1 to ${max}`;
  throw new RangeError(`\`${name}\` must be an integer ${range}; found ${quote(value)}.`);
}

function hostOf(domain: string): Host & { readonly label: string } {
  const result = normalizeHost(domain);
  if (!result.ok) throw new TypeError(result.problems[0].message);
  const { label } = result.value;
  if (label === undefined)
    throw new TypeError(`The domain must have a registrable label, such as paypal.com; found \`${domain}\`.`);
  return { ...result.value, label };
}

/** The name with A-labels; empty when it cannot be encoded. */
/** Whether the labels can be registered: no hyphen at an end, or at the third and fourth position. */
function isName(name: string): boolean {
  return name.split(".").every((label) => {
    return label !== "" && label.length <= maxLabelLength && !/^-|-$|^..--/.test(label);
  });
}

function onLabel(make: (label: string, changes: number) => Iterable<string>): Make {
  return function* ({ label, suffix }, { changes }) {
    for (const made of make(label, changes)) yield suffix === "" ? made : `${made}.${suffix}`;
  };
}

/** The positions of all letters. */
function positions(label: string): number[] {
  return Array.from({ length: label.length }, (_, i) => i);
}

/** The positions between two letters. */
function gaps(label: string): number[] {
  return positions(label).slice(1);
}

function insert(label: string, at: number, letter: string): string {
  return label.slice(0, at) + letter + label.slice(at);
}

function replace(label: string, at: number, letter: string): string {
  return label.slice(0, at) + letter + label.slice(at + 1);
}

function replaceEach(label: string, lettersFor: (letter: string) => readonly string[]): string[] {
  return positions(label).flatMap((i) =>
    lettersFor(label.charAt(i)).map((letter) => replace(label, i, letter)),
  );
}

function swaps(label: string): string[] {
  return gaps(label).map((i) => label.slice(0, i - 1) + label[i] + label[i - 1] + label.slice(i + 1));
}

/** `es` after a sibilant at the end; the `s` of other plurals is among the insertions. */
function plurals(label: string): string[] {
  return /[sxz]$/.test(label) ? [`${label}es`] : [];
}

/** Words before and after the label, and the prefixes and suffixes of addresses: `wwwpaypal`, `paypal-com`. */
function combosquats(
  { label, suffix }: Host & { readonly label: string },
  { words: given }: Lists,
): string[] {
  const joined = suffix.replaceAll(".", "");
  const ends = joined === "" ? ["com"] : [...new Set([joined, "com"])];
  const made = [
    ...given.flatMap((w) => [`${w}-${label}`, `${label}-${w}`, w + label, label + w]),
    ...["ww", "www", "www-", "http-", "https-"].map((prefix) => prefix + label),
    ...ends.map((end) => label + end),
    // With a hyphen before it, a country's suffix is an embedded one.
    ...ends.filter((end) => !isEmbeddable(end)).map((end) => `${label}-${end}`),
  ];
  return suffix === "" ? made : made.map((name) => `${name}.${suffix}`);
}

/** Letters that look like a sequence of letters. */
const sequences = [
  ["m", "rn"],
  ["w", "vv"],
  ["d", "cl"],
] as const;

/** Replaces so many letters, or letters and sequences by each other. */
function homoglyphs(label: string, changes: number): Iterable<string> {
  const places = positions(label).map((i) => [
    ...lettersLike(label.charAt(i), changes).map((other) => ({ length: 1, other })),
    ...sequences.flatMap(([letter, sequence]) => [
      ...(label[i] === letter ? [{ length: 1, other: sequence }] : []),
      ...(label.startsWith(sequence, i) ? [{ length: sequence.length, other: letter }] : []),
    ]),
  ]);
  return replaceSome(label, places, 0, changes);
}

/** Letters that look like a letter; as the only change also the digit that is read as it, which no skeleton shares. */
function lettersLike(letter: string, changes: number): readonly string[] {
  const digit = changes === 1 ? digitsFor[letter] : undefined;
  const letters = lookAlikeLetters(letter);
  return digit === undefined || letters.includes(digit) ? letters : [...letters, digit];
}

/** Strings for a letter or a sequence of letters, by the position of the first one. */
type Replacements = readonly (readonly { readonly length: number; readonly other: string }[])[];

/** The label from a position on, with so many replacements. */
function* replaceSome(label: string, places: Replacements, from: number, count: number): Iterable<string> {
  if (count === 0) yield label.slice(from);
  else
    for (let i = from; i < label.length; i++)
      for (const { length, other } of places[i] ?? [])
        for (const rest of replaceSome(label, places, i + length, count - 1))
          yield label.slice(from, i) + other + rest;
}

/** Public suffixes that are often put inside a name (`chosen`). */
const embedded = ["co.uk", "co.jp", "com.br", "com.au", "com.mx", "co.in"];

/** A public suffix after the label, and a further one at the end. */
function* embeddedSuffixes({ label, suffix }: Host & { readonly label: string }): Iterable<string> {
  const end = suffix === "" ? "com" : suffix;
  const inner = isEmbeddable(suffix) ? [suffix, ...embedded] : embedded;
  if (isEmbeddable(suffix)) yield* wordsAfter(`${label}.${suffix}`, suffix);
  for (const inside of new Set(inner)) {
    yield `${label}-${inside.replaceAll(".", "-")}.${inside === end ? "com" : end}`;
    yield `${label}.${inside}.${words[0]}.${end}`;
  }
}

/** Two or more labels, or a country's two letters. */
function isEmbeddable(suffix: string): boolean {
  return suffix.includes(".") || suffix.length === 2;
}

/** A name as the subdomain of other names. */
function wordsAfter(name: string, suffix: string): string[] {
  return words.map((word) => `${name}.${word}.${suffix || "com"}`);
}

/** The label split by a dot, and the whole name as a subdomain of another. */
function* subdomains({ label, suffix }: Host & { readonly label: string }): Iterable<string> {
  const end = suffix === "" ? "" : `.${suffix}`;
  for (const i of gaps(label)) yield insert(label, i, ".") + end;
  if (!isEmbeddable(suffix)) yield* wordsAfter(label + end, suffix);
}
