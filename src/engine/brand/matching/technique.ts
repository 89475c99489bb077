/**
 * Classifies how a look-alike was derived from a pattern (`chosen`; the names are those that generators of look-alikes
 * use). The first rule that explains the text decides: a digit one for an l is a homoglyph, not a replacement.
 */

import type { Channel, MatchRule, Span, Technique } from "../model.ts";
import { separators } from "../names/channel-text.ts";
import { type DerivedForms, derivedFormsOf } from "../names/derived-forms.ts";
import { type Host, splitHost } from "../names/host.ts";
import { replacements } from "../names/letter-confusions.ts";
import type { NameParts } from "../names/name-parts.ts";

/** A name in which patterns were found. */
export interface NameContext {
  readonly parts: NameParts;
  /** The part that patterns without a dot are searched in; `host` is the one for patterns with a dot. */
  readonly text: DerivedForms;
  readonly host: DerivedForms;
  /** The labels of the last match: patterns are often found in the same ones. */
  lastLabels: DerivedForms;
}

/** The members of a match that decide its technique. */
export interface LocatedPattern {
  readonly rule: MatchRule;
  readonly channel: Channel;
  readonly distance: number;
  readonly span: Span;
}

/** A pattern, and the text around its match. */
interface PatternContext {
  readonly pattern: DerivedForms;
  /** The part that was searched. */
  readonly text: DerivedForms;
  /** The labels that the span touches. */
  readonly labels: DerivedForms;
  readonly distance: number;
  /** The span holds the pattern itself. */
  readonly isPlain: boolean;
  /** Where the span starts in the text. */
  readonly start: number;
  /** The text at the span. */
  readonly found: string;
  /** The labels are left of the registrable one. */
  readonly inSubdomain: boolean;
  readonly host: Host;
  /** A public suffix inside the name follows the span. */
  readonly beforeSuffix: boolean;
  readonly rule: MatchRule;
}

type Rule = (context: PatternContext) => Technique | undefined;

/** In order of precedence. */
const rules: readonly Rule[] = [
  classifyTldSwap,
  classifyEmbeddedSuffix,
  classifySplit,
  classifyWholeLabel,
  classifyPlainOccurrence,
  classifyHiddenOccurrence,
  ({ pattern, found, distance }) => classifyEdits(pattern.text, found, distance),
  ({ rule }) => (rule.onlyWithEmbeddedSuffix ? "embedded-suffix" : undefined),
];

/** Prepares a name for the classification of any number of patterns. */
export function createNameContext(parts: NameParts): NameContext {
  return {
    parts,
    text: derivedFormsOf(parts.split.text),
    host: derivedFormsOf(parts.host),
    lastLabels: derivedFormsOf(""),
  };
}

/**
 * The technique of an occurrence of a normalized pattern.
 *
 * @param match its span is in code points of the host
 */
export function classifyTechnique(
  pattern: DerivedForms,
  match: LocatedPattern,
  name: NameContext,
): Technique {
  const context = createPatternContext(pattern, match, name);
  for (const rule of rules) {
    const technique = rule(context);
    if (technique !== undefined) return technique;
  }
  return "other";
}

function createPatternContext(
  pattern: DerivedForms,
  { rule, channel, distance, span }: LocatedPattern,
  name: NameContext,
): PatternContext {
  const { parts } = name;
  const text = pattern.text.includes(".") ? name.host : name.text;
  const start = parts.unitAt(span.start);
  const end = parts.unitAt(span.end);
  const from = text.text.lastIndexOf(".", start - 1) + 1;
  const to = text.text.indexOf(".", end);
  return {
    pattern,
    text,
    distance,
    isPlain: channel === "plain" && distance === 0,
    start,
    labels: labelForms(name, text.text.slice(start === 0 ? 0 : from, to < 0 ? undefined : to)),
    found: text.text.slice(start, end),
    inSubdomain: to >= 0 && to < parts.split.text.length,
    host: parts.split,
    beforeSuffix: isBeforeSuffix(parts, span),
    rule,
  };
}

function isBeforeSuffix(parts: NameParts, { end }: Span): boolean {
  const next = parts.points[end];
  if (next === undefined || !separators.has(next)) return false;
  return parts.embeddedSuffixes().some(({ start }) => start === end + 1);
}

function labelForms(name: NameContext, text: string): DerivedForms {
  if (name.lastLabels.text !== text)
    name.lastLabels = text === name.text.text ? name.text : derivedFormsOf(text);
  return name.lastLabels;
}

/** A pattern with a public suffix, found with another suffix. */
function classifyTldSwap({ pattern, host }: PatternContext): Technique | undefined {
  if (!pattern.text.includes(".")) return undefined;
  const target = splitHost(pattern.text);
  const same = target.label !== undefined && target.label === host.label;
  return same && target.suffix !== host.suffix ? "tld-swap" : undefined;
}

/** The pattern itself, and after it a public suffix that is not the name's own: `paypal.co.jp.example.com`. */
function classifyEmbeddedSuffix({ isPlain, beforeSuffix }: PatternContext): Technique | undefined {
  return isPlain && beforeSuffix ? "embedded-suffix" : undefined;
}

/** The searched text without its dots equals the pattern. */
function classifySplit({ pattern, text }: PatternContext): Technique | undefined {
  const joined = text.withoutDots();
  return joined !== text.text && joined === pattern.text ? "subdomain" : undefined;
}

/** The label equals the pattern, or differs by one step. */
function classifyWholeLabel({ pattern, labels, inSubdomain }: PatternContext): Technique | undefined {
  const { text } = labels;
  if (text === pattern.text) return inSubdomain ? "subdomain" : "exact";
  if (labels.skeleton() === pattern.skeleton()) return "homoglyph";
  if (labels.withoutHyphens() === pattern.withoutHyphens()) return "hyphenation";
  const longer = text.length - pattern.text.length;
  if (longer === 0 && isSwap(pattern.text, text, 0)) return "transposition";
  return Math.abs(longer) > 1 ? undefined : classifyEdits(pattern.text, text, 1);
}

function classifyPlainOccurrence({ isPlain, inSubdomain }: PatternContext): Technique | undefined {
  if (!isPlain) return undefined;
  return inSubdomain ? "subdomain" : "combosquat";
}

/** A derived form of the text contains that of the pattern, or the pattern is beside the span with two letters swapped. */
function classifyHiddenOccurrence({ pattern, text, start }: PatternContext): Technique | undefined {
  const hidden = derivedForms.find(([form]) => isHidden(pattern, text, form));
  if (hidden) return hidden[1];
  const isSwapped = [start, start - 1, start + 1].some((at) => isSwap(pattern.text, text.text, at));
  return isSwapped ? "transposition" : undefined;
}

type FormName = "skeleton" | "withoutHyphens" | "withoutDots";

const derivedForms: readonly (readonly [FormName, Technique])[] = [
  ["skeleton", "homoglyph"],
  ["withoutHyphens", "hyphenation"],
  ["withoutDots", "subdomain"],
];

function isHidden(pattern: DerivedForms, text: DerivedForms, form: FormName): boolean {
  const searched = text[form]();
  const target = pattern[form]();
  // Equal forms are the plain text, which an earlier rule compares.
  if (searched === text.text && target === pattern.text) return false;
  return target !== "" && searched.includes(target);
}

/** The technique of edits of one kind; undefined for mixed edits and for more than `maxReplaced` replaced letters. */
function classifyEdits(pattern: string, found: string, maxReplaced: number): Technique | undefined {
  if (found.length < pattern.length) return isSubsequence(found, pattern) ? "omission" : undefined;
  if (found.length > pattern.length) {
    if (!isSubsequence(pattern, found)) return undefined;
    return withoutRepeats(found) === withoutRepeats(pattern) ? "repetition" : "insertion";
  }
  const pairs = replaced(pattern, found);
  if (pairs.length > maxReplaced) return undefined;
  const kind = replacements.find(([, test]) => pairs.every(([from, to]) => test(from, to)));
  return kind?.[0] ?? "replacement";
}

function withoutRepeats(text: string): string {
  return text.replace(/(.)\1+/gu, "$1");
}

/** Whether the text from `at` is the pattern with two neighbors swapped. */
function isSwap(pattern: string, text: string, at: number): boolean {
  if (at < 0 || at + pattern.length > text.length) return false;
  let i = 0;
  while (i < pattern.length && pattern[i] === text[at + i]) i++;
  const swapped = pattern[i] === text[at + i + 1] && pattern[i + 1] === text[at + i];
  return i + 1 < pattern.length && swapped && text.startsWith(pattern.slice(i + 2), at + i + 2);
}

/** Whether `long` contains the letters of `short` in their order. */
function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (let i = 0; i < long.length; i++) if (short[at] === long[i]) at += 1;
  return at >= short.length;
}

/** The pairs of letters at which two strings of the same length differ. */
function replaced(from: string, to: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i < from.length; i++) if (from[i] !== to[i]) pairs.push([from.charAt(i), to.charAt(i)]);
  return pairs;
}
