/**
 * The points of a space where a function is true. Where comparisons are free, a point is one only when some text gives
 * its answers; what no text gives is learned, so that no point with it comes again.
 */

import type { Comparison } from "../../expression/ast.ts";
import { type Meter, spend } from "../budget.ts";
import type { Demands, FreeText } from "../strings/lazy-strings.ts";
import { absentChoice, type Choice } from "./alternatives.ts";
import { type Assignment, always, type Diagram, type Diagrams } from "./decision-diagram.ts";

/** A choice for each place, by its name. */
export interface Point {
  readonly chosen: ReadonlyMap<string, Choice>;
  /** Whether every text is one that a client can send. */
  readonly real: boolean;
}

/** A place whose texts were all looked at: its choices are those of one variable. */
export interface WholePlace {
  readonly name: string;
  readonly variable: number;
  readonly choices: readonly Choice[];
}

/** A place whose comparisons are free: a variable for each of them. */
export interface FreePlace {
  readonly name: string;
  readonly comparisons: readonly Comparison[];
  /** Whether there is anything at the place; absent where there always is. */
  readonly presence?: number;
  /** The variable of the first comparison; the others follow. */
  readonly first: number;
  find(demands: Demands): FreeText;
}

interface Texts {
  readonly chosen: Map<string, Choice>;
}

export interface PointSource {
  /** The points, plainest first. */
  points(wanted: Diagram): Generator<Point>;
}

/** Makes the points of a space. */
export function createPoints(
  diagrams: Diagrams,
  whole: readonly WholePlace[],
  free: readonly FreePlace[],
  meter: Meter,
): PointSource {
  let learned: Diagram = always;

  function* wholePoints(wanted: Diagram): Generator<Point> {
    for (const model of diagrams.models(wanted)) yield pointOf(model, new Map());
  }

  function* freePoints(wanted: Diagram): Generator<Point> {
    let rest = wanted;
    for (;;) {
      rest = diagrams.combine("and", rest, learned);
      const model = diagrams.firstModel(rest);
      if (model === undefined) return;
      spend(meter, model.size);
      const texts = textsOf(model);
      if ("conflicts" in texts) learn(texts.conflicts);
      else {
        yield pointOf(model, texts.chosen);
        rest = diagrams.combine("and", rest, diagrams.not(conjunction(model)));
      }
    }
  }

  function learn(conflicts: readonly Assignment[]): void {
    for (const conflict of conflicts)
      learned = diagrams.combine("and", learned, diagrams.not(conjunction(conflict)));
  }

  /** The texts of the free places, or what cannot be together. */
  function textsOf(model: Assignment): Texts | { readonly conflicts: readonly Assignment[] } {
    const chosen = new Map<string, Choice>();
    for (const place of free) {
      const { name, comparisons, presence } = place;
      const demands = demandsOf(place, model);
      const isAbsent = presence !== undefined && model.get(presence) !== 1;
      if (isAbsent && ![...demands.values()].includes(true)) {
        chosen.set(name, absentChoice({ comparisons }));
        continue;
      }
      const found = place.find(demands);
      if ("conflicts" in found) return { conflicts: found.conflicts.map((one) => assignmentOf(place, one)) };
      chosen.set(name, { ...found, answers: [], yields: false });
    }
    return { chosen };
  }

  function demandsOf({ comparisons, first }: FreePlace, model: Assignment): Demands {
    const demands = new Map<number, boolean>();
    for (const i of comparisons.keys()) {
      const answer = model.get(first + i);
      if (answer !== undefined) demands.set(i, answer === 1);
    }
    return demands;
  }

  function assignmentOf({ presence, first }: FreePlace, demands: Demands): Assignment {
    const there = presence === undefined ? [] : [[presence, 1] as const];
    return new Map([...there, ...[...demands].map(([i, wanted]) => [first + i, Number(wanted)] as const)]);
  }

  /** True exactly where these choices are made. */
  function conjunction(model: Assignment): Diagram {
    // From the last variable back, so that each step is a short one.
    const choices = [...model].sort(([a], [b]) => b - a);
    return choices.reduce((rest, [variable, choice]) => {
      const width = whole.find((place) => place.variable === variable)?.choices.length ?? 2;
      const made = diagrams.choose(
        variable,
        Array.from({ length: width }, (_, i) => i === choice),
      );
      return diagrams.combine("and", made, rest);
    }, always);
  }

  function pointOf(model: Assignment, texts: ReadonlyMap<string, Choice>): Point {
    const chosen = new Map(texts);
    for (const { name, variable, choices } of whole) chosen.set(name, choiceAt(choices, model.get(variable)));
    return { chosen, real: [...chosen.values()].every(({ real }) => real) };
  }

  return { points: free.length === 0 ? wholePoints : freePoints };
}

/** Where nothing is said every choice is as good: one that can be sent is taken. */
function choiceAt(choices: readonly Choice[], choice: number | undefined): Choice {
  const first = choice ?? choices.findIndex(({ real }) => real);
  return choices[Math.max(0, first)]!;
}
