/**
 * Counts the elements of an SVG with every `use` replaced by its target, and every pattern, marker, mask, clip path and
 * filter drawn where it is referenced: ten levels of ten are ten thousand million.
 */

import type { PaintReference, StyleRule } from "./style-references.ts";

/** An element with its children. */
interface Subtree extends ElementReferences {
  readonly children: Subtree[];
  /** Number of elements, its own included. */
  elements: number;
}

/** The references of an element. */
export interface ElementReferences {
  readonly name: string;
  readonly id: string | undefined;
  readonly classes: readonly string[];
  /** Ids of possible targets of this `use`. */
  readonly targets: readonly string[];
  /** The elements that this one is painted with by its own attributes. */
  readonly paints: readonly PaintReference[];
}

/** Collects subtrees while the document is parsed. */
export interface UseCounter {
  open(element: ElementReferences): void;
  close(): void;
  /** Adds rules of a style sheet; they apply to all elements, also to earlier ones. */
  style(rules: readonly StyleRule[]): void;
  /** Number of elements with every copy counted; Infinity above `max`, and for too many levels. */
  total(max: number): number | "cycle";
}

/** Maximum number of steps into children and targets (chosen; renderers allow far fewer). */
const maxSteps = 1_000;

/** Elements that are drawn wherever they are referenced. Gradients are not: they have no content to draw. */
const drawn = new Set(["pattern", "marker", "mask", "clipPath", "filter"]);

export function createUseCounter(): UseCounter {
  const none = { name: "", id: undefined, classes: [], targets: [], paints: [] };
  const root: Subtree = { ...none, children: [], elements: 0 };
  let current = root;
  const ancestors: Subtree[] = [];
  const byId = new Map<string, Subtree>();
  const rules: StyleRule[] = [];
  return {
    open(element) {
      ancestors.push(current);
      current = { ...element, children: [], elements: 1 };
      if (element.id !== undefined && !byId.has(element.id)) byId.set(element.id, current);
    },
    close() {
      const closed = current;
      current = ancestors.pop() ?? root;
      current.elements += closed.elements;
      current.children.push(closed);
    },
    style(added) {
      for (const rule of added) rules.push(rule);
    },
    total(max) {
      const styled = paintsByKey(rules, byId);
      const counting: Counting = { byId, styled, max, counted: new Map(), isCyclic: false };
      const total = countElements(root, counting, 0);
      return counting.isCyclic ? "cycle" : total;
    },
  };
}

/** The references of rules to elements that are drawn, each once, by the key of their selectors. */
function paintsByKey(
  rules: readonly StyleRule[],
  byId: ReadonlyMap<string, Subtree>,
): ReadonlyMap<string, readonly PaintReference[]> {
  const byKey = new Map<string, Map<string, PaintReference>>();
  for (const { key, paints } of rules) {
    const known = byKey.get(key) ?? new Map<string, PaintReference>();
    byKey.set(key, known);
    for (const paint of paints) {
      const target = byId.get(paint.id);
      if (target && drawn.has(target.name)) known.set(`${paint.inherits} ${paint.id}`, paint);
    }
  }
  return new Map([...byKey].map(([key, paints]) => [key, [...paints.values()]]));
}

interface Counting {
  readonly max: number;
  readonly byId: ReadonlyMap<string, Subtree>;
  /** References of style sheets by the key of their selectors. */
  readonly styled: ReadonlyMap<string, readonly PaintReference[]>;
  /** Counts of subtrees; undefined while one is being counted. */
  readonly counted: Map<Subtree, number | undefined>;
  isCyclic: boolean;
}

function countElements(subtree: Subtree, counting: Counting, steps: number): number {
  const known = counting.counted.get(subtree);
  if (known !== undefined) return known;
  // A subtree that is reached again while it is being counted contains itself.
  if (counting.counted.has(subtree)) counting.isCyclic = true;
  if (counting.isCyclic || steps > maxSteps) return Infinity;
  counting.counted.set(subtree, undefined);
  let count = subtree.elements;
  for (const id of subtree.targets) {
    const target = counting.byId.get(id);
    if (target) count += countElements(target, counting, steps + 1);
  }
  for (const { id, inherits } of allPaintsOf(subtree, counting)) {
    const target = counting.byId.get(id);
    if (target && drawn.has(target.name))
      count += countElements(target, counting, steps + 1) * (inherits ? subtree.elements : 1);
    if (count > counting.max) break;
  }
  for (const child of subtree.children) count += countElements(child, counting, steps + 1) - child.elements;
  counting.counted.set(subtree, count);
  return count;
}

/** The references of the element itself, and those of the rules of style sheets that may apply to it. */
function allPaintsOf(
  { name, id, classes, paints }: Subtree,
  { styled }: Counting,
): readonly PaintReference[] {
  if (styled.size === 0) return paints;
  const keys = ["*", name, `#${id ?? ""}`, ...new Set(classes.map((className) => `.${className}`))];
  return [...paints, ...keys.flatMap((key) => styled.get(key) ?? [])];
}
