/**
 * Names how a look-alike was made of a pattern (`chosen`; the names are those that generators of look-alikes use). The first rule
 * that explains the text names it, so a digit one for an l is a homoglyph before it is a replaced letter.
 */

import type { Channel, Span, Technique } from "../model.ts";
import { type Forms, formsOf } from "../names/derived-forms.ts";
import { type Host, splitHost } from "../names/host.ts";
import { replacements } from "../names/letter-confusions.ts";
import type { Subject } from "../names/name-parts.ts";

/** A name in which patterns were found. */
export interface Scene {
  readonly subject: Subject;
  /** All that patterns without a dot, and with one, are sought in. */
  readonly text: Forms;
  readonly host: Forms;
  /** The forms of the labels in which something was found last; many patterns are found in the same. */
  lastLabels: Forms;
}

/** What naming needs to know of a hit. */
export interface NamedHit {
  readonly channel: Channel;
  readonly distance: number;
  readonly span: Span;
}

/** A pattern and where it was found, as text. */
interface Sighting {
  readonly pattern: Forms;
  /** All that was searched. */
  readonly text: Forms;
  /** The labels that the span touches. */
  readonly labels: Forms;
  readonly distance: number;
  /** The span holds the pattern itself. */
  readonly isPlain: boolean;
  /** Where the span starts in the text. */
  readonly start: number;
  /** What stands at the span. */
  readonly found: string;
  /** The labels stand left of the registrable one. */
  readonly inSubdomain: boolean;
  readonly host: Host;
}

type Rule = (sighting: Sighting) => Technique | undefined;

/** In the order in which they are tried. */
const rules: readonly Rule[] = [
  nameTldSwap,
  nameSplit,
  nameWholeLabel,
  namePlainOccurrence,
  nameHiddenOccurrence,
  ({ pattern, found, distance }) => nameEdits(pattern.text, found, distance),
];

/** Prepares a name for any number of patterns. */
export function sceneOf(subject: Subject): Scene {
  return { subject, text: formsOf(subject.parts.text), host: formsOf(subject.host), lastLabels: formsOf("") };
}

/**
 * Names the technique of an occurrence of a normalised pattern.
 *
 * @param hit its span is in code points of the host
 */
export function nameTechnique(pattern: Forms, hit: NamedHit, scene: Scene): Technique {
  const sighting = sightingOf(pattern, hit, scene);
  for (const rule of rules) {
    const technique = rule(sighting);
    if (technique !== undefined) return technique;
  }
  return "other";
}

function sightingOf(pattern: Forms, { channel, distance, span }: NamedHit, scene: Scene): Sighting {
  const { subject } = scene;
  const text = pattern.text.includes(".") ? scene.host : scene.text;
  const start = subject.unitAt(span.start);
  const end = subject.unitAt(span.end);
  const from = text.text.lastIndexOf(".", start - 1) + 1;
  const to = text.text.indexOf(".", end);
  return {
    pattern,
    text,
    distance,
    isPlain: channel === "plain" && distance === 0,
    start,
    labels: labelForms(scene, text.text.slice(start === 0 ? 0 : from, to < 0 ? undefined : to)),
    found: text.text.slice(start, end),
    inSubdomain: to >= 0 && to < subject.parts.text.length,
    host: subject.parts,
  };
}

function labelForms(scene: Scene, text: string): Forms {
  if (scene.lastLabels.text !== text)
    scene.lastLabels = text === scene.text.text ? scene.text : formsOf(text);
  return scene.lastLabels;
}

/** A pattern with a suffix, found with another suffix. */
function nameTldSwap({ pattern, host }: Sighting): Technique | undefined {
  if (!pattern.text.includes(".")) return undefined;
  const sought = splitHost(pattern.text);
  const same = sought.label !== undefined && sought.label === host.label;
  return same && sought.suffix !== host.suffix ? "tld-swap" : undefined;
}

/** The pattern with dots put in is all that there is. */
function nameSplit({ pattern, text }: Sighting): Technique | undefined {
  const joined = text.withoutDots();
  return joined !== text.text && joined === pattern.text ? "subdomain" : undefined;
}

/** The label is the pattern, or one step away from it. */
function nameWholeLabel({ pattern, labels, inSubdomain }: Sighting): Technique | undefined {
  const { text } = labels;
  if (text === pattern.text) return inSubdomain ? "subdomain" : "exact";
  if (labels.skeleton() === pattern.skeleton()) return "homoglyph";
  if (labels.withoutHyphens() === pattern.withoutHyphens()) return "hyphenation";
  const longer = text.length - pattern.text.length;
  if (longer === 0 && isSwap(pattern.text, text, 0)) return "transposition";
  return Math.abs(longer) > 1 ? undefined : nameEdits(pattern.text, text, 1);
}

function namePlainOccurrence({ isPlain, inSubdomain }: Sighting): Technique | undefined {
  if (!isPlain) return undefined;
  return inSubdomain ? "subdomain" : "combosquat";
}

/** The pattern stands in the text once both are read in another way, or beside the span with two letters swapped. */
function nameHiddenOccurrence({ pattern, text, start }: Sighting): Technique | undefined {
  const hidden = readings.find(([form]) => isHidden(pattern, text, form));
  if (hidden) return hidden[1];
  const isSwapped = [start, start - 1, start + 1].some((at) => isSwap(pattern.text, text.text, at));
  return isSwapped ? "transposition" : undefined;
}

type Form = "skeleton" | "withoutHyphens" | "withoutDots";

const readings: readonly (readonly [Form, Technique])[] = [
  ["skeleton", "homoglyph"],
  ["withoutHyphens", "hyphenation"],
  ["withoutDots", "subdomain"],
];

function isHidden(pattern: Forms, text: Forms, form: Form): boolean {
  const read = text[form]();
  const sought = pattern[form]();
  // Where nothing reads otherwise it is the plain text, which was looked at before.
  if (read === text.text && sought === pattern.text) return false;
  return sought !== "" && read.includes(sought);
}

/** Edits that are all of one kind; undefined when they are not, or when it took more than `most` replaced letters. */
function nameEdits(pattern: string, found: string, most: number): Technique | undefined {
  if (found.length < pattern.length) return isWithin(found, pattern) ? "omission" : undefined;
  if (found.length > pattern.length) {
    if (!isWithin(pattern, found)) return undefined;
    return withoutRepeats(found) === withoutRepeats(pattern) ? "repetition" : "insertion";
  }
  const pairs = replaced(pattern, found);
  if (pairs.length > most) return undefined;
  const kind = replacements.find(([, test]) => pairs.every(([from, to]) => test(from, to)));
  return kind?.[0] ?? "replacement";
}

function withoutRepeats(text: string): string {
  return text.replace(/(.)\1+/gu, "$1");
}

/** What stands in the text from `at` is the pattern with two neighbours swapped. */
function isSwap(pattern: string, text: string, at: number): boolean {
  if (at < 0 || at + pattern.length > text.length) return false;
  let i = 0;
  while (i < pattern.length && pattern[i] === text[at + i]) i++;
  const swapped = pattern[i] === text[at + i + 1] && pattern[i + 1] === text[at + i];
  return i + 1 < pattern.length && swapped && text.startsWith(pattern.slice(i + 2), at + i + 2);
}

/** The letters of `short` stand in `long` in their order. */
function isWithin(short: string, long: string): boolean {
  let at = 0;
  for (let i = 0; i < long.length; i++) if (short[at] === long[i]) at += 1;
  return at >= short.length;
}

/** The letters at which two texts of the same length differ. */
function replaced(from: string, to: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i < from.length; i++) if (from[i] !== to[i]) pairs.push([from[i]!, to[i]!]);
  return pairs;
}
