/**
 * Look-alikes of a domain, made by the techniques that impersonators use: what to feed to a matcher, and to expect it to find and name.
 * Deterministic and lazy. The techniques are those of the common generators; words and suffixes are `chosen`.
 */
import { domainToASCII } from "node:url";
import type { Technique } from "../engine/brand/model.ts";
import { lookAlikeLetters } from "../engine/brand/names/confusables.ts";
import { type Host, maxLabelLength, normalizeHost } from "../engine/brand/names/host.ts";
import { bitNeighbors, keyboardNeighbors, otherVowels } from "../engine/brand/names/letter-confusions.ts";

/** A technique that makes another name. */
export type LookAlikeKind = Exclude<Technique, "exact" | "other">;

export interface LookAlike {
  /** A registrable name, in A-labels where it has letters beyond ASCII. */
  readonly domain: string;
  readonly technique: LookAlikeKind;
}

export interface LookAlikeOptions {
  /** Default: all, in the order of `lookAlikeKinds`. */
  readonly kinds?: readonly LookAlikeKind[];
}

type Make = (host: Host & { readonly label: string }) => Iterable<string>;

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

/** How each technique makes names, the more telling first: a name that two of them make is the first one's. */
const makers: Readonly<Record<LookAlikeKind, Make>> = {
  homoglyph: onLabel(homoglyphs),
  hyphenation: onLabel((label) => gaps(label).map((i) => insert(label, i, "-"))),
  transposition: onLabel(swaps),
  omission: onLabel((label) => places(label).map((i) => replace(label, i, ""))),
  repetition: onLabel((label) => places(label).map((i) => insert(label, i, label[i]!))),
  "vowel-swap": onLabel((label) => replaceEach(label, otherVowels)),
  "keyboard-neighbor": onLabel((label) => replaceEach(label, keyboardNeighbors)),
  bitsquat: onLabel((label) => replaceEach(label, bitNeighbors)),
  replacement: onLabel((label) => replaceEach(label, () => alphabet)),
  insertion: onLabel((label) =>
    [0, ...gaps(label), label.length].flatMap((i) => alphabet.map((c) => insert(label, i, c))),
  ),
  combosquat: onLabel((label) =>
    words.flatMap((w) => [`${w}-${label}`, `${label}-${w}`, w + label, label + w]),
  ),
  subdomain: subdomains,
  "tld-swap": ({ label, suffix }) => swappedSuffixes.filter((s) => s !== suffix).map((s) => `${label}.${s}`),
};

/** All techniques, the more telling first. */
export const lookAlikeKinds = Object.keys(makers) as LookAlikeKind[];

/**
 * Generates look-alikes of a domain, each name once.
 *
 * @example
 * ```ts
 * [...lookAlikes("paypal.com", { kinds: ["transposition"] })].map((made) => made.domain);
 * // => ["apypal.com", "pyapal.com", "papyal.com", "payapl.com", "paypla.com"]
 * ```
 * @param domain a registrable name; labels left of it are ignored
 * @throws {TypeError} for what has no registrable label, and for a technique that does not exist
 */
export function* lookAlikes(
  domain: string,
  options: LookAlikeOptions = {},
): Generator<LookAlike, void, undefined> {
  const host = hostOf(domain);
  const seen = new Set([asciiOf(host.suffix === "" ? host.label : `${host.label}.${host.suffix}`)]);
  for (const technique of options.kinds ?? lookAlikeKinds) {
    const make = Object.hasOwn(makers, technique) ? makers[technique] : undefined;
    if (make === undefined) {
      throw new TypeError(
        `There is no technique ${String(technique)}: use one of ${lookAlikeKinds.join(", ")}.`,
      );
    }
    for (const name of make(host)) {
      const made = isName(name) ? asciiOf(name) : "";
      if (made === "" || seen.has(made)) continue;
      seen.add(made);
      yield { domain: made, technique };
    }
  }
}

function hostOf(domain: string): Host & { readonly label: string } {
  const result = normalizeHost(domain);
  if (!result.ok) throw new TypeError(result.problems[0].message);
  const { label } = result.value;
  if (label === undefined)
    throw new TypeError(`${domain} has no registrable label: give a name like paypal.com.`);
  return { ...result.value, label };
}

/** The form in which names are registered; empty for what cannot be. */
function asciiOf(name: string): string {
  return domainToASCII(name);
}

/** Labels that may be registered: no hyphen at an end, or at the third and fourth place. */
function isName(name: string): boolean {
  return name.split(".").every((label) => {
    return label !== "" && label.length <= maxLabelLength && !/^-|-$|^..--/.test(label);
  });
}

function onLabel(make: (label: string) => Iterable<string>): Make {
  return function* ({ label, suffix }) {
    for (const made of make(label)) yield suffix === "" ? made : `${made}.${suffix}`;
  };
}

/** Every letter's place. */
function places(label: string): number[] {
  return Array.from({ length: label.length }, (_, i) => i);
}

/** Every place between two letters. */
function gaps(label: string): number[] {
  return places(label).slice(1);
}

function insert(label: string, at: number, letter: string): string {
  return label.slice(0, at) + letter + label.slice(at);
}

function replace(label: string, at: number, letter: string): string {
  return label.slice(0, at) + letter + label.slice(at + 1);
}

function replaceEach(label: string, lettersFor: (letter: string) => readonly string[]): string[] {
  return places(label).flatMap((i) => lettersFor(label[i]!).map((letter) => replace(label, i, letter)));
}

function swaps(label: string): string[] {
  return gaps(label).map((i) => label.slice(0, i - 1) + label[i] + label[i - 1] + label.slice(i + 1));
}

/** One letter, or the two letters `rn` and the m, at a time. */
function* homoglyphs(label: string): Iterable<string> {
  yield* replaceEach(label, lookAlikeLetters);
  for (const i of places(label)) {
    if (label[i] === "m") yield replace(label, i, "rn");
    if (label.startsWith("rn", i)) yield `${label.slice(0, i)}m${label.slice(i + 2)}`;
  }
}

/** The label split by a dot, and the whole name left of another one. */
function* subdomains({ label, suffix }: Host & { readonly label: string }): Iterable<string> {
  const end = suffix === "" ? "" : `.${suffix}`;
  for (const i of gaps(label)) yield insert(label, i, ".") + end;
  for (const word of words) yield `${label}${end}.${word}${end || ".com"}`;
}
