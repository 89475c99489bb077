/** The JSON value of a YAML document and the offsets of its parts; aliases are resolved within bounds. */

import {
  type Alias,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { counted, pointer, quote } from "../../errors.ts";
import type { Span } from "../diagnostic.ts";

/** Maximum length of the name of an anchor that a message has, in characters. */
const maxShownName = 20;

/** Maximum nesting in levels, aliases included. The parser recurses, and would end the process at some thousand levels. */
export const maxYamlDepth = 100;

/** Maximum number of values and characters of strings that all aliases of a text repeat. */
export const maxYamlRepetition = 1_000_000;

/** Stops reading at an offset; `parseYamlSource` catches it. */
export class YamlStop {
  readonly offset: number;
  readonly message: string;
  constructor(offset: number, message: string) {
    this.offset = offset;
    this.message = message;
  }
}

/** A node of a document; null where the text has nothing. */
type Node = Document.Parsed["contents"];

type Resolved = Exclude<NonNullable<Node>, Alias.Parsed>;
type Collection = Exclude<Resolved, Scalar.Parsed>;

/** The value of a document. */
export interface YamlValue {
  readonly value: unknown;
  /** Offsets of the value at an RFC 6901 pointer, or of the innermost existing value around it. */
  spanOf(pointer: string): Span;
}

/** Checks the nesting without recursion. @throws {YamlStop} */
export function assertDepth(document: CST.Document): void {
  const open: { readonly token: CST.Token; readonly depth: number }[] = [];
  const add = (token: CST.Token | null | undefined, depth: number) => {
    if (token) open.push({ token, depth });
  };
  add(document.value, 0);
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > maxYamlDepth) throw tooDeep(token.offset);
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      add(key, depth + 1);
      add(value, depth + 1);
    }
  }
}

function tooDeep(offset: number): YamlStop {
  return new YamlStop(offset, `the value is nested in more than ${counted(maxYamlDepth, "level")}`);
}

/** Reads the value of a document. @throws {YamlStop} */
export function readValue(root: Node): YamlValue {
  const targets = resolveAliases(root);
  return { value: convert(root, targets), spanOf: (at) => spanOf(root, targets, at) };
}

type Targets = ReadonlyMap<Alias.Parsed, Resolved>;

/** The node that each alias repeats: the last one before it with its anchor. */
function resolveAliases(root: Node): Targets {
  const anchors = new Map<string, Resolved>();
  const targets = new Map<Alias.Parsed, Resolved>();
  const open = new Set<Node>();

  function visit(node: Node): void {
    if (node === null) return;
    if (isAlias(node)) {
      resolve(node);
      return;
    }
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isScalar(node)) return;
    open.add(node);
    for (const child of childrenOf(node)) visit(child);
    open.delete(node);
  }

  function resolve(node: Alias.Parsed): void {
    const target = anchors.get(node.source);
    const [offset] = node.range;
    // A secret without quotes can begin with `*`.
    const name = node.source.length > maxShownName ? "" : ` ${quote(node.source)}`;
    if (!target) throw new YamlStop(offset, `no value before this alias has the anchor${name}`);
    if (open.has(target))
      throw new YamlStop(offset, `the alias${name} is inside of the value that it repeats`);
    targets.set(node, target);
  }

  visit(root);
  return targets;
}

/** The node that an alias repeats, or the node itself. */
function resolved(node: Node, targets: Targets): Resolved | null {
  if (node === null || !isAlias(node)) return node;
  return targets.get(node) ?? null;
}

/** The elements of a sequence; the keys and values of a mapping. */
function childrenOf(node: Collection): readonly Node[] {
  return isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : node.items;
}

function convert(root: Node, targets: Targets): unknown {
  let repeated = 0;

  function value(given: Node, depth: number, isInAlias: boolean): unknown {
    const node = resolved(given, targets);
    if (node === null) return null;
    const isRepeated = isInAlias || node !== given;
    if (isRepeated) count(node);
    if (depth > maxYamlDepth) throw tooDeep(node.range[0]);
    if (isScalar(node)) return scalarValue(node);
    if (!isMap(node)) return node.items.map((item) => value(item, depth + 1, isRepeated));
    const members = [...membersOf(node)];
    return Object.fromEntries(members.map(([name, member]) => [name, value(member, depth + 1, isRepeated)]));
  }

  function count(node: Resolved): void {
    const length = isScalar(node) && typeof node.value === "string" ? node.value.length : 0;
    repeated += 1 + length;
    if (repeated <= maxYamlRepetition) return;
    const message = `aliases repeat more than ${maxYamlRepetition} values and characters`;
    throw new YamlStop(node.range[0], message);
  }

  return value(root, 0, false);
}

/** The members of a mapping by name. @throws {YamlStop} for a repeated key and a merge key */
function membersOf(node: YAMLMap.Parsed): ReadonlyMap<string, Node> {
  const members = new Map<string, Node>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : "";
    if (name === "<<" && isScalar(key) && key.type === "PLAIN") {
      const message =
        "merge keys (`<<`) are not read; repeat the members, or repeat a whole value by an alias";
      throw new YamlStop(key.range[0], message);
    }
    if (members.has(name)) throw new YamlStop(offsetOfNode(key), `the key ${quote(name)} is repeated`);
    members.set(name, value);
  }
  return members;
}

/** A number of a text that begins like an integer, as YAML's core schema reads it. */
const integer = /^[-+]?(?:\d+|0o[0-7]+|0x[\da-fA-F]+)$/;

function scalarValue({ value, source = "", range }: Scalar.Parsed): unknown {
  if (typeof value !== "number") return value;
  const isExact = !integer.test(source) || Number.isSafeInteger(value);
  if (Number.isFinite(value) && isExact) return value;
  const reason = isExact ? "is no number of JSON" : "is too large for an exact number";
  throw new YamlStop(range[0], `${quote(source)} ${reason}; put it in quotes when it is text`);
}

function offsetOfNode(node: Node): number {
  return node?.range[0] ?? 0;
}

function spanOf(root: Node, targets: Targets, at: string): Span {
  let node = root;
  for (const segment of at.split("/").slice(1)) {
    const parent = resolved(node, targets);
    const child = parent === null || isScalar(parent) ? undefined : childAt(parent, segment);
    if (!child) break;
    node = child;
  }
  const [start, end] = node?.range ?? [0, 0];
  return { start, end };
}

function childAt(node: Collection, segment: string): Node | undefined {
  if (!isMap(node)) return node.items[Number(segment)];
  const pair = node.items.find(({ key }) => isScalar(key) && pointer(String(key.value)) === `/${segment}`);
  return pair?.value;
}
