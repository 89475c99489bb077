/** The parts of a name as ranges of code points. */

import type { MatchMode, Span } from "../model.ts";
import { codePoints } from "./alphabet.ts";
import { separators } from "./channel-text.ts";
import { once } from "./derived-forms.ts";
import { embeddedSuffixesOf } from "./embedded-suffix.ts";
import { type Host, splitHost } from "./host.ts";

export interface NameParts {
  readonly host: string;
  readonly split: Host;
  /** Its code points, and their number. */
  points(): readonly number[];
  readonly length: number;
  /** Converts an offset in code points to one in UTF-16 units. */
  unitAt(point: number): number;
  /** The host without its public suffix. */
  readonly text: Span;
  /** The registrable label and the registrable domain; undefined when the host has none. */
  readonly label: Span | undefined;
  readonly domain: Span | undefined;
  /** The parts between separators, also empty ones. */
  tokens(): readonly Span[];
  /** Public suffixes inside the host, see `embedded-suffix.ts`. */
  embeddedSuffixes(): readonly Span[];
}

/** Half of a code point of two UTF-16 units. */
const surrogate = /[\ud800-\udfff]/;

/** Splits a normalized host. */
export function namePartsOf(host: string): NameParts {
  const split = splitHost(host);
  const isPlain = !surrogate.test(host);
  const points = once(() => codePoints(host));
  const length = isPlain ? host.length : points().length;
  const lengthOf = (text: string) => (isPlain ? text.length : codePoints(text).length);
  const text = { start: 0, end: lengthOf(split.text) };
  const labelled = split.label !== undefined;
  const start = text.end - lengthOf(split.label ?? "");
  const tokens = once(() => tokensOf(points()));
  return {
    host,
    split,
    points,
    length,
    text,
    label: labelled ? { start, end: text.end } : undefined,
    domain: labelled ? { start, end: length } : undefined,
    unitAt: (point) => (isPlain ? point : String.fromCodePoint(...points().slice(0, point)).length),
    tokens,
    embeddedSuffixes: once(() => embeddedSuffixesOf(points(), tokens(), text.end)),
  };
}

function tokensOf(points: readonly number[]): Span[] {
  const tokens: Span[] = [];
  let start = 0;
  for (let i = 0; i <= points.length; i++) {
    const c = points[i];
    if (c !== undefined && !separators.has(c)) continue;
    tokens.push({ start, end: i });
    start = i + 1;
  }
  return tokens;
}

/** Patterns that are compared with the same parts of a name. */
export interface PartSelection {
  readonly mode: MatchMode;
  readonly dotted: boolean;
  readonly runLength: number;
}

/**
 * The parts of a name in which patterns are searched. In mode `label`, a pattern with a dot is compared with the
 * registrable domain: the label, the dot and the public suffix (`chosen`).
 */
export function searchedParts(name: NameParts, { mode, dotted, runLength }: PartSelection): readonly Span[] {
  const host = { start: 0, end: name.length };
  if (mode === "contains") return [dotted ? host : name.text];
  if (mode === "token") return runsOf(name.tokens(), runLength, dotted ? host.end : name.text.end);
  const part = dotted ? name.domain : name.label;
  return part ? [part] : [];
}

/** Neighboring parts and the separators between them, up to an end; an empty part alone is left out. */
function runsOf(tokens: readonly Span[], runLength: number, limit: number): readonly Span[] {
  const runs: Span[] = [];
  for (const [i, { start }] of tokens.entries()) {
    const end = tokens[i + runLength - 1]?.end;
    if (end !== undefined && end <= limit && end > start) runs.push({ start, end });
  }
  return runs;
}
