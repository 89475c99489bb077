/** The kind of a text in an editor, and the expressions and ids in it. The text may be broken. */

import { trimEndOf } from "../core/text/trim.ts";
import { readJsonTree } from "../core/text-tree/json.ts";
import {
  elementsOf,
  memberOf,
  pathOf,
  stringOf,
  type TextNode,
  type TextTree,
  type WrittenString,
  walk,
} from "../core/text-tree/node.ts";
import { readTerraformTree } from "../core/text-tree/terraform.ts";
import { readYamlTree } from "../core/text-tree/yaml.ts";
import type { RuleKind } from "../engine/tokens/expression/language/rule-kinds.ts";
import { kindAt } from "../engine/tokens/rulesets/input/other-rules.ts";

/** The languages of documents. */
export type DocumentFormat = "json" | "yaml" | "terraform";

/** The content of a document. */
export type DocumentKind = "world" | "requests" | "applications" | "terraform";

/** An expression in a document. */
export interface EmbeddedExpression {
  readonly node: TextNode;
  readonly written: WrittenString;
  /** Undefined for expressions of phases whose language is not known. */
  readonly language: RuleKind | undefined;
  /** The zone or account that has it; undefined in other documents. */
  readonly owner: TextNode | undefined;
}

/** The kinds of ids. */
export type IdKind = "configuration" | "rule" | "operation";

/** An id where it is defined. */
export interface DefinedId {
  readonly kind: IdKind;
  readonly id: string;
  /** The string of the id. */
  readonly node: TextNode;
  /** The object that has it. */
  readonly of: TextNode;
  /** The zone; undefined outside of world files. */
  readonly owner: TextNode | undefined;
}

/** A document, read once for each version of its text. */
export interface EditorDocument {
  /** A name or address whose ending is that of the file. */
  readonly name: string;
  readonly text: string;
  readonly format: DocumentFormat;
  readonly tree: TextTree;
  /** Undefined for a document that is not of this package. */
  readonly kind: DocumentKind | undefined;
  readonly expressions: readonly EmbeddedExpression[];
  readonly ids: readonly DefinedId[];
}

/** Maximum length of a text that is read for completion and the like, by format, in UTF-16 code units. `chosen` */
export const maxDocumentLength: Readonly<Record<DocumentFormat, number>> = {
  json: 8_388_608,
  // The lexer needs up to ten times as long.
  yaml: 524_288,
  terraform: 4_194_304,
};

const readers: Readonly<Record<DocumentFormat, (text: string) => TextTree>> = {
  json: readJsonTree,
  yaml: readYamlTree,
  terraform: readTerraformTree,
};

/** The format of a name: by its ending, else by the start of the text. */
export function formatOf(name: string, text: string): DocumentFormat {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  if (ending === "tf" || ending === "hcl") return "terraform";
  if (ending === "yaml" || ending === "yml") return "yaml";
  if (ending === "json" || ending === "jsonc") return "json";
  return /^\s*[^\s{["]/.test(text) ? "yaml" : "json";
}

/**
 * Reads a text. Never throws.
 *
 * @param name a name or address, whose ending chooses the format
 */
export function readDocument(name: string, text: string): EditorDocument {
  const format = formatOf(name, text);
  const tree: TextTree = text.length > maxDocumentLength[format] ? { isCut: true } : readers[format](text);
  const kind = format === "terraform" ? terraformKind(text) : kindOf(tree.root);
  const isKnown = kind === "world" || kind === "terraform";
  const expressions = isKnown ? expressionsOf(tree.root, kind) : [];
  return { name, text, format, tree, kind, expressions, ids: kind === "world" ? idsOf(tree.root) : [] };
}

function terraformKind(text: string): DocumentKind | undefined {
  return /"cloudflare_\w+"/.test(text) ? "terraform" : undefined;
}

const applicationMembers = ["dns", "origin_direct", "origin_dns", "origin_port"];
const requestMembers = ["method", "headers", "expect", "token", "now", "zone", "ip"];

function kindOf(root: TextNode | undefined): DocumentKind | undefined {
  if (!root) return undefined;
  const zones = [...elementsOf(root, "zones"), ...elementsOf(root, "accounts")];
  if (root.kind === "object" && (zones.some(isOwner) || memberOf(root, "api_tokens"))) return "world";
  const first = root.kind === "array" ? root.children[0] : root;
  if (first?.kind !== "object") return undefined;
  const has = (names: readonly string[]) => names.some((name) => memberOf(first, name));
  if (memberOf(first, "protocol") && has(applicationMembers)) return "applications";
  return stringOf(first, "url") !== undefined && has(requestMembers) ? "requests" : undefined;
}

const ownerMembers = ["token_validation", "rulesets", "lists", "proxy", "brand", "images", "account_id"];

function isOwner(node: TextNode): boolean {
  return memberOf(node, "id") !== undefined || ownerMembers.some((name) => memberOf(node, name));
}

function expressionsOf(root: TextNode | undefined, kind: DocumentKind): readonly EmbeddedExpression[] {
  const found: EmbeddedExpression[] = [];
  for (const node of walk(root)) {
    const name = node.name?.text;
    if ((name !== "expression" && name !== "counting_expression") || !node.read) continue;
    const place = kind === "terraform" ? placeInTerraform(node) : placeInWorld(node);
    if (!place) continue;
    const { read } = node;
    found.push({
      node,
      get written() {
        return read();
      },
      ...place,
    });
  }
  return found;
}

type Place = Pick<EmbeddedExpression, "language" | "owner">;

function placeInWorld(node: TextNode): Place | undefined {
  const [list, , area, ...rest] = pathOf(node);
  const around = ancestors(node);
  const owner = around.at(-3);
  if (list === "zones" && area === "token_validation" && rest[0] === "rules" && rest.length === 3)
    return { language: "token", owner };
  if ((list !== "zones" && list !== "accounts") || area !== "rulesets" || rest[1] !== "rules")
    return undefined;
  return { language: languageIn(around.at(-5), rest.slice(2)), owner };
}

/** @param path from the list of rules on */
function languageIn(ruleset: TextNode | undefined, path: readonly (string | number)[]): RuleKind | undefined {
  return kindAt(
    stringOf(ruleset, "phase"),
    path.filter((part) => typeof part === "string"),
  );
}

/** The values around a value, the innermost first. */
function ancestors(node: TextNode): readonly TextNode[] {
  const found: TextNode[] = [];
  for (let at = node.parent; at; at = at.parent) found.push(at);
  return found;
}

/** By the type of the resource around it. */
function placeInTerraform(node: TextNode): Place | undefined {
  const around = ancestors(node);
  const resource = around.at(-4);
  const [keyword, type, , , ...path] = pathOf(node);
  if (keyword !== "resource" || !resource) return undefined;
  if (typeof type === "string" && type.startsWith("cloudflare_token_validation_"))
    return { language: "token", owner: undefined };
  if (type !== "cloudflare_ruleset") return undefined;
  return { language: languageIn(resource, path), owner: undefined };
}

const lists: readonly (readonly [kind: IdKind, list: string, member: string])[] = [
  ["configuration", "configs", "id"],
  ["rule", "rules", "id"],
  ["operation", "operations", "operation_id"],
];

function idsOf(root: TextNode | undefined): readonly DefinedId[] {
  return elementsOf(root, "zones").flatMap((owner) =>
    lists.flatMap(([kind, list, member]) =>
      elementsOf(owner, "token_validation", list).flatMap((of) => {
        const node = memberOf(of, member);
        return node?.read ? [{ kind, id: node.read().value, node, of, owner }] : [];
      }),
    ),
  );
}

/** The configurations that an expression can name: those of its zone, or for an account those of every zone. */
export function configsFor(
  { ids }: EditorDocument,
  { owner }: Pick<EmbeddedExpression, "owner">,
): readonly DefinedId[] {
  const configs = ids.filter(({ kind }) => kind === "configuration");
  const isZone = configs.some((config) => config.owner === owner) || owner?.parent?.name?.text === "zones";
  return isZone ? configs.filter((config) => config.owner === owner) : configs;
}

/** The expression around an offset, and the offset in its value. White space at its end belongs to it. */
export function expressionAt(
  document: EditorDocument,
  offset: number,
): { readonly expression: EmbeddedExpression; readonly index: number; readonly gap: string } | undefined {
  const before = blanksBefore(document.text, offset);
  const inside = document.expressions.find(({ node }) => node.start <= offset && offset <= node.end);
  const expression =
    inside ?? document.expressions.find(({ node }) => node.end === offset - before && before > 0);
  if (!expression) return undefined;
  const { written } = expression;
  const gap = inside ? "" : " ".repeat(before);
  return { expression, index: indexAt(written, offset), gap };
}

/** The index of the last code unit that begins at or before an offset, by bisection. */
export function indexAt({ value, offsetOf }: WrittenString, offset: number): number {
  let low = 0;
  let high = value.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsetOf(middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of blanks and tabs before an offset, of the last 200 characters. */
function blanksBefore(text: string, offset: number): number {
  const before = text.slice(Math.max(0, offset - 200), offset);
  return before.length - trimEndOf(before, " \t").length;
}
