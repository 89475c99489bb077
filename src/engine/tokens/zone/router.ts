/**
 * Finds the operation of a request: by host, then method, then a tree of path segments in which a literal segment
 * takes precedence over a variable, left to right (`chosen`).
 *
 * Hosts with variables are a tree of labels in the same order. They are tried after the host itself; the first host
 * that has an operation for method and path counts.
 *
 * A tree has one path to each node, so that a request visits each node at most once.
 */

import { hostVariable, isHostTemplate } from "./host-template.ts";
import { normalizePath, type Segment, variable } from "./path-template.ts";

/** A route; `value` is the result of a match. */
export interface Route<Value> {
  /** In normal form; may have variables. */
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

/** The trees of path segments by method. */
type Methods<Value> = Map<string, RouteNode<Value>>;

/** A node of the tree of labels of hosts with variables. */
interface HostNode<Value> {
  readonly literals: Map<string, HostNode<Value>>;
  variable: HostNode<Value> | undefined;
  /** The routes of the host that ends here. */
  methods: Methods<Value> | undefined;
}

/** Routes by host. */
export interface Router<Value> {
  /** The routes of hosts without variables. */
  readonly hosts: ReadonlyMap<string, Methods<Value>>;
  /** Absent when no host has variables. */
  readonly templates: HostNode<Value> | undefined;
}

/** Builds a router. Of two equal routes the first one counts. */
export function createRouter<Value>(routes: readonly Route<Value>[]): Router<Value> {
  const hosts = new Map<string, Methods<Value>>();
  const templates = createHostNode<Value>();
  let hasTemplates = false;
  for (const route of routes) {
    const isTemplate = isHostTemplate(route.host);
    hasTemplates ||= isTemplate;
    const methods = isTemplate
      ? methodsOfTemplate(templates, route.host)
      : getOrAdd(hosts, route.host, () => new Map<string, RouteNode<Value>>());
    const root = getOrAdd(methods, route.method, createNode<Value>);
    const end = route.segments.reduce(descend, root);
    end.value ??= route.value;
  }
  return { hosts, templates: hasTemplates ? templates : undefined };
}

function createHostNode<Value>(): HostNode<Value> {
  return { literals: new Map(), variable: undefined, methods: undefined };
}

/** The routes of a template of hosts, which is added to the tree. */
function methodsOfTemplate<Value>(root: HostNode<Value>, template: string): Methods<Value> {
  let node = root;
  for (const label of template.split(".")) {
    if (label === hostVariable) node = node.variable ??= createHostNode();
    else node = getOrAdd(node.literals, label, createHostNode<Value>);
  }
  node.methods ??= new Map();
  return node.methods;
}

/** Finds the value of the matching route; undefined when none matches. */
export function findRoute<Value>(
  { hosts, templates }: Router<Value>,
  host: string,
  method: string,
  path: string,
): Value | undefined {
  const root = hosts.get(host)?.get(method);
  const found = root && match(root, normalizePath(path), 1);
  if (found !== undefined || templates === undefined) return found;
  return matchHost(templates, host.split("."), 0, method, normalizePath(path));
}

/** Matches the labels of a host from an index on, then method and path. */
function matchHost<Value>(
  node: HostNode<Value>,
  labels: readonly string[],
  index: number,
  method: string,
  path: string,
): Value | undefined {
  const label = labels[index];
  if (label === undefined) {
    const root = node.methods?.get(method);
    return root && match(root, path, 1);
  }
  const literal = node.literals.get(label);
  const found = literal && matchHost(literal, labels, index + 1, method, path);
  if (found !== undefined || node.variable === undefined || label === "") return found;
  return matchHost(node.variable, labels, index + 1, method, path);
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
