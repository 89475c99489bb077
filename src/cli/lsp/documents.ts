/** The open documents of the editor, with their findings. */
import type { TextDocument } from "vscode-languageserver-textdocument";
import { createOffsetIndex } from "../../core/line-index.ts";
import { type EditorDocument, readDocument } from "../../editor/document.ts";
import { editsOfPatch, expressionFindings, type ShownDiagnostic } from "../../editor/findings.ts";
import type { TextDiagnostic } from "./analysis/analyze-buffer.ts";

/** An open document. */
export interface OpenDocument {
  readonly text: TextDocument;
  /** Read once for each version, when it is asked for. */
  readonly read: () => EditorDocument;
  /** The findings of the last analysis, moved with the text. */
  analyzed: readonly ShownDiagnostic[];
  /** The accepted findings of the last analysis, moved with the text. */
  accepted: readonly ShownDiagnostic[];
  /** The files and folders that the last analysis has read. */
  inputs: ReadonlySet<string>;
}

/** Endings of names by the languages of editors. */
const endings: Readonly<Record<string, string>> = {
  json: ".json",
  jsonc: ".jsonc",
  yaml: ".yaml",
  terraform: ".tf",
  hcl: ".tf",
  "terraform-vars": ".tfvars",
};

/** The file name of an address; a new document has only a language. */
export function nameOf({ uri, languageId }: Pick<TextDocument, "uri" | "languageId">): string {
  const [path = ""] = uri.split(/[?#]/, 1);
  const name = path.split(/[/\\]/).at(-1) || "document";
  const isKnown = /\.(?:json|jsonc|ya?ml|tf|hcl)$/i.test(name);
  return isKnown ? name : `${name}${endings[languageId] ?? ""}`;
}

export function openDocument(text: TextDocument): OpenDocument {
  let known: { readonly version: number; readonly document: EditorDocument } | undefined;
  return {
    text,
    read: () => {
      if (known?.version !== text.version)
        known = { version: text.version, document: readDocument(nameOf(text), text.getText()) };
      return known.document;
    },
    analyzed: [],
    accepted: [],
    inputs: new Set(),
  };
}

/** The findings of an analysis of the current text, in it. */
export function placeFindings(
  document: EditorDocument,
  findings: readonly TextDiagnostic[],
): readonly ShownDiagnostic[] {
  const { text } = document;
  const shift = text.startsWith("\ufeff") ? 1 : 0;
  const offsetAt = createOffsetIndex(text.slice(shift));
  return findings.map(({ rule, level, message, range, fix, base }) => {
    const start = shift + offsetAt(range.start);
    const end = Math.max(start, shift + offsetAt(range.end));
    const edits = fix && editsOfPatch(document, fix, base);
    const fixes = edits?.length ? [{ title: `Fix: ${message.split("\n")[0]}`, edits, isOnly: true }] : [];
    return { rule, level, message, start, end, fixes };
  });
}

/**
 * All findings of a document. An error of an expression is that of its own check, which knows its place; the analysis
 * reports the same at the whole expression.
 */
export function findingsOf({ read, analyzed, accepted }: OpenDocument): readonly ShownDiagnostic[] {
  const document = read();
  const starts = new Set(document.expressions.map(({ node }) => node.start));
  const placesOf = ({ start }: ShownDiagnostic): readonly number[] => {
    const node = document.expressions.find(
      (expression) => expression.node.start <= start && start <= expression.node.end,
    )?.node;
    if (document.kind !== "terraform") return [node?.start ?? start];
    return [startOfBlock(document.text, start), node?.name?.start ?? start];
  };
  const isAccepted = (diagnostic: ShownDiagnostic) =>
    accepted.some(({ rule, start }) => rule === diagnostic.rule && placesOf(diagnostic).includes(start));
  const found = expressionFindings(document);
  const known = document.kind === "terraform" ? new Set(found.flatMap(placesOf)) : starts;
  const rest = analyzed.filter(({ rule, start }) => {
    return (rule !== "invalid" && rule !== "unknown-config") || !known.has(start);
  });
  const own = accepted.length === 0 ? found : found.filter((diagnostic) => !isAccepted(diagnostic));
  return [...own, ...rest].sort((a, b) => a.start - b.start);
}

/** The start of the resource around an offset, which is the place of what a plan says about it, unless it is at an attribute. */
function startOfBlock(text: string, offset: number): number {
  const blocks = [...text.slice(0, offset).matchAll(/^[ \t]*(?=(?:resource|data)[ \t]+")/gm)];
  const last = blocks.at(-1);
  return last ? last.index + last[0].length : -1;
}

/** Findings after a change of the text: those behind it are moved, those that it touches are dropped. */
export function moveFindings(
  findings: readonly ShownDiagnostic[],
  before: string,
  after: string,
): readonly ShownDiagnostic[] {
  if (findings.length === 0) return findings;
  const limit = Math.min(before.length, after.length);
  let first = 0;
  while (first < limit && before.charCodeAt(first) === after.charCodeAt(first)) first++;
  let last = 0;
  while (
    last < limit - first &&
    before.charCodeAt(before.length - 1 - last) === after.charCodeAt(after.length - 1 - last)
  )
    last++;
  const shift = after.length - before.length;
  return findings.flatMap((finding) => {
    if (finding.end < first) return [withoutFixes(finding, 0)];
    return finding.start > before.length - last ? [withoutFixes(finding, shift)] : [];
  });
}

/** The fixes are of the earlier text. */
function withoutFixes(finding: ShownDiagnostic, shift: number): ShownDiagnostic {
  return { ...finding, start: finding.start + shift, end: finding.end + shift, fixes: [] };
}
