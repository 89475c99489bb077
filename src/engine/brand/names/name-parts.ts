/** The parts of a name as ranges of code points. */

import type { MatchMode, Span } from "../model.ts";
import { codePoints } from "./alphabet.ts";
import { type Host, splitHost } from "./host.ts";

export interface NameParts {
  readonly host: string;
  readonly split: Host;
  readonly points: readonly number[];
  /** Converts an offset in code points to one in UTF-16 units. */
  unitAt(point: number): number;
  /** The host without its public suffix. */
  readonly text: Span;
  /** The registrable label and the registrable domain; undefined when the host has none. */
  readonly label: Span | undefined;
  readonly domain: Span | undefined;
}

/** Splits a normalized host. */
export function namePartsOf(host: string): NameParts {
  const split = splitHost(host);
  const points = codePoints(host);
  const isPlain = points.length === host.length;
  const lengthOf = (text: string) => (isPlain ? text.length : codePoints(text).length);
  const text = { start: 0, end: lengthOf(split.text) };
  const labelled = split.label !== undefined;
  const start = text.end - lengthOf(split.label ?? "");
  return {
    host,
    split,
    points,
    text,
    label: labelled ? { start, end: text.end } : undefined,
    domain: labelled ? { start, end: points.length } : undefined,
    unitAt: (point) => (isPlain ? point : String.fromCodePoint(...points.slice(0, point)).length),
  };
}

/**
 * The part of a name in which patterns are searched. In mode `label`, a pattern with a dot is compared with the
 * registrable domain: the label, the dot and the public suffix (`chosen`).
 */
export function searchedPart(name: NameParts, mode: MatchMode, dotted: boolean): Span | undefined {
  if (mode === "label") return dotted ? name.domain : name.label;
  return dotted ? { start: 0, end: name.points.length } : name.text;
}
