/** Completion: words of expressions, ids with their titles, hosts, methods and paths of operations. */

import { trimOf } from "../core/text/trim.ts";
import { elementsOf, nodeAt, pathOf, stringOf, type TextNode } from "../core/text-tree/node.ts";
import { describeId } from "./describe-id.ts";
import { configsFor, type DefinedId, type EditorDocument, expressionAt, indexAt } from "./document.ts";
import { wordAtEnd } from "./expressions/completions.ts";
import type { VocabularyWord } from "./expressions/vocabulary.ts";
import { wordsOf } from "./expressions/vocabulary.ts";

/** One completion. */
export interface CompletionOffer {
  readonly label: string;
  readonly kind: VocabularyWord["kind"] | "value" | "id";
  /** A remark beside the label. */
  readonly detail: string;
  /** Markdown. */
  readonly documentation?: string;
  /** The text that replaces the characters from `start` to `end` of the document. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The completions at an offset.
 *
 * @param others the other open documents, whose worlds are those of requests
 */
export function completeAt(
  document: EditorDocument,
  offset: number,
  others: readonly EditorDocument[] = [],
): readonly CompletionOffer[] {
  const found = expressionAt(document, offset);
  if (found) return completeExpression(document, found, offset);
  return completeString(document, offset, others);
}

/** An offer before its place is known. */
type Offer = Omit<CompletionOffer, "start" | "end">;

function completeExpression(
  document: EditorDocument,
  { expression, index, gap }: NonNullable<ReturnType<typeof expressionAt>>,
  offset: number,
): readonly CompletionOffer[] {
  const { language, written, node, owner } = expression;
  if (language === undefined) return [];
  const before = written.value.slice(0, index) + gap;
  const { typed, offers } = offersAfter(before, {
    words: () => [...wordsOf(language).values()].map(wordOffer),
    configs: () => configsFor(document, expression).map(idOffer),
    values: (field) => valuesOf(document, owner, field).map((value) => valueOffer(value, field)),
  });
  // In a string that is closed, the rest of it is replaced too.
  const rest = isInString(before) ? /^[^"]*(?=")/.exec(written.value.slice(index))?.[0] : undefined;
  const start = typed === "" ? offset : Math.min(offset, written.offsetOf(before.length - typed.length));
  const end = rest === undefined ? offset : Math.max(offset, written.offsetOf(index + rest.length));
  const quote = isInString(before) && rest === undefined ? '"' : "";
  const isEscaped = document.text[node.start] === '"';
  const write = (text: string) => (isEscaped ? text.replace(/["\\]/g, "\\$&") : text);
  return offers.map((offer) => ({ ...offer, text: write(offer.text + quote), start, end }));
}

/** The offers of an expression, by kind. */
interface OfferSources {
  readonly words: () => readonly Offer[];
  readonly configs: () => readonly Offer[];
  readonly values: (field: string) => readonly Offer[];
}

/** The offers after the start of an expression, and what was typed of them. */
function offersAfter(
  before: string,
  { words, configs, values }: OfferSources,
): { readonly typed: string; readonly offers: readonly Offer[] } {
  if (!isInString(before)) return { typed: wordAtEnd(before), offers: words() };
  const start = before.lastIndexOf('"');
  const typed = before.slice(start + 1);
  const outside = before.slice(0, start).replaceAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?/g, '""');
  if (isBeforeConfig(outside.trimEnd())) return { typed, offers: configs() };
  const names = (outside.match(/[a-z_.]+/g) ?? []).map((name) => trimOf(name, "."));
  return { typed, offers: values(names.findLast((name) => name.includes(".")) ?? "") };
}

/** Whether the name of a configuration follows a text. */
function isBeforeConfig(text: string): boolean {
  const word = wordAtEnd(text.slice(0, -1).trimEnd());
  if (text.endsWith("(")) return word === "is_jwt_valid" || word === "is_jwt_present";
  return text.endsWith("[") && word.startsWith("http.request.jwt.claims");
}

function wordOffer({ name, kind, signature, help, apply = name }: VocabularyWord): Offer {
  return { label: name, kind, detail: signature, documentation: help, text: apply };
}

function valueOffer(value: string, detail: string): Offer {
  return { label: value, kind: "value", detail, text: value };
}

/** Whether a text ends inside of a quoted string. */
function isInString(before: string): boolean {
  return (before.replaceAll(/\\./g, "").match(/"/g)?.length ?? 0) % 2 === 1;
}

const operationMembers: Readonly<Record<string, string>> = {
  "http.host": "host",
  "http.request.method": "method",
  "http.request.uri.path": "endpoint",
};

/** The values of a field in the operations of a zone; hosts also of its selectors. */
function valuesOf(document: EditorDocument, owner: TextNode | undefined, field: string): readonly string[] {
  const member = operationMembers[field];
  if (member === undefined) return [];
  const zones = owner ? [owner] : elementsOf(document.tree.root, "zones");
  return distinct(
    zones.flatMap((zone) => [
      ...elementsOf(zone, "token_validation", "operations").flatMap((node) => stringOf(node, member) ?? []),
      ...(member === "host" ? selectorHosts(zone) : []),
    ]),
  );
}

function selectorHosts(zone: TextNode): readonly string[] {
  return elementsOf(zone, "token_validation", "rules").flatMap((rule) =>
    elementsOf(rule, "selector", "include").flatMap((include) =>
      elementsOf(include, "host").flatMap((host) => host.read?.().value ?? []),
    ),
  );
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

/** Completions in a string that is not an expression: hosts and ids, by the place of the string. */
function completeString(
  document: EditorDocument,
  offset: number,
  others: readonly EditorDocument[],
): readonly CompletionOffer[] {
  const { node, isName } = nodeAt(document.tree, offset);
  if (!node?.read || isName) return [];
  const written = node.read();
  const index = indexAt(written, offset);
  const start = written.offsetOf(0);
  const end = written.offsetOf(written.value.length);
  if (offset < start || offset > end) return [];
  const path = pathOf(node)
    .map((part) => (typeof part === "number" ? "*" : part))
    .join("/");
  const owner = zoneOf(node);
  const offers = stringOffers(document, path, owner, others, written.value.slice(0, index));
  return offers.map((offer) => ({ ...offer, start, end }));
}

function stringOffers(
  document: EditorDocument,
  path: string,
  owner: TextNode | undefined,
  others: readonly EditorDocument[],
  before: string,
): readonly Offer[] {
  const own = (kind: DefinedId["kind"]) =>
    document.ids.filter((id) => id.kind === kind && id.owner === owner);
  if (path === "zones/*/token_validation/rules/*/selector/include/*/host/*")
    return valuesOf(document, owner, "http.host").map((host) => valueOffer(host, "host"));
  if (path === "zones/*/token_validation/rules/*/selector/exclude/*/operation_ids/*")
    return own("operation").map(idOffer);
  if (document.kind !== "requests") return [];
  const worlds = others.filter(({ kind }) => kind === "world");
  const ofWorlds = (kind: DefinedId["kind"]) =>
    worlds.flatMap(({ ids }) => ids.filter((id) => id.kind === kind).map(idOffer));
  const member = path.replace(/^\*\//, "");
  if (member === "url") return urlOffers(worlds, before);
  if (/^token(?:\/\*)?\/config$/.test(member)) return ofWorlds("configuration");
  return /^expect\/(?:rule|logged\/\*)$/.test(member) ? ofWorlds("rule") : [];
}

/** The addresses of operations. */
function urlOffers(worlds: readonly EditorDocument[], before: string): readonly Offer[] {
  const scheme = before.startsWith("http:") ? "http" : "https";
  return worlds.flatMap(({ ids }) =>
    ids
      .filter(({ kind }) => kind === "operation")
      .map((id) => {
        const [method = "", host = "", endpoint = ""] = ["method", "host", "endpoint"].map(
          (name) => stringOf(id.of, name) ?? "",
        );
        const url = `${scheme}://${host}${endpoint}`;
        return { label: url, kind: "value" as const, detail: `${method} ${id.id}`, text: url };
      }),
  );
}

function idOffer(id: DefinedId): Offer {
  const label = stringOf(id.of, "title") || id.id;
  return { label, kind: "id", detail: id.id, documentation: describeId(id), text: id.id };
}

function zoneOf(node: TextNode): TextNode | undefined {
  for (let at: TextNode | undefined = node; at; at = at.parent)
    if (at.parent?.name?.text === "zones") return at;
  return undefined;
}
