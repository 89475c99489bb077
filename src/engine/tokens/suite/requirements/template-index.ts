/** Finds the path templates that match a path. */

import { type Segment, variable } from "../../zone/path-template.ts";

interface Node<Value> {
  readonly children: Map<Segment, Node<Value>>;
  readonly values: { readonly position: number; readonly value: Value }[];
}

/**
 * Creates a function that finds the values whose templates match the segments of a path, in the order of the entries. The
 * templates are in a tree of their segments.
 */
export function createTemplateIndex<Value>(
  entries: Iterable<readonly [template: readonly Segment[], value: Value]>,
): (path: readonly string[]) => readonly Value[] {
  const root = createNode<Value>();
  let position = 0;
  for (const [template, value] of entries)
    template.reduce(childOf, root).values.push({ position: position++, value });
  return (path) => {
    let nodes = [root];
    for (const segment of path) nodes = nodes.flatMap((node) => childrenFor(node, segment));
    return nodes
      .flatMap(({ values }) => values)
      .sort((a, b) => a.position - b.position)
      .map(({ value }) => value);
  };
}

function createNode<Value>(): Node<Value> {
  return { children: new Map(), values: [] };
}

function childOf<Value>({ children }: Node<Value>, segment: Segment): Node<Value> {
  const child = children.get(segment) ?? createNode<Value>();
  children.set(segment, child);
  return child;
}

/** A variable matches any segment that is not empty. */
function childrenFor<Value>({ children }: Node<Value>, segment: string): readonly Node<Value>[] {
  const names: readonly Segment[] = segment === "" ? [segment] : [segment, variable];
  return names.flatMap((name) => children.get(name) ?? []);
}
