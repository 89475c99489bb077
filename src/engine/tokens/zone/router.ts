/**
 * Finds the operation of a request: by host, then method, then a tree of path segments in which a literal segment
 * takes precedence over a variable, left to right (`chosen`).
 *
 * A tree has one path to each node, so that a request visits each node at most once.
 */

import { normalizePath, type Segment, variable } from "./path-template.ts";

/** A route; `value` is the result of a match. */
export interface Route<Value> {
  readonly host: string;
  readonly method: string;
  readonly segments: readonly Segment[];
  readonly value: Value;
}

interface RouteNode<Value> {
  readonly literals: Map<string, RouteNode<Value>>;
  /** The only literal, if there is exactly one: it is compared in place, without creating a string for the segment. */
  sole: { readonly text: string; readonly node: RouteNode<Value> } | undefined;
  variable: RouteNode<Value> | undefined;
  /** The value of the template that ends here. */
  value: Value | undefined;
}

/** Hosts, then methods, then the tree of the templates below. */
export type Router<Value> = ReadonlyMap<string, ReadonlyMap<string, RouteNode<Value>>>;

/** Builds a router. Of two equal routes the first one counts. */
export function createRouter<Value>(routes: readonly Route<Value>[]): Router<Value> {
  const hosts = new Map<string, Map<string, RouteNode<Value>>>();
  for (const route of routes) {
    const methods = getOrAdd(hosts, route.host, () => new Map<string, RouteNode<Value>>());
    const root = getOrAdd(methods, route.method, createNode<Value>);
    const end = route.segments.reduce(descend, root);
    end.value ??= route.value;
  }
  return hosts;
}

/** Finds the value of the matching route; undefined when none matches. */
export function findRoute<Value>(
  router: Router<Value>,
  host: string,
  method: string,
  path: string,
): Value | undefined {
  const root = router.get(host)?.get(method);
  return root && match(root, normalizePath(path), 1);
}

/** A string that is equal for templates that match the same paths. */
export function routePattern(segments: readonly Segment[]): string {
  return segments.map((segment) => (segment === variable ? "/{}" : `/${segment}`)).join("");
}

function createNode<Value>(): RouteNode<Value> {
  return { literals: new Map(), sole: undefined, variable: undefined, value: undefined };
}

function descend<Value>(node: RouteNode<Value>, segment: Segment): RouteNode<Value> {
  if (segment === variable) {
    node.variable ??= createNode();
    return node.variable;
  }
  const child = getOrAdd(node.literals, segment, createNode<Value>);
  node.sole = node.literals.size === 1 ? { text: segment, node: child } : undefined;
  return child;
}

/** Matches the path from an offset on; an offset beyond its end means that no segment is left. */
function match<Value>(node: RouteNode<Value>, path: string, from: number): Value | undefined {
  if (from > path.length) return node.value;
  const slash = path.indexOf("/", from);
  const end = slash === -1 ? path.length : slash;
  const literal = findLiteral(node, path, from, end);
  const found = literal && match(literal, path, end + 1);
  if (found !== undefined || node.variable === undefined || end === from) return found;
  return match(node.variable, path, end + 1);
}

function findLiteral<Value>(
  { sole, literals }: RouteNode<Value>,
  path: string,
  from: number,
  end: number,
): RouteNode<Value> | undefined {
  if (sole === undefined) return literals.size > 0 ? literals.get(path.slice(from, end)) : undefined;
  return sole.text.length === end - from && path.startsWith(sole.text, from) ? sole.node : undefined;
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const added = create();
  map.set(key, added);
  return added;
}
