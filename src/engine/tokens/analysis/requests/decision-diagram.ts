/**
 * Decision diagrams: functions from an alternative for each variable to true or false. Each function has one
 * representation only, so two functions are equal exactly when their numbers are.
 */

import { type Meter, spend } from "../budget.ts";

/** A function, by its number within its {@link DiagramManager}. */
export type DecisionDiagram = number;

/** The functions that do not depend on any variable. */
export const alwaysFalse: DecisionDiagram = 0;
export const alwaysTrue: DecisionDiagram = 1;

/** The binary connectives. */
export type Connective = "and" | "or" | "xor";

/** The index of an alternative for some variables; the others may have any. */
export type PartialAssignment = ReadonlyMap<number, number>;

/** Builds functions over the same variables. */
export interface DiagramManager {
  /** The function with the result given for each alternative of one variable. */
  testVariable(variable: number, results: readonly boolean[]): DecisionDiagram;
  combine(connective: Connective, left: DecisionDiagram, right: DecisionDiagram): DecisionDiagram;
  not(diagram: DecisionDiagram): DecisionDiagram;
  /** The assignments that make a function true, those with low numbers first. */
  satisfyingAssignments(diagram: DecisionDiagram): Generator<PartialAssignment>;
  /** The first of them; undefined when there are none. */
  firstSatisfyingAssignment(diagram: DecisionDiagram): PartialAssignment | undefined;
  /** The variables that a function depends on. */
  variablesOf(diagram: DecisionDiagram): ReadonlySet<number>;
}

/** Creates a manager without variables; each variable exists as soon as it is tested. */
export function createDiagramManager(meter: Meter): DiagramManager {
  const nodes = createNodeTable(meter);
  const combine = createCombine(nodes, meter);
  return {
    testVariable: (variable, results) => nodes.intern(variable, results.map(Number)),
    combine,
    not: (diagram) => combine("xor", diagram, alwaysTrue),
    satisfyingAssignments: (diagram) => satisfyingAssignments(nodes, diagram),
    firstSatisfyingAssignment: (diagram) => firstSatisfyingAssignment(nodes, diagram),
    variablesOf: (diagram) => variablesOf(nodes, diagram),
  };
}

/** True where one of the functions is. */
export function anyOf(
  { combine }: Pick<DiagramManager, "combine">,
  functions: readonly DecisionDiagram[],
): DecisionDiagram {
  return functions.reduce((all, diagram) => combine("or", all, diagram), alwaysFalse);
}

interface Node {
  readonly variable: number;
  /** The functions of the remaining variables, by the alternative of this one. */
  readonly children: readonly DecisionDiagram[];
}

/** The node of both constant functions: its variable comes after all others. */
const terminal: Node = { variable: Number.POSITIVE_INFINITY, children: [] };

/** More than the number of diagrams: two of their numbers make one key. */
const pairBase = 2 ** 26;

/** All nodes, each of them once. */
interface NodeTable {
  at(diagram: DecisionDiagram): Node;
  /** The number of a node; a node whose children are all equal is replaced by its child. */
  intern(variable: number, children: readonly DecisionDiagram[]): DecisionDiagram;
}

function createNodeTable(meter: Meter): NodeTable {
  const nodes: Node[] = [terminal, terminal];
  const wideNodes = new Map<string, DecisionDiagram>();
  /** Nodes with two children, by variable and children. */
  const binaryNodes = new Map<number, Map<number, DecisionDiagram>>();

  function internBinary(variable: number, children: readonly DecisionDiagram[]): DecisionDiagram {
    const ofVariable = binaryNodes.get(variable) ?? new Map<number, DecisionDiagram>();
    if (ofVariable.size === 0) binaryNodes.set(variable, ofVariable);
    const key = (children[0] ?? alwaysFalse) * pairBase + (children[1] ?? alwaysFalse);
    const existing = ofVariable.get(key);
    if (existing !== undefined) return existing;
    const number = nodes.push({ variable, children }) - 1;
    ofVariable.set(key, number);
    return number;
  }

  function internWide(variable: number, children: readonly DecisionDiagram[]): DecisionDiagram {
    const key = `${variable}:${children.join()}`;
    const existing = wideNodes.get(key);
    if (existing !== undefined) return existing;
    const number = nodes.push({ variable, children }) - 1;
    wideNodes.set(key, number);
    return number;
  }

  return {
    at: (diagram) => nodes[diagram] ?? terminal,
    intern: (variable, children) => {
      const [first] = children;
      if (first !== undefined && children.every((child) => child === first)) return first;
      spend(meter, children.length);
      return children.length === 2 ? internBinary(variable, children) : internWide(variable, children);
    },
  };
}

/** Creates the function that combines two functions by a connective; results are cached. */
function createCombine(nodes: NodeTable, meter: Meter): DiagramManager["combine"] {
  const caches: Record<Connective, Map<number, DecisionDiagram>> = {
    and: new Map(),
    or: new Map(),
    xor: new Map(),
  };

  function combine(connective: Connective, left: DecisionDiagram, right: DecisionDiagram): DecisionDiagram {
    const known = terminalCase(connective, left, right) ?? terminalCase(connective, right, left);
    if (known !== undefined) return known;
    const key = left < right ? left * pairBase + right : right * pairBase + left;
    const cache = caches[connective];
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    spend(meter, 1);
    const combined = combineNodes(connective, left, right);
    cache.set(key, combined);
    return combined;
  }

  function combineNodes(
    connective: Connective,
    left: DecisionDiagram,
    right: DecisionDiagram,
  ): DecisionDiagram {
    const [a, b] = [nodes.at(left), nodes.at(right)];
    const variable = Math.min(a.variable, b.variable);
    const width = (a.variable === variable ? a : b).children.length;
    const children: DecisionDiagram[] = [];
    for (let i = 0; i < width; i++) {
      const x = a.variable === variable ? (a.children[i] ?? alwaysFalse) : left;
      const y = b.variable === variable ? (b.children[i] ?? alwaysFalse) : right;
      children.push(combine(connective, x, y));
    }
    return nodes.intern(variable, children);
  }

  return combine;
}

/** The combination when the left function alone determines it. */
function terminalCase(
  connective: Connective,
  left: DecisionDiagram,
  right: DecisionDiagram,
): DecisionDiagram | undefined {
  if (connective === "xor") return left === alwaysFalse ? right : left === right ? alwaysFalse : undefined;
  if (left === right) return left;
  const dominant = connective === "and" ? alwaysFalse : alwaysTrue;
  if (left === dominant) return dominant;
  return left === alwaysTrue || left === alwaysFalse ? right : undefined;
}

function variablesOf(nodes: NodeTable, diagram: DecisionDiagram): Set<number> {
  const variables = new Set<number>();
  const seen = new Set([diagram]);
  for (const node of seen) {
    if (node === alwaysFalse || node === alwaysTrue) continue;
    const { variable, children } = nodes.at(node);
    variables.add(variable);
    for (const child of children) seen.add(child);
  }
  return variables;
}

function* satisfyingAssignments(nodes: NodeTable, diagram: DecisionDiagram): Generator<PartialAssignment> {
  if (diagram === alwaysFalse) return;
  if (diagram === alwaysTrue) {
    yield new Map();
    return;
  }
  const { variable, children } = nodes.at(diagram);
  for (const [alternative, child] of children.entries()) {
    for (const rest of satisfyingAssignments(nodes, child)) yield new Map([[variable, alternative], ...rest]);
  }
}

function firstSatisfyingAssignment(
  nodes: NodeTable,
  diagram: DecisionDiagram,
): PartialAssignment | undefined {
  if (diagram === alwaysFalse) return undefined;
  const assignment = new Map<number, number>();
  for (let current = diagram; current !== alwaysTrue; ) {
    const { variable, children } = nodes.at(current);
    const alternative = children.findIndex((child) => child !== alwaysFalse);
    assignment.set(variable, alternative);
    current = children[alternative] ?? alwaysTrue;
  }
  return assignment;
}
