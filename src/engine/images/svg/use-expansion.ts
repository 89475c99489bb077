/** How large an SVG becomes when every `use` is replaced by what it shows: ten levels of ten are ten thousand million. */

interface Shape {
  /** Ids, each of which may be that of the shape that this `use` shows. */
  readonly shows: readonly string[];
  /** Children that show something, themselves or in their children. */
  readonly showing: Shape[];
  /** Elements in it, itself included. */
  elements: number;
}

/** Collects shapes while the document is read. */
export interface UseCounter {
  open(id: string | undefined, shows: readonly string[]): void;
  close(): void;
  /** Elements of the document with every copy counted; Infinity when a shape shows itself. */
  total(): number;
}

/** Most steps from a shape to a child or to what it shows (chosen; renderers give up long before). */
const maxSteps = 1_000;

export function createUseCounter(): UseCounter {
  const document: Shape = { shows: [], showing: [], elements: 0 };
  const stack: Shape[] = [document];
  const named = new Map<string, Shape>();
  return {
    open(id, shows) {
      const shape: Shape = { shows, showing: [], elements: 1 };
      if (id !== undefined && !named.has(id)) named.set(id, shape);
      stack.push(shape);
    },
    close() {
      const shape = stack.pop()!;
      const parent = stack.at(-1)!;
      parent.elements += shape.elements;
      if (shape.shows.length > 0 || shape.showing.length > 0) parent.showing.push(shape);
    },
    total: () => sizeOf(document, named, new Map(), 0),
  };
}

function sizeOf(
  shape: Shape,
  named: ReadonlyMap<string, Shape>,
  known: Map<Shape, number>,
  steps: number,
): number {
  const before = known.get(shape);
  if (before !== undefined) return before;
  if (steps > maxSteps) return Infinity;
  // While it is being counted, meeting it again means that it shows itself.
  known.set(shape, Infinity);
  let size = shape.elements;
  for (const id of shape.shows) {
    const shown = named.get(id);
    if (shown) size += sizeOf(shown, named, known, steps + 1);
  }
  for (const child of shape.showing) size += sizeOf(child, named, known, steps + 1) - child.elements;
  known.set(shape, size);
  return size;
}
