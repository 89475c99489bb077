/**
 * Decision diagrams: functions from a choice for each variable to true or false, each with one form only, so that
 * two functions are the same exactly when their numbers are.
 */

import { type Meter, spend } from "../budget.ts";

/** A function, by its number within its {@link Diagrams}. */
export type Diagram = number;

/** The functions that do not depend on anything. */
export const never: Diagram = 0;
export const always: Diagram = 1;

/** The two-place connectives. */
export type Connective = "and" | "or" | "xor";

/** A choice for some variables; the others may have any. */
export type Assignment = ReadonlyMap<number, number>;

/** Makes functions over the same variables. */
export interface Diagrams {
  /** The function that is given for each choice of one variable. */
  choose(variable: number, perChoice: readonly boolean[]): Diagram;
  combine(connective: Connective, left: Diagram, right: Diagram): Diagram;
  not(diagram: Diagram): Diagram;
  /** The choices that make a function true, those with low numbers first. */
  models(diagram: Diagram): Generator<Assignment>;
  /** The first of them; undefined when there are none. */
  firstModel(diagram: Diagram): Assignment | undefined;
}

interface Node {
  readonly variable: number;
  readonly children: readonly Diagram[];
}

/** Behind every variable. */
const terminal: Node = { variable: Number.POSITIVE_INFINITY, children: [] };

/** More than there are diagrams: two of their numbers make one. */
const pairBase = 2 ** 26;

/** Starts a family of functions. */
export function createDiagrams(meter: Meter): Diagrams {
  const nodes: Node[] = [terminal, terminal];
  const numbers = new Map<string, Diagram>();
  /** Functions of a variable with two choices, by their children. */
  const pairs = new Map<number, Map<number, Diagram>>();
  const memories: Record<Connective, Map<number, Diagram>> = {
    and: new Map(),
    or: new Map(),
    xor: new Map(),
  };

  function node(variable: number, children: readonly Diagram[]): Diagram {
    const [first] = children;
    if (first !== undefined && children.every((child) => child === first)) return first;
    spend(meter, children.length);
    return children.length === 2 ? pairNode(variable, children) : wideNode(variable, children);
  }

  function pairNode(variable: number, children: readonly Diagram[]): Diagram {
    const known = pairs.get(variable) ?? new Map<number, Diagram>();
    if (known.size === 0) pairs.set(variable, known);
    const key = children[0]! * pairBase + children[1]!;
    const existing = known.get(key);
    if (existing !== undefined) return existing;
    const number = nodes.push({ variable, children }) - 1;
    known.set(key, number);
    return number;
  }

  function wideNode(variable: number, children: readonly Diagram[]): Diagram {
    const key = `${variable}:${children.join()}`;
    const existing = numbers.get(key);
    if (existing !== undefined) return existing;
    const number = nodes.push({ variable, children }) - 1;
    numbers.set(key, number);
    return number;
  }

  function combine(connective: Connective, left: Diagram, right: Diagram): Diagram {
    const known = settle(connective, left, right) ?? settle(connective, right, left);
    if (known !== undefined) return known;
    const key = left < right ? left * pairBase + right : right * pairBase + left;
    const memory = memories[connective];
    const remembered = memory.get(key);
    if (remembered !== undefined) return remembered;
    spend(meter, 1);
    const combined = descend(connective, left, right);
    memory.set(key, combined);
    return combined;
  }

  function descend(connective: Connective, left: Diagram, right: Diagram): Diagram {
    const [a, b] = [nodes[left]!, nodes[right]!];
    const variable = Math.min(a.variable, b.variable);
    const width = (a.variable === variable ? a : b).children.length;
    const children: Diagram[] = [];
    for (let i = 0; i < width; i++) {
      const [x, y] = [
        a.variable === variable ? a.children[i]! : left,
        b.variable === variable ? b.children[i]! : right,
      ];
      children.push(combine(connective, x, y));
    }
    return node(variable, children);
  }

  function* models(diagram: Diagram): Generator<Assignment> {
    if (diagram === never) return;
    if (diagram === always) {
      yield new Map();
      return;
    }
    const { variable, children } = nodes[diagram]!;
    for (const [choice, child] of children.entries()) {
      for (const rest of models(child)) yield new Map([[variable, choice], ...rest]);
    }
  }

  function firstModel(diagram: Diagram): Assignment | undefined {
    if (diagram === never) return undefined;
    const assignment = new Map<number, number>();
    for (let at = diagram; at !== always; ) {
      const { variable, children } = nodes[at]!;
      const choice = children.findIndex((child) => child !== never);
      assignment.set(variable, choice);
      at = children[choice]!;
    }
    return assignment;
  }

  return {
    choose: (variable, perChoice) => node(variable, perChoice.map(Number)),
    combine,
    not: (diagram) => combine("xor", diagram, always),
    models,
    firstModel,
  };
}

/** The answer when the left side alone gives it. */
function settle(connective: Connective, left: Diagram, right: Diagram): Diagram | undefined {
  if (connective === "xor") return left === never ? right : left === right ? never : undefined;
  if (left === right) return left;
  const stops = connective === "and" ? never : always;
  if (left === stops) return stops;
  return left === always || left === never ? right : undefined;
}
