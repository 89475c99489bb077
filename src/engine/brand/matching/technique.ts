/**
 * Classifies how a look-alike was derived from a pattern (`chosen`; the names are those that generators of look-alikes
 * use). The first rule that explains the text decides: a digit one for an l is a homoglyph, not a replacement.
 */

import type { Channel, MatchRule, Span, Technique } from "../model.ts";
import { separators } from "../names/channel-text.ts";
import { type DerivedForms, derivedFormsOf } from "../names/derived-forms.ts";
import { type Host, splitHost } from "../names/host.ts";
import { isDigitFor, replacements } from "../names/letter-confusions.ts";
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
  readonly rule: Pick<MatchRule, "onlyWithEmbeddedSuffix">;
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
  /** The span holds the pattern itself. */
  readonly isPlain: boolean;
  /** The span looks like the pattern. */
  readonly isLookAlike: boolean;
  /** Where the span starts in the text. */
  readonly start: number;
  /** The text at the span. */
  readonly found: string;
  /** The labels are left of the registrable one. */
  readonly inSubdomain: boolean;
  readonly host: Host;
  readonly parts: NameParts;
  /** In code points of the host. */
  readonly span: Span;
}

/** Prepares a name for the classification of any number of patterns. */
export function createNameContext(parts: NameParts): NameContext {
  const text = derivedFormsOf(parts.split.text);
  return { parts, text, host: derivedFormsOf(parts.host), lastLabels: text };
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
  // In order of precedence.
  return (
    classifyTldSwap(context) ??
    classifyEmbeddedSuffix(context) ??
    classifySplit(context) ??
    classifyWholeLabel(context) ??
    classifyPlainOccurrence(context) ??
    classifyHiddenOccurrence(context) ??
    classifyEdits(pattern.text, context.found, match.distance) ??
    (match.rule.onlyWithEmbeddedSuffix ? "embedded-suffix" : "other")
  );
}

function createPatternContext(
  pattern: DerivedForms,
  { channel, distance, span }: LocatedPattern,
  name: NameContext,
): PatternContext {
  const { parts } = name;
  const text = hasDots(pattern) ? name.host : name.text;
  const start = parts.unitAt(span.start);
  const end = parts.unitAt(span.end);
  const to = hasDots(text) ? text.text.indexOf(".", end) : -1;
  return {
    pattern,
    text,
    isPlain: channel === "plain" && distance === 0,
    isLookAlike: channel === "confusables" && distance === 0,
    start,
    labels: hasDots(text) ? labelsAround(name, text.text, start, to) : text,
    found: text.text.slice(start, end),
    inSubdomain: to >= 0 && to < parts.split.text.length,
    host: parts.split,
    parts,
    span,
  };
}

/** Compares two strings that are the same one unless there are dots. */
function hasDots(forms: DerivedForms): boolean {
  return forms.withoutDots() !== forms.text;
}

/** Looks suffixes up, which takes longer than the other rules together. */
function isBeforeSuffix(parts: NameParts, { end }: Span): boolean {
  const next = parts.points()[end];
  if (next === undefined || !separators.has(next)) return false;
  return parts.embeddedSuffixes().some(({ start }) => start === end + 1);
}

/** The labels of a string from the one of `start` up to the dot at `to`; up to its end when `to` is negative. */
function labelsAround(name: NameContext, text: string, start: number, to: number): DerivedForms {
  const from = start === 0 ? 0 : text.lastIndexOf(".", start - 1) + 1;
  const labels = text.slice(from, to < 0 ? undefined : to);
  if (name.lastLabels.text !== labels)
    name.lastLabels = labels === name.text.text ? name.text : derivedFormsOf(labels);
  return name.lastLabels;
}

/** A pattern with a public suffix, found with another suffix. */
function classifyTldSwap({ pattern, host }: PatternContext): Technique | undefined {
  if (!hasDots(pattern)) return undefined;
  const target = splitHost(pattern.text);
  const same = target.label !== undefined && target.label === host.label;
  return same && target.suffix !== host.suffix ? "tld-swap" : undefined;
}

/** The pattern itself, and after it a public suffix that is not the name's own: `paypal.co.jp.example.com`. */
function classifyEmbeddedSuffix({ isPlain, parts, span }: PatternContext): Technique | undefined {
  return isPlain && isBeforeSuffix(parts, span) ? "embedded-suffix" : undefined;
}

/** The searched text without its dots equals the pattern. */
function classifySplit({ pattern, text }: PatternContext): Technique | undefined {
  return hasDots(text) && text.withoutDots() === pattern.text ? "subdomain" : undefined;
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
function classifyHiddenOccurrence({
  pattern,
  text,
  start,
  isLookAlike,
}: PatternContext): Technique | undefined {
  if (isHidden(pattern, text, pattern.skeleton(), text.skeleton())) return "homoglyph";
  if (isHidden(pattern, text, pattern.withoutHyphens(), text.withoutHyphens())) return "hyphenation";
  if (isHidden(pattern, text, pattern.withoutDots(), text.withoutDots())) return "subdomain";
  const isSwapped =
    isSwap(pattern.text, text.text, start) ||
    isSwap(pattern.text, text.text, start - 1) ||
    isSwap(pattern.text, text.text, start + 1);
  if (isSwapped) return "transposition";
  return isLookAlike ? "homoglyph" : undefined;
}

/** Whether a derived form of the text contains the same form of the pattern. */
function isHidden(pattern: DerivedForms, text: DerivedForms, target: string, searched: string): boolean {
  // Equal forms are the plain text, which an earlier rule compares.
  if (searched === text.text && target === pattern.text) return false;
  return target !== "" && searched.includes(target);
}

/** The technique of edits of one kind; undefined for mixed edits and for more than `maxReplaced` replaced letters. */
function classifyEdits(pattern: string, found: string, maxReplaced: number): Technique | undefined {
  if (found.length < pattern.length) return isSubsequence(found, pattern) ? "omission" : undefined;
  if (found.length > pattern.length) {
    if (!isSubsequence(pattern, found)) return undefined;
    return isRepetition(pattern, found) ? "repetition" : "insertion";
  }
  // Such as p4yp4l: however many there are.
  if (areReplaced(pattern, found, isDigitFor)) return "homoglyph";
  if (countReplaced(pattern, found) > maxReplaced) return undefined;
  for (const [technique, test] of replacements) if (areReplaced(pattern, found, test)) return technique;
  return "replacement";
}

/** Whether a longer string is the pattern with letters repeated. */
function isRepetition(pattern: string, found: string): boolean {
  // Without a repeated letter it stays longer than the pattern.
  return hasRepeats(found) && withoutRepeats(found) === withoutRepeats(pattern);
}

/** Whether a string may have a repeated letter; true for every one with a letter of two UTF-16 units. */
function hasRepeats(text: string): boolean {
  let before = -1;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === before || (c >= 0xd800 && c < 0xe000)) return true;
    before = c;
  }
  return false;
}

function withoutRepeats(text: string): string {
  return text.replace(/(.)\1+/gu, "$1");
}

/** Whether the text from `at` is the pattern with two neighbors swapped. */
function isSwap(pattern: string, text: string, at: number): boolean {
  if (at < 0 || at + pattern.length > text.length) return false;
  let i = 0;
  while (i < pattern.length && pattern.charCodeAt(i) === text.charCodeAt(at + i)) i++;
  if (i + 1 >= pattern.length) return false;
  const swapped =
    pattern.charCodeAt(i) === text.charCodeAt(at + i + 1) &&
    pattern.charCodeAt(i + 1) === text.charCodeAt(at + i);
  return swapped && text.startsWith(pattern.slice(i + 2), at + i + 2);
}

/** Whether `long` contains the letters of `short` in their order. */
function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (let i = 0; i < long.length && at < short.length; i++)
    if (short.charCodeAt(at) === long.charCodeAt(i)) at += 1;
  return at >= short.length;
}

/** The number of places at which two strings of the same length differ. */
function countReplaced(from: string, to: string): number {
  let count = 0;
  for (let i = 0; i < from.length; i++) if (from.charCodeAt(i) !== to.charCodeAt(i)) count += 1;
  return count;
}

/** Whether a test accepts each pair of letters at which two strings of the same length differ. */
function areReplaced(from: string, to: string, test: (from: string, to: string) => boolean): boolean {
  for (let i = 0; i < from.length; i++) {
    if (from.charCodeAt(i) !== to.charCodeAt(i) && !test(from.charAt(i), to.charAt(i))) return false;
  }
  return true;
}
