/**
 * Counts the elements of an SVG with every `use` replaced by its target, and every pattern, marker, mask, clip path and
 * filter drawn where it is referenced: ten levels of ten are ten thousand million.
 */

/** An element with its children. */
interface Subtree {
  readonly name: string;
  /** Ids of possible targets of this `use`. */
  readonly targets: readonly string[];
  /** Ids of the elements that this one is painted with. */
  readonly paints: readonly string[];
  /** Children that contain a reference. */
  readonly children: Subtree[];
  /** Number of elements, its own included. */
  elements: number;
}

/** The references of an element. */
export interface ElementReferences {
  readonly name: string;
  readonly id: string | undefined;
  /** Ids of possible targets of this `use`. */
  readonly targets: readonly string[];
  /** Ids of the elements that this one is painted with. */
  readonly paints: readonly string[];
}

/** Collects subtrees while the document is parsed. */
export interface UseCounter {
  open(element: ElementReferences): void;
  close(): void;
  /** Number of elements with every copy counted; Infinity for too many levels. */
  total(): number | "cycle";
}

/** Maximum number of steps into children and targets (chosen; renderers allow far fewer). */
const maxSteps = 1_000;

/** Elements that are drawn wherever they are referenced. Gradients are not: they have no content to draw. */
const drawn = new Set(["pattern", "marker", "mask", "clipPath", "filter"]);

export function createUseCounter(): UseCounter {
  const root: Subtree = { name: "", targets: [], paints: [], children: [], elements: 0 };
  let current = root;
  const ancestors: Subtree[] = [];
  const byId = new Map<string, Subtree>();
  return {
    open({ name, id, targets, paints }) {
      ancestors.push(current);
      current = { name, targets, paints, children: [], elements: 1 };
      if (id !== undefined && !byId.has(id)) byId.set(id, current);
    },
    close() {
      const closed = current;
      current = ancestors.pop() ?? root;
      current.elements += closed.elements;
      const refers = closed.targets.length + closed.paints.length + closed.children.length > 0;
      if (refers) current.children.push(closed);
    },
    total() {
      const counting: Counting = { byId, counted: new Map(), isCyclic: false };
      const total = countElements(root, counting, 0);
      return counting.isCyclic ? "cycle" : total;
    },
  };
}

interface Counting {
  readonly byId: ReadonlyMap<string, Subtree>;
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
  for (const target of targetsOf(subtree, counting)) count += countElements(target, counting, steps + 1);
  for (const child of subtree.children) count += countElements(child, counting, steps + 1) - child.elements;
  counting.counted.set(subtree, count);
  return count;
}

function* targetsOf({ targets, paints }: Subtree, { byId }: Counting): Generator<Subtree> {
  for (const id of targets) {
    const target = byId.get(id);
    if (target) yield target;
  }
  for (const id of paints) {
    const target = byId.get(id);
    if (target && drawn.has(target.name)) yield target;
  }
}
