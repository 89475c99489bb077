/** Definitions and references of ids in open documents, and their rename. */
import { isUuid } from "../core/text/uuid.ts";
import { elementsOf, memberOf, stringOf, type TextNode } from "../core/text-tree/node.ts";
import { withArticle } from "../errors.ts";
import { configsFor, type DefinedId, type EditorDocument, type IdKind } from "./document.ts";
import { parseEmbedded } from "./expressions/language.ts";

/** An id where it is written. */
export interface WrittenId {
  readonly document: EditorDocument;
  readonly kind: IdKind;
  readonly id: string;
  /** Offset of the first character of the id, without quotes. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  readonly isDefinition: boolean;
  /** The definitions that it may mean; itself for a definition. */
  readonly definitions: readonly (DefinedId & { readonly document: EditorDocument })[];
}

/** Every id in a document. @param documents all open documents: those with worlds define the ids in requests */
export function idsIn(
  document: EditorDocument,
  documents: readonly EditorDocument[] = [document],
): readonly WrittenId[] {
  return [...definitionsIn(document), ...expressionIds(document), ...stringIds(document, documents)];
}

/** The id at an offset. */
export function idAt(
  document: EditorDocument,
  offset: number,
  documents: readonly EditorDocument[] = [document],
): WrittenId | undefined {
  return idsIn(document, documents).find(({ start, end }) => start <= offset && offset <= end);
}

/** Every place of the same id, in all open documents. */
export function placesOf(wanted: WrittenId, documents: readonly EditorDocument[]): readonly WrittenId[] {
  const nodes = new Set(wanted.definitions.map(({ node }) => node));
  return documents.flatMap((document) =>
    idsIn(document, documents).filter((id) => id.definitions.some(({ node }) => nodes.has(node))),
  );
}

/** The id without the quotes of its string. */
function contentOf(node: TextNode): { readonly start: number; readonly end: number } {
  const written = node.read?.();
  if (!written) return node;
  return { start: written.offsetOf(0), end: written.offsetOf(written.value.length) };
}

function definitionsIn(document: EditorDocument): readonly WrittenId[] {
  return document.ids.map((id) => {
    return {
      document,
      kind: id.kind,
      id: id.id,
      ...contentOf(id.node),
      isDefinition: true,
      definitions: [{ ...id, document }],
    };
  });
}

function expressionIds(document: EditorDocument): readonly WrittenId[] {
  return document.expressions.flatMap((expression) => {
    const { language, written } = expression;
    const parsed = language && written.isWhole ? parseEmbedded(language, written.value) : undefined;
    if (!parsed?.ok) return [];
    const configs = configsFor(document, expression);
    return parsed.value.references().map(({ id, span }): WrittenId => {
      const { start, end } = withoutQuotes(written.value, span);
      const definitions = configs
        .filter((config) => isSame(config.id, id))
        .map((config) => ({ ...config, document }));
      const places = { start: written.offsetOf(start), end: written.offsetOf(end) };
      return { document, kind: "configuration", id, ...places, isDefinition: false, definitions };
    });
  });
}

/** The span of the characters of a string literal: `"a"`, `r"a"`, `r#"a"#`. */
function withoutQuotes(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  const literal = text.slice(start, end);
  const opening = /^r?#*"/.exec(literal)?.[0].length ?? 0;
  const closing = /"#*$/.exec(literal)?.[0].length ?? 0;
  return { start: start + opening, end: end - closing };
}

/** Ids have no case. */
function isSame(id: string, other: string): boolean {
  return id.toLowerCase() === other.toLowerCase();
}

/** Ids in selectors, and in requests. */
function stringIds(document: EditorDocument, documents: readonly EditorDocument[]): readonly WrittenId[] {
  const inDocuments = (kind: IdKind, node: TextNode | undefined, owner?: TextNode): readonly WrittenId[] => {
    if (!node?.read) return [];
    const id = node.read().value;
    const definitions = documents.flatMap((other) =>
      other.ids
        .filter(
          (defined) => defined.kind === kind && isSame(defined.id, id) && (!owner || defined.owner === owner),
        )
        .map((defined) => ({ ...defined, document: other })),
    );
    return [{ document, kind, id, ...contentOf(node), isDefinition: false, definitions }];
  };
  const { root } = document.tree;
  if (document.kind === "world")
    return elementsOf(root, "zones").flatMap((zone) =>
      elementsOf(zone, "token_validation", "rules").flatMap((rule) =>
        elementsOf(rule, "selector", "exclude").flatMap((excluded) =>
          elementsOf(excluded, "operation_ids").flatMap((node) => inDocuments("operation", node, zone)),
        ),
      ),
    );
  if (document.kind !== "requests" || !root) return [];
  const requests = root.kind === "array" ? root.children : [root];
  return requests.flatMap((request) => {
    const expect = memberOf(request, "expect");
    const token = memberOf(request, "token");
    const tokens = token?.kind === "array" ? token.children : [token];
    return [
      ...tokens.flatMap((item) => inDocuments("configuration", memberOf(item, "config"))),
      ...inDocuments("rule", memberOf(expect, "rule")),
      ...elementsOf(expect, "logged").flatMap((node) => inDocuments("rule", node)),
    ];
  });
}

/** Why an id cannot get a name, as a sentence; undefined when it can. */
export function rejectRename(
  wanted: WrittenId,
  name: string,
  documents: readonly EditorDocument[],
): string | undefined {
  if (wanted.definitions.length === 0) return `The id \`${wanted.id}\` is defined in no open document.`;
  if (wanted.kind !== "operation" && !isUuid(name))
    return `The id of ${withArticle(wanted.kind)} must be a UUID; found \`${name}\`.`;
  if (!/^[\w-]{1,64}$/.test(name))
    return `An id must have 1 to 64 letters, digits, \`-\` and \`_\`; found \`${name}\`.`;
  const owners = new Set(wanted.definitions.map(({ owner }) => owner));
  const taken = documents.flatMap(({ ids }) =>
    ids.filter((id) => id.kind === wanted.kind && owners.has(id.owner) && isSame(id.id, name)),
  );
  const other = taken.find(({ node }) => wanted.definitions.every((own) => own.node !== node));
  return (
    other && `The zone has ${withArticle(wanted.kind)} with the id \`${name}\` already${titleOf(other)}.`
  );
}

function titleOf({ of }: DefinedId): string {
  const title = stringOf(of, "title");
  return title ? `: ${title}` : "";
}
