/** Counts the elements of an SVG with every `use` replaced by its target: ten levels of ten are ten thousand million. */

/** An element with its children. */
interface Subtree {
  /** Ids of possible targets of this `use`. */
  readonly targets: readonly string[];
  /** Children that contain a `use`. */
  readonly children: Subtree[];
  /** Number of elements, its own included. */
  elements: number;
}

/** Collects subtrees while the document is parsed. */
export interface UseCounter {
  open(id: string | undefined, targets: readonly string[]): void;
  close(): void;
  /** Number of elements with every copy counted; Infinity when a subtree contains itself. */
  total(): number;
}

/** Maximum number of steps into children and targets (chosen; renderers allow far fewer). */
const maxSteps = 1_000;

export function createUseCounter(): UseCounter {
  const root: Subtree = { targets: [], children: [], elements: 0 };
  let current = root;
  const ancestors: Subtree[] = [];
  const byId = new Map<string, Subtree>();
  return {
    open(id, targets) {
      ancestors.push(current);
      current = { targets, children: [], elements: 1 };
      if (id !== undefined && !byId.has(id)) byId.set(id, current);
    },
    close() {
      const closed = current;
      current = ancestors.pop() ?? root;
      current.elements += closed.elements;
      if (closed.targets.length > 0 || closed.children.length > 0) current.children.push(closed);
    },
    total: () => countElements(root, byId, new Map(), 0),
  };
}

function countElements(
  subtree: Subtree,
  byId: ReadonlyMap<string, Subtree>,
  counted: Map<Subtree, number>,
  steps: number,
): number {
  const known = counted.get(subtree);
  if (known !== undefined) return known;
  if (steps > maxSteps) return Infinity;
  // A subtree that is reached again while it is being counted contains itself.
  counted.set(subtree, Infinity);
  let count = subtree.elements;
  for (const id of subtree.targets) {
    const target = byId.get(id);
    if (target) count += countElements(target, byId, counted, steps + 1);
  }
  for (const child of subtree.children) {
    count += countElements(child, byId, counted, steps + 1) - child.elements;
  }
  counted.set(subtree, count);
  return count;
}
