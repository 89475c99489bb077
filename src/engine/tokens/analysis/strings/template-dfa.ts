/** The paths that a path template matches, percent-encoded or not, as a DFA. */

import { normalizePath, type Segment, variable } from "../../zone/path-template.ts";
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

/** Accepts the paths that a template matches, as `URL` writes them. */
export function templateDfa(segments: readonly Segment[]): Dfa {
  const numbers = new Map<string, number>();
  const states: (TemplateState & { readonly output: 0 | 1 })[] = [];

  function numberOf(state: TemplateState | undefined): number {
    if (state === undefined) return deadState;
    const key = `${state.segment} ${state.read} ${state.pending}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const end = readPiece(segments, state, state.pending);
    const isMatch = end?.segment === segments.length - 1 && isComplete(segments[end.segment], end.read);
    numbers.set(key, states.length);
    return states.push({ ...state, output: isMatch ? 1 : 0 }) - 1;
  }

  const literals = segments.filter((segment): segment is string => segment !== variable);
  return {
    start: numberOf({ segment: -1, read: 0, pending: "" }),
    step: (number, unit) => {
      const state = states[number];
      return state === undefined ? deadState : numberOf(step(segments, state, unit));
    },
    output: (number) => states[number]?.output ?? 0,
    units: new Set([
      "/",
      "%",
      ..."0123456789abcdefABCDEF",
      ...unsafeUnits,
      ...literals.flatMap((literal) => literal.split("")),
    ]),
  };
}

/** Characters that a path can contain and that are compared percent-encoded. */
const unsafeUnits = '[]|^`{}"<>\\';

function step(segments: readonly Segment[], state: TemplateState, unit: string): TemplateState | undefined {
  const { pending } = state;
  if (pending === "" && unit === "%") return { ...state, pending: unit };
  if (pending === "") return readPiece(segments, state, unit);
  if (!/[0-9A-Fa-f]/.test(unit)) {
    const after = readPiece(segments, state, pending);
    return after && step(segments, after, unit);
  }
  return pending.length === 1
    ? { ...state, pending: pending + unit }
    : readPiece(segments, state, pending + unit);
}

/** Reads a character, or all characters of a percent-encoded one. */
function readPiece(
  segments: readonly Segment[],
  state: TemplateState,
  piece: string,
): TemplateState | undefined {
  let current: TemplateState | undefined = { ...state, pending: "" };
  for (const unit of normalizePath(piece)) current = current && readUnit(segments, current, unit);
  return current;
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
