/** Finds the path templates that overlap with another one, without comparing every pair. */

import { type Segment, variable } from "../../zone/path-template.ts";

interface TemplateNode<Value> {
  readonly children: Map<Segment, TemplateNode<Value>>;
  /** The values of the templates that end here, with their positions in the list. */
  readonly ends: (readonly [position: number, value: Value])[];
}

/** Values by path template. */
export interface TemplateIndex<Value> {
  /** The values whose templates match some path that the given one matches, in their order. */
  overlapping(template: readonly Segment[]): readonly Value[];
}

/** Builds an index of values with templates. */
export function indexTemplates<Value extends { readonly segments: readonly Segment[] }>(
  values: readonly Value[],
): TemplateIndex<Value> {
  const root = createNode<Value>();
  for (const [position, value] of values.entries()) {
    value.segments.reduce(descend, root).ends.push([position, value]);
  }
  return {
    overlapping: (template) => {
      const ends = template.reduce(
        (nodes: readonly TemplateNode<Value>[], segment) => nodes.flatMap((node) => follow(node, segment)),
        [root],
      );
      const found = ends.flatMap((node) => node.ends).sort(([a], [b]) => a - b);
      return found.map(([, value]) => value);
    },
  };
}

function createNode<Value>(): TemplateNode<Value> {
  return { children: new Map(), ends: [] };
}

function descend<Value>({ children }: TemplateNode<Value>, segment: Segment): TemplateNode<Value> {
  const child = children.get(segment) ?? createNode<Value>();
  children.set(segment, child);
  return child;
}

/** The children for a segment: a variable matches every literal that is not empty. */
function follow<Value>({ children }: TemplateNode<Value>, segment: Segment): readonly TemplateNode<Value>[] {
  if (segment === variable) return [...children].flatMap(([own, child]) => (own === "" ? [] : [child]));
  const [literal, any] = [children.get(segment), segment === "" ? undefined : children.get(variable)];
  return [literal, any].flatMap((child) => child ?? []);
}
