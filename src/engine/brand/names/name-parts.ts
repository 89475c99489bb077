/** One name under comparison, its parts as ranges of code points. */

import type { MatchMode, Span } from "../model.ts";
import { codePoints } from "./alphabet.ts";
import { type Host, splitHost } from "./host.ts";

export interface Subject {
  readonly host: string;
  readonly parts: Host;
  readonly points: readonly number[];
  /** The place in UTF-16 units of a place in code points. */
  unitAt(point: number): number;
  /** The host without its public suffix. */
  readonly text: Span;
  /** The registrable label, and the registrable domain; undefined where there is none. */
  readonly label: Span | undefined;
  readonly domain: Span | undefined;
}

/** Takes a normalised host apart. */
export function subjectOf(host: string): Subject {
  const parts = splitHost(host);
  const points = codePoints(host);
  const isPlain = points.length === host.length;
  const lengthOf = (text: string) => (isPlain ? text.length : codePoints(text).length);
  const text = { start: 0, end: lengthOf(parts.text) };
  const labelled = parts.label !== undefined;
  const start = text.end - lengthOf(parts.label ?? "");
  return {
    host,
    parts,
    points,
    text,
    label: labelled ? { start, end: text.end } : undefined,
    domain: labelled ? { start, end: points.length } : undefined,
    unitAt: (point) => (isPlain ? point : String.fromCodePoint(...points.slice(0, point)).length),
  };
}

/**
 * The part of a name in which a pattern is sought. With `label`, a pattern with a dot is compared with the registrable
 * domain, which is the label with the dot and suffix that such a pattern asks for (`chosen`).
 */
export function searchedPart(subject: Subject, mode: MatchMode, dotted: boolean): Span | undefined {
  if (mode === "label") return dotted ? subject.domain : subject.label;
  return dotted ? { start: 0, end: subject.points.length } : subject.text;
}
