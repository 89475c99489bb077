/** The paths that path templates match, percent-encoded or not, as DFAs. */

import { normalizePath, type Segment, variable } from "../../zone/path-template.ts";
import { routePattern } from "../../zone/router.ts";
import { type Dfa, deadState } from "./dfa.ts";

/** How far a path has matched the template. */
interface TemplateState {
  /** The index of the segment; -1 before the first slash. */
  readonly segment: number;
  /** The number of characters read of a literal; of a variable 0 or 1. */
  readonly read: number;
  /** The characters read of what may be a percent-encoded character. */
  readonly pending: string;
}

const hexDigits = "0123456789abcdefABCDEF";

/** Digits of which the case has no effect. */
const encodedBy = [..."0123456789ABCDEF"];

/** Accepts the paths that a template matches, as `URL` writes them. */
export function templateDfa(segments: readonly Segment[]): Dfa {
  const numbers = new Map<string, number>();
  const states: (TemplateState & { readonly output: 0 | 1; readonly next: Map<string, number> })[] = [];

  function numberOf(state: TemplateState | undefined): number {
    if (state === undefined) return deadState;
    const key = `${state.segment} ${state.read} ${state.pending}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const end = readPiece(segments, state, state.pending);
    const isMatch = end?.segment === segments.length - 1 && isComplete(segments[end.segment], end.read);
    numbers.set(key, states.length);
    return states.push({ ...state, output: isMatch ? 1 : 0, next: new Map() }) - 1;
  }

  function stepFrom(number: number, unit: string): number {
    const state = states[number];
    if (state === undefined) return deadState;
    const known = state.next.get(unit) ?? numberOf(step(segments, state, unit));
    state.next.set(unit, known);
    return known;
  }

  const literals = segments.filter((segment): segment is string => segment !== variable);
  return {
    start: numberOf({ segment: -1, read: 0, pending: "" }),
    step: stepFrom,
    output: (number) => states[number]?.output ?? 0,
    units: new Set([
      "/",
      "%",
      ...hexDigits,
      ...unsafeUnits,
      ...literals.flatMap((literal) => literal.split("")),
    ]),
  };
}

/** A template without the paths that others match, which take precedence. */
export interface RoutedTemplate {
  readonly segments: readonly Segment[];
  readonly preceding: readonly (readonly Segment[])[];
}

/** The templates that a path can still match, each with the state of its DFA. */
type LiveTemplates = readonly (readonly [template: number, state: number])[];

/** Accepts the paths that some of the templates match. */
export function routedPathsDfa(routed: readonly RoutedTemplate[]): Dfa {
  const { dfas, indexOf } = createTemplateList();
  const accepted = routed.map(({ segments, preceding }) => {
    return { own: indexOf(segments), preceding: preceding.map(indexOf) };
  });
  const numbers = new Map<string, number>();
  const states: { live: LiveTemplates; next: Map<string, number> }[] = [];

  function numberOf(live: LiveTemplates): number {
    if (live.length === 0) return deadState;
    const key = live.join(" ");
    const known = numbers.get(key) ?? states.push({ live, next: new Map() }) - 1;
    numbers.set(key, known);
    return known;
  }

  function step(number: number, unit: string): number {
    const state = states[number];
    if (state === undefined) return deadState;
    const known = state.next.get(unit);
    if (known !== undefined) return known;
    const live: (readonly [number, number])[] = [];
    for (const [template, own] of state.live) {
      const next = dfas[template]?.step(own, unit) ?? deadState;
      if (next !== deadState) live.push([template, next]);
    }
    const next = numberOf(live);
    state.next.set(unit, next);
    return next;
  }

  function output(number: number): number {
    const live = states[number]?.live ?? [];
    const matching = new Set(
      live.flatMap(([template, own]) => (dfas[template]?.output(own) ? [template] : [])),
    );
    const isRouted = accepted.some(
      ({ own, preceding }) => matching.has(own) && !preceding.some((other) => matching.has(other)),
    );
    return isRouted ? 1 : 0;
  }

  return {
    start: numberOf(dfas.map((dfa, template) => [template, dfa.start])),
    step,
    output,
    units: new Set(dfas.flatMap(({ units }) => [...units])),
  };
}

/** The DFAs of different templates. */
function createTemplateList(): { dfas: Dfa[]; indexOf(segments: readonly Segment[]): number } {
  const dfas: Dfa[] = [];
  const indexes = new Map<string, number>();
  return {
    dfas,
    indexOf: (segments) => {
      const pattern = routePattern(segments);
      const index = indexes.get(pattern) ?? dfas.push(templateDfa(segments)) - 1;
      indexes.set(pattern, index);
      return index;
    },
  };
}

/** Characters that a path can contain and that are compared percent-encoded. */
const unsafeUnits = '[]|^`{}"<>\\';

function step(segments: readonly Segment[], state: TemplateState, unit: string): TemplateState | undefined {
  const { pending } = state;
  // A variable matches every character, encoded or not.
  if (segments[state.segment] === variable) return readUnit(segments, state, unit);
  if (pending === "" && unit === "%") return { ...state, pending: unit };
  if (pending === "") return readPiece(segments, state, unit);
  if (!hexDigits.includes(unit)) {
    const after = readPiece(segments, state, pending);
    return after && step(segments, after, unit);
  }
  if (pending.length > 1) return readPiece(segments, state, pending + unit);
  return canContinue(segments, state, pending + unit) ? { ...state, pending: pending + unit } : undefined;
}

/** Whether a part of an encoded character can be read in a literal as it is, or with its second digit. */
function canContinue(segments: readonly Segment[], { segment, read }: TemplateState, part: string): boolean {
  const literal = segments[segment];
  if (typeof literal !== "string") return false;
  const canRead = (piece: string) => literal.startsWith(normalizePiece(piece), read);
  return canRead(part) || encodedBy.some((digit) => canRead(part + digit));
}

/** Reads a character, or all characters of a percent-encoded one. */
function readPiece(
  segments: readonly Segment[],
  state: TemplateState,
  piece: string,
): TemplateState | undefined {
  const { segment, read } = state;
  const text = normalizePiece(piece);
  if (text.length === 1) return readUnit(segments, state, text);
  const current = segments[segment];
  if (typeof current === "string" && current.startsWith(text, read))
    return { segment, read: read + text.length, pending: "" };
  return text === "" || current === variable
    ? { segment, read: text === "" ? read : 1, pending: "" }
    : undefined;
}

const normalPieces = new Map<string, string>();

/** The normal form of one character or of the beginning of an encoded one: there are few hundred. */
function normalizePiece(piece: string): string {
  if (piece.length < 2) return normalizePath(piece);
  const known = normalPieces.get(piece) ?? normalizePath(piece);
  normalPieces.set(piece, known);
  return known;
}

function readUnit(
  segments: readonly Segment[],
  { segment, read }: TemplateState,
  unit: string,
): TemplateState | undefined {
  const current = segment === -1 ? "" : segments[segment];
  if (unit === "/") {
    const isNext = isComplete(current, read) && segment + 1 < segments.length;
    return isNext ? { segment: segment + 1, read: 0, pending: "" } : undefined;
  }
  if (segment === -1) return undefined;
  if (current === variable) return { segment, read: 1, pending: "" };
  return current?.[read] === unit ? { segment, read: read + 1, pending: "" } : undefined;
}

function isComplete(segment: Segment | undefined, read: number): boolean {
  return segment === variable ? read === 1 : read === (segment?.length ?? 0);
}
