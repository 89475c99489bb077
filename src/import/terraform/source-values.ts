/** The values of expressions in the sources of Terraform: literals, and references to what is defined by literals. */

import { addTo } from "../../core/groups.ts";
import { memberOf, type TextNode } from "../../core/text-tree/node.ts";
import { partsOf, type TemplatePart, templateParts } from "../../core/text-tree/terraform-template.ts";
import { sensitiveValue, unknownValue } from "./instance.ts";

/** An expression whose value is not known. */
export interface UnknownExpression {
  /** Its source, without the white space around it. */
  readonly text: string;
  /** The names in it, such as `var.host`. */
  readonly references: readonly string[];
  /** The offset, in the text of the block, of the value that it is in. */
  readonly start: number;
}

/** A value, in which unknown parts are `unknownValue`, and sensitive ones `sensitiveValue`. */
export interface SourceValue {
  readonly value: unknown;
  readonly unknown: readonly UnknownExpression[];
}

/** A definition of a local value or a variable. */
export interface Definition {
  readonly text: string;
  /** Absent for a variable without a default. */
  readonly node?: TextNode;
  readonly convert?: (value: unknown) => unknown;
  readonly isSensitive?: boolean;
}

/** The names that expressions can have. */
export interface SourceScope {
  /** By names such as `local.host`; undefined for a name that is not defined, or twice. */
  readonly definitionOf: (name: string) => Definition | undefined;
  /** The id of a resource by its address; undefined when it is not derived. */
  readonly idOf: (address: string) => string | undefined;
}

/** Maximum number of values and references in each other, and of values and characters that references repeat. `chosen` */
const limits = { depth: 400, repeated: 2_000_000 } as const;

const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const constants: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const definition = /^((?:var|local)\.[A-Za-z_][\w-]*)((?:\.[A-Za-z_][\w-]*|\[\d+\]|\["[^"\\$%]*"\])*)$/;
const steps = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\["([^"]*)"\]/g;
const resourceId = /^((?:data\.)?[A-Za-z]\w*\.[A-Za-z_][\w-]*)\.(?:id|zone_id)$/;
const reference = /(?<![\w.-])[A-Za-z_][\w-]*(?:\.[\w-]+|\[(?:"[^"\\\n]*"|\d+)\])+/g;
/** Strings in expressions have names with dots too, such as those of fields; types of resources have an underscore. */
const referenceStart = /^(?:(?:var|local|data|module|each|count|path)\b|[^.[]*_)/;

/** The names in an expression, each once. */
function referencesOf(source: string): readonly string[] {
  return [...new Set(source.match(reference) ?? [])].filter((name) => referenceStart.test(name));
}

/** Whether a value in a template is printed as here: numbers of other forms are printed otherwise. */
function isPrintable(value: unknown): boolean {
  if (typeof value === "number") return /^-?\d{1,15}(?:\.\d{1,9})?$/.test(String(value));
  return typeof value === "string" || typeof value === "boolean";
}

/** Members of a block that say how its resource is managed, not what it is. */
const managing = new Set([
  "connection",
  "count",
  "depends_on",
  "for_each",
  "lifecycle",
  "provider",
  "provisioner",
  "timeouts",
]);

/** A member of a block, and its source. */
export interface MemberValue extends SourceValue {
  readonly source: string;
}

/**
 * Evaluates the members of blocks of one module, in the form of a plan: repeated blocks are lists. A dynamic block is an
 * unknown element, since it can make any number of blocks.
 */
export type EvaluateBlock = (text: string, block: TextNode) => ReadonlyMap<string, MemberValue>;

interface BlockMember {
  readonly node: TextNode;
  readonly isDynamic: boolean;
}

/** The attributes and blocks by name. */
function membersOf({ children }: TextNode): ReadonlyMap<string, readonly BlockMember[]> {
  const members = new Map<string, BlockMember[]>();
  for (const child of children) {
    const isDynamic = child.name?.text === "dynamic" && child.children[0]?.isBlock === true;
    const node = isDynamic ? (child.children[0] ?? child) : child;
    const name = node.name?.text ?? "";
    if (managing.has(name)) continue;
    addTo(members, name, { node, isDynamic });
  }
  return members;
}

/** Each definition is evaluated once. */
export function createEvaluator(scope: SourceScope): EvaluateBlock {
  const known = new Map<string, SourceValue & { readonly size: number }>();
  const open = new Set<string>();
  /** The offset of the value of the block that is read. */
  let start = 0;
  let depth = 0;
  let size = 0;
  let repeated = 0;
  let unknown: UnknownExpression[] = [];

  function leave(text: string, given?: readonly string[]): symbol {
    const source = text.trim();
    unknown.push({ text: source, references: given ?? referencesOf(source), start });
    return unknownValue;
  }

  function read(text: string, node: TextNode): unknown {
    const source = text.slice(node.start, node.end);
    if (open.size === 0) start = node.start;
    if (node.isPart || depth >= limits.depth) return leave(source);
    size++;
    depth++;
    try {
      if (node.kind === "array") return node.children.map((child) => read(text, child));
      if (node.isBlock) return Object.fromEntries(entriesOf(text, node));
      if (node.kind === "object") return objectOf(text, node);
      if (node.kind === "other") return expressionOf(source);
      const parts = templateParts(text, node);
      return parts ? templateOf(parts, source) : leave(source);
    } finally {
      depth--;
    }
  }

  function objectOf(text: string, node: TextNode): unknown {
    const entries: [string, unknown][] = [];
    for (const child of node.children) {
      const name = keyOf(text, child);
      if (name === undefined) return leave(text.slice(node.start, node.end));
      entries.push([name, read(text, child)]);
    }
    return Object.fromEntries(entries);
  }

  function entriesOf(text: string, block: TextNode): readonly (readonly [string, unknown])[] {
    return [...membersOf(block)].map(([name, nodes]) => [name, memberValue(text, nodes)] as const);
  }

  function memberValue(text: string, members: readonly BlockMember[]): unknown {
    const [first, ...more] = members;
    if (first && more.length === 0 && !first.node.isBlock) return read(text, first.node);
    if (members.some(({ node }) => !node.isBlock)) return leave(first?.node.name?.text ?? "");
    return members.map(({ node, isDynamic }) => {
      if (!isDynamic) return read(text, node);
      const forEach = memberOf(node, "for_each");
      if (open.size === 0) start = node.start;
      return leave(text.slice(forEach?.start ?? 0, forEach?.end ?? 0));
    });
  }

  /** Undefined for a computed name. */
  function keyOf(text: string, { name }: TextNode): string | undefined {
    if (!name || text[name.start] === "(") return undefined;
    if (text[name.start] !== '"') return name.text;
    const parts = partsOf(text, name.start + 1, name.end - 1, true);
    const key = parts && templateOf(parts, name.text);
    return typeof key === "string" ? key : undefined;
  }

  function templateOf(parts: readonly TemplatePart[], source: string): unknown {
    const values = parts.map((part) => ("literal" in part ? part.literal : expressionOf(part.expression)));
    const [only, ...more] = parts;
    if (only && "expression" in only && more.length === 0) return values[0];
    const mark = values.find((value) => typeof value === "symbol");
    if (mark !== undefined) return values.includes(unknownValue) ? unknownValue : mark;
    if (!values.every(isPrintable)) return leave(source);
    const joined = values.join("");
    size += joined.length;
    return joined;
  }

  function expressionOf(given: string): unknown {
    const source = given.trim();
    if (Object.hasOwn(constants, source)) return constants[source];
    if (number.test(source)) return Number(source);
    const [, name, rest = ""] = definition.exec(source) ?? [];
    if (name !== undefined) return elementAt(definedValue(name), rest, source);
    const [, address = ""] = resourceId.exec(source) ?? [];
    return scope.idOf(address) ?? leave(source);
  }

  /** A value, and what in it is unknown is unknown here too. */
  function definedValue(name: string): unknown {
    const found = known.get(name) ?? define(name);
    size += found.size;
    repeated += found.size + found.unknown.length;
    if (repeated > limits.repeated) return leave(name);
    for (const expression of found.unknown) unknown.push({ ...expression, start });
    return found.value;
  }

  function define(name: string) {
    const found = scope.definitionOf(name);
    const outside = { unknown, size };
    unknown = [];
    size = 0;
    let value: unknown;
    if (!found?.node || open.has(name)) value = leave(name, [name]);
    else {
      open.add(name);
      value = read(found.text, found.node);
      value = typeof value === "symbol" ? value : (found.convert?.(value) ?? value);
      open.delete(name);
      if (found.isSensitive) value = sensitiveValue;
    }
    const defined = { value, unknown, size };
    known.set(name, defined);
    ({ unknown, size } = outside);
    return defined;
  }

  /** Its element or member at a path such as `.hosts[0]`. */
  function elementAt(value: unknown, path: string, source: string): unknown {
    let at = value;
    for (const [, name, index, key] of path.matchAll(steps)) {
      if (typeof at === "symbol") return at;
      const member = name ?? key ?? Number(index);
      const isThere = typeof at === "object" && at !== null && Object.hasOwn(at, member);
      if (!isThere || Array.isArray(at) !== (index !== undefined)) return leave(source);
      at = (at as Readonly<Record<string | number, unknown>>)[member];
    }
    return at;
  }

  return (text, block) => {
    const values = new Map<string, MemberValue>();
    for (const [name, members] of membersOf(block)) {
      unknown = [];
      size = 0;
      const value = memberValue(text, members);
      const { node } = members[0] ?? {};
      values.set(name, { value, unknown, source: text.slice(node?.start ?? 0, node?.end ?? 0).trim() });
    }
    return values;
  };
}
