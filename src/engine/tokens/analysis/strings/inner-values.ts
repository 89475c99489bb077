/** Values in a query or a path: those of an argument, and the extension; and DFAs of the query or the path by them. */

import { extensionOf } from "../../expression/values/request-values.ts";
import { caseDfa } from "./derived-dfas.ts";
import { type Dfa, deadState } from "./dfa.ts";

/** An argument of a query, or the extension of a path. */
export type InnerValue = Argument | "extension";

/** Values of an argument: the one at a position among those of its name, or each of them. */
export interface Argument {
  /** The name, as it is sent. */
  readonly name: string;
  readonly index: number | "any" | "all";
}

/** The values of an argument in a query. */
function argumentValues(query: string, { name }: Argument): string[] {
  return query.split("&").flatMap((part) => {
    const [key = "", ...rest] = part.split("=");
    return part !== "" && key === name ? rest.join("=") : [];
  });
}

/** Whether a test holds for a value in a query or a path. */
export function holdsInside(value: string, inner: InnerValue, test: (value: string) => boolean): boolean {
  if (inner === "extension") return test(extensionOf(value));
  const values = argumentValues(value, inner);
  if (inner.index === "any") return values.some(test);
  if (inner.index === "all") return values.every(test);
  const single = values[inner.index];
  return single !== undefined && test(single);
}

/** Accepts the queries or paths for which a value in them is accepted. */
export function innerDfa(dfa: Dfa, isAccepted: (output: number) => boolean, inner: InnerValue): Dfa {
  return inner === "extension" ? extensionDfa(dfa, isAccepted) : argumentDfa(dfa, isAccepted, inner);
}

/** Accepts the paths whose extension, which is in lower case and empty without a dot, is accepted. */
function extensionDfa(dfa: Dfa, isAccepted: (output: number) => boolean): Dfa {
  const lower = caseDfa(dfa, "lower");
  // After the start of a segment, and after a dot in it that is not the first unit; the states of the other DFA come after.
  const [atStart, withoutDot, first] = [0, 1, 3];
  return {
    ...lower,
    start: atStart,
    step: (state, unit) => {
      if (unit === "/") return atStart;
      if (unit === ".") return state === atStart ? withoutDot : first + lower.start;
      if (state === atStart || state === withoutDot) return withoutDot;
      return state === first + deadState ? state : first + lower.step(state - first, unit);
    },
    output: (state) => {
      const isEmpty = state === atStart || state === withoutDot;
      return Number(isAccepted(lower.output(isEmpty ? lower.start : state - first)));
    },
    units: new Set([...lower.units, "/", "."]),
  };
}

/** A position in a query. */
type Position =
  /** In a name, of which so many units are those of the argument; -1 when one is another one. */
  | { readonly at: "name"; readonly seen: number; readonly isEmpty: boolean; readonly matched: number }
  /** In the value of another argument. */
  | { readonly at: "other"; readonly seen: number }
  /** In a value of the argument, in a state of the other DFA. */
  | { readonly at: "value"; readonly seen: number; readonly inner: number }
  | { readonly at: "decided"; readonly result: boolean };

/** Accepts the queries for which the values of an argument are accepted; one that is missing is not. */
function argumentDfa(dfa: Dfa, isAccepted: (output: number) => boolean, argument: Argument): Dfa {
  const { name, index } = argument;
  const positions: Position[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (position: Position): number => {
    if (position.at === "decided" && !position.result) return deadState;
    const key = JSON.stringify(position);
    const number = numbers.get(key) ?? positions.push(position) - 1;
    numbers.set(key, number);
    return number;
  };
  const nameAt = (seen: number): Position => ({ at: "name", seen, isEmpty: true, matched: 0 });

  /** The position after a value of the argument. */
  function afterValue(seen: number, inner: number): Position {
    const result = isAccepted(dfa.output(inner));
    if (index === seen || (index === "any" && result) || (index === "all" && !result))
      return { at: "decided", result };
    // The number of values does not matter to `any` and `all`.
    return nameAt(typeof index === "number" ? seen + 1 : 0);
  }

  /** The position after a part, at its end. */
  function afterPart(position: Position): Position {
    if (position.at === "value") return afterValue(position.seen, position.inner);
    if (position.at === "decided") return position;
    const isNamed = position.at === "name" && !position.isEmpty && position.matched === name.length;
    return isNamed ? afterValue(position.seen, dfa.start) : nameAt(position.seen);
  }

  function step(position: Position, unit: string): Position {
    if (position.at === "decided") return position;
    if (unit === "&") return afterPart(position);
    if (position.at === "other") return position;
    const { seen } = position;
    if (position.at === "value") {
      const { inner } = position;
      return { at: "value", seen, inner: inner === deadState ? deadState : dfa.step(inner, unit) };
    }
    const { matched } = position;
    if (unit === "=")
      return matched === name.length ? { at: "value", seen, inner: dfa.start } : { at: "other", seen };
    return { at: "name", seen, isEmpty: false, matched: name[matched] === unit ? matched + 1 : -1 };
  }

  return {
    ...dfa,
    start: numberOf(nameAt(0)),
    step: (number, unit) => {
      const position = positions[number];
      return position === undefined ? deadState : numberOf(step(position, unit));
    },
    output: (number) => {
      const position = positions[number];
      if (position === undefined) return 0;
      const end = afterPart(position);
      return Number(end.at === "decided" ? end.result : index === "all");
    },
    units: new Set([...dfa.units, ...name.split(""), "&", "="]),
  };
}
