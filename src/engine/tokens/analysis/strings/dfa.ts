/**
 * Deterministic automata over UTF-16 code units: one for each comparison with a string, so that all of them can be
 * run over the same text at once and every combination of answers that any text gives is found.
 */

import { splitPattern } from "../../expression/wildcard.ts";

/** Reads a text unit by unit. States are integers; the text is in the language or not by the state at its end. */
export interface Automaton {
  readonly start: number;
  step(state: number, unit: string): number;
  /** What is known of a text that ends in this state: 0 is "no". */
  output(state: number): number;
  /** Units that are not all treated the same; all others are. */
  readonly units: ReadonlySet<string>;
}

/** The state from which nothing is accepted any more, in automata that have one. */
export const dead = -1;

/** Tells which of some texts the text is: the output is its place in the list, counted from 1. */
export function whichText(texts: readonly string[]): Automaton {
  const nodes: { next: Map<string, number>; output: number }[] = [{ next: new Map(), output: 0 }];
  for (const [i, text] of texts.entries()) {
    let at = 0;
    for (const unit of text.split("")) at = childOf(nodes, at, unit);
    nodes[at]!.output ||= i + 1;
  }
  return {
    start: 0,
    step: (state, unit) => (state === dead ? dead : (nodes[state]!.next.get(unit) ?? dead)),
    output: (state) => (state === dead ? 0 : nodes[state]!.output),
    units: new Set(texts.flatMap((text) => text.split(""))),
  };
}

function childOf(
  nodes: { next: Map<string, number>; output: number }[],
  parent: number,
  unit: string,
): number {
  const { next } = nodes[parent]!;
  const existing = next.get(unit);
  if (existing !== undefined) return existing;
  next.set(unit, nodes.length);
  return nodes.push({ next: new Map(), output: 0 }) - 1;
}

/** Tells whether the text contains a piece. */
export function containing(piece: string): Automaton {
  const search = createSearch(piece);
  const { length } = piece;
  return {
    start: 0,
    step: (state, unit) => (state === length ? length : search(state, unit)),
    output: (state) => (state === length ? 1 : 0),
    units: new Set(piece.split("")),
  };
}

/** Tells whether the text matches a wildcard pattern, with or without case of A to Z. */
export function matching(pattern: string, strict: boolean): Automaton {
  const fold = strict ? (unit: string) => unit : lowerAscii;
  const pieces = splitPattern(pattern).map((piece) => piece.split("").map(fold).join(""));
  const units = new Set(
    pieces.flatMap((piece) => piece.split("").flatMap((u) => (strict ? [u] : bothCases(u)))),
  );
  const inner = pieces.length === 1 ? whichText(pieces) : inOrder(pieces);
  return { ...inner, step: (state, unit) => inner.step(state, fold(unit)), units };
}

/** A text that starts with the first piece, ends with the last one, and has the others between them, in order. */
function inOrder(pieces: readonly string[]): Automaton {
  const [first = "", ...others] = pieces;
  const last = others.pop() ?? "";
  const phases = [...others.filter((piece) => piece !== ""), last];
  const searches = phases.map(createSearch);
  const starts = offsetsOf(phases, first.length);
  const lastStart = starts[phases.length - 1]!;
  const end = lastStart + last.length;

  function phaseOf(state: number): number {
    return starts.findLastIndex((start) => start <= state);
  }

  /** The place after a whole piece is the start of the next one. */
  function step(state: number, unit: string): number {
    if (state === dead) return dead;
    if (state < first.length) return first[state] === unit ? state + 1 : dead;
    const phase = phaseOf(state);
    const start = starts[phase]!;
    const at = searches[phase]!(state - start, unit);
    return at === phases[phase]!.length && phase < phases.length - 1 ? starts[phase + 1]! : start + at;
  }

  return { start: 0, step, output: (state) => (state === end ? 1 : 0), units: new Set() };
}

function offsetsOf(phases: readonly string[], from: number): number[] {
  let offset = from;
  return phases.map((piece) => {
    const start = offset;
    offset += piece.length;
    return start;
  });
}

/** Searching a piece unit by unit (Knuth, Morris and Pratt): how much of it the text so far ends with. */
function createSearch(piece: string): (at: number, unit: string) => number {
  const borders = [0];
  const search = (at: number, unit: string): number => {
    let length = at === piece.length ? (borders[at] ?? 0) : at;
    while (length > 0 && piece[length] !== unit) length = borders[length]!;
    return piece[length] === unit ? length + 1 : 0;
  };
  if (piece.length > 0) borders.push(0);
  for (let i = 1; i < piece.length; i++) borders.push(search(borders[i]!, piece[i]!));
  return search;
}

function lowerAscii(unit: string): string {
  return unit >= "A" && unit <= "Z" ? unit.toLowerCase() : unit;
}

function bothCases(unit: string): string[] {
  return unit >= "a" && unit <= "z" ? [unit, unit.toUpperCase()] : [unit];
}
