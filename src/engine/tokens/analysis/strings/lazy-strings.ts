/**
 * Texts for a place with so many comparisons that all combinations of their answers are too many to be looked at:
 * each comparison is free at first, and whether some text gives the answers that matter is found out when it matters.
 */

import type { Comparison } from "../../expression/ast.ts";
import { compileComparison } from "../../expression/compiler.ts";
import { splitPattern } from "../../expression/wildcard.ts";
import { type Meter, spend } from "../budget.ts";
import type { FieldKind } from "../requests/location.ts";
import { alphabetOf, reach } from "./combine.ts";
import { ask, type Question } from "./comparison-dfas.ts";
import { type Automaton, dead } from "./dfa.ts";

/** Answers that are wanted, by the comparisons' places in their list. */
export type Demands = ReadonlyMap<number, boolean>;

/** A text that gives the answers, or some of them that no text gives together, once or more. */
export type FreeText = FoundText | { readonly conflicts: readonly Demands[] };

interface FoundText {
  readonly text: string;
  /** Whether a client can send it. */
  readonly real: boolean;
}

/** States that are looked at in the hope of a text that can be sent, after one that may not. */
const moreStates = 2_000;

/** An automaton, and in which states at the end of a text it is content. */
interface Asked {
  readonly automaton: Automaton;
  accepts(state: number): boolean;
  /** 0 where nothing that follows a dead state can be accepted. */
  readonly rank: number;
}

function shaped(automaton: Automaton): Asked {
  return { automaton, accepts: (state) => automaton.output(state) !== 0, rank: 0 };
}

/** Makes what looks for texts. */
export function createTextFinder(
  comparisons: readonly Comparison[],
  kind: FieldKind,
  except: readonly string[],
  meter: Meter,
): (demands: Demands) => FreeText {
  const tests = comparisons.map(compileComparison);
  const questions = new Map<number, Question>();
  const usual = kind.usual.filter((text) => isReal(text));
  const examples = new Map<number, string | undefined>();

  function questionOf(i: number): Question {
    const question = questions.get(i) ?? ask(comparisons[i]!);
    questions.set(i, question);
    return question;
  }

  function isReal(text: string): boolean {
    return kind.isReal(text) && !except.includes(text);
  }

  function unmet(text: string, demands: Demands): [number, boolean][] {
    spend(meter, demands.size);
    return [...demands].filter(([i, wanted]) => tests[i]!(text) !== wanted);
  }

  function find(demands: Demands): FreeText {
    return guess(demands) ?? clash(demands) ?? searchAll(demands);
  }

  /** A text that is easily thought of: a usual one, or one put together from the pieces that are asked for. */
  function guess(demands: Demands): FoundText | undefined {
    const asked = comparisons.filter((_, i) => demands.get(i) === true);
    const text = [...usual, ...texts(asked)].find(
      (one) => unmet(one, demands).length === 0 && isShaped(one) && isReal(one),
    );
    return text === undefined ? undefined : { text, real: true };
  }

  /** Answers that no text gives together, two by two: one comparison holds wherever another does. */
  function clash(demands: Demands): FreeText | undefined {
    const holding = new Map([...demands].filter(([, wanted]) => wanted));
    const text = guess(holding)?.text;
    if (text === undefined) return undefined;
    const conflicts = unmet(text, demands).flatMap(([i]) =>
      [...holding.keys()].filter((j) => bringsAbout(j, i)).map((j) => demandsOf([j, true], [i, false])),
    );
    return conflicts.length === 0 ? undefined : { conflicts };
  }

  /** Whether one comparison never holds without the other. */
  function bringsAbout(j: number, i: number): boolean {
    const [one, other] = [comparisons[j]!, comparisons[i]!];
    // Both pieces of the text: no search is needed.
    if (one.operator === "contains" && other.operator === "contains") return one.value.includes(other.value);
    const example = exampleOf(j);
    return (
      example !== undefined && tests[i]!(example) && textOf(demandsOf([j, true], [i, false])) === undefined
    );
  }

  /** Some text of which a comparison holds. */
  function exampleOf(i: number): string | undefined {
    const alone = new Map([[i, true]]);
    if (!examples.has(i)) examples.set(i, textOf(alone)?.text);
    return examples.get(i);
  }

  /** Asks for one answer after the other, those that come out wrong last. */
  function searchAll(demands: Demands): FreeText {
    const active = new Map<number, boolean>();
    let found = textOf(active);
    for (;;) {
      if (found === undefined) return { conflicts: [reduce(active)] };
      const [next] = unmet(found.text, demands);
      if (next === undefined) return found;
      active.set(...next);
      found = textOf(active);
    }
  }

  function textOf(demands: Demands): FoundText | undefined {
    return guess(demands) ?? search(demands);
  }

  /** A shortest text with these answers. */
  function search(active: Demands): FoundText | undefined {
    const asked = [...kind.required.map(shaped), ...[...active].map(answered)].sort(
      (a, b) => a.rank - b.rank,
    );
    const automata = [...asked.map(({ automaton }) => automaton), ...kind.guides];
    const required = asked.filter(({ rank }) => rank === 0).length;
    let unreal: string | undefined;
    let left = moreStates;
    for (const { states, text } of reach(automata, required, alphabetOf(automata, kind.others), meter)) {
      if (unreal !== undefined && left-- === 0) break;
      if (!asked.every(({ accepts }, i) => accepts(states[i]!)) || except.includes(text)) continue;
      if (isReal(text)) return { text, real: true };
      unreal ??= text;
    }
    return unreal === undefined ? undefined : { text: unreal, real: false };
  }

  function answered([i, wanted]: readonly [number, boolean]): Asked {
    const { automaton, holds } = questionOf(i);
    const accepts = (state: number) => holds(automaton.output(state)) === wanted;
    return { automaton, accepts, rank: accepts(dead) ? 1 : 0 };
  }

  /** The least part of a conflict, found by adding answers until there is no text any more. */
  function reduce(conflict: Demands): Demands {
    const needed = new Map<number, boolean>();
    for (;;) {
      const tried = new Map(needed);
      let last: readonly [number, boolean] | undefined;
      for (const demand of conflict) {
        if (textOf(tried) === undefined) break;
        tried.set(...demand);
        last = demand;
      }
      if (last === undefined) return needed;
      needed.set(...last);
    }
  }

  function isShaped(text: string): boolean {
    return kind.required.every((automaton) => {
      const end = text.split("").reduce((state, unit) => automaton.step(state, unit), automaton.start);
      return automaton.output(end) !== 0;
    });
  }

  return find;
}

function demandsOf(...demands: readonly (readonly [number, boolean])[]): Demands {
  return new Map(demands);
}

/** What can stand between the pieces of a text that is put together. */
const separators = ["", "/"];

/** Texts of which all comparisons may hold: their pieces, one after the other. */
function texts(asked: readonly Comparison[]): string[] {
  const whole = asked.flatMap((comparison) => {
    if (comparison.operator === "in") return comparison.values;
    return comparison.operator === "eq" ? [comparison.value] : [];
  });
  const pieces = asked.flatMap((comparison) => piecesOf(comparison));
  const longest = (list: readonly string[]) => list.reduce((a, b) => (b.length > a.length ? b : a), "");
  const first = longest(pieces.map(({ start }) => start));
  const last = longest(pieces.map(({ end }) => end));
  const inner = pieces.flatMap(({ between }) => between);
  return [
    ...whole,
    ...pieces.flatMap(({ start, between, end }) => (between.length === 0 && end === "" ? [start] : [])),
    ...separators.map((separator) => first + [...inner, ""].join(separator) + last),
    ...separators.map((separator) => `/${[...inner, last].join(separator)}`),
  ];
}

/** What a text begins with, has in it, and ends with. */
function piecesOf(comparison: Comparison): { start: string; between: readonly string[]; end: string }[] {
  const { operator } = comparison;
  if (operator === "contains") return [{ start: "", between: [comparison.value], end: "" }];
  if (operator !== "wildcard" && operator !== "strict wildcard") return [];
  const [start = "", ...others] = splitPattern(comparison.value);
  const end = others.pop() ?? "";
  return [{ start, between: others, end }];
}
