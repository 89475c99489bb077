/** Values of the protocol from those of the editor functions: positions count UTF-16 code units from 0. */

import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  Hover,
  Range,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Level, Span } from "../../core/diagnostic.ts";
import type { Splice } from "../../core/json/edits.ts";
import type { CompletionOffer } from "../../editor/completion.ts";
import type { EditorFix, ShownDiagnostic } from "../../editor/findings.ts";
import type { HoverText } from "../../editor/hover.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";

export function rangeOf(text: TextDocument, { start, end }: Span): Range {
  return { start: text.positionAt(start), end: text.positionAt(end) };
}

export function textEdit(text: TextDocument, edit: Splice): TextEdit {
  return { range: rangeOf(text, edit), newText: edit.content };
}

/** `DiagnosticSeverity` of the protocol. */
const severities: Readonly<Record<Level, 1 | 2 | 3>> = { error: 1, warning: 2, note: 3 };

/** Maximum length of a message. */
const maxMessage = 2_000;

export function diagnosticOf(text: TextDocument, finding: ShownDiagnostic): Diagnostic {
  const message = finding.message.split("\n").map(escapeControlCharacters).join("\n");
  return {
    range: rangeOf(text, finding),
    severity: severities[finding.level],
    code: finding.rule,
    source: "edgeproof",
    message: message.slice(0, maxMessage),
  };
}

export function workspaceEdit(text: TextDocument, edits: readonly Splice[]): WorkspaceEdit {
  return { changes: { [text.uri]: edits.map((edit) => textEdit(text, edit)) } };
}

export function codeActionOf(text: TextDocument, finding: ShownDiagnostic, fix: EditorFix): CodeAction {
  return {
    title: escapeControlCharacters(fix.title).slice(0, 200),
    kind: "quickfix",
    diagnostics: [diagnosticOf(text, finding)],
    isPreferred: fix.isOnly,
    edit: workspaceEdit(text, fix.edits),
  };
}

/** `CompletionItemKind` of the protocol. */
const itemKinds: Readonly<Record<CompletionOffer["kind"], CompletionItem["kind"] & number>> = {
  field: 5,
  function: 3,
  operator: 24,
  combinator: 14,
  value: 12,
  id: 18,
};

export function completionItem(text: TextDocument, offer: CompletionOffer): CompletionItem {
  const { label, kind, detail, documentation } = offer;
  return {
    label: escapeControlCharacters(label),
    kind: itemKinds[kind],
    detail: escapeControlCharacters(detail),
    // The inserted text may begin with what was typed, although the label does not.
    filterText: kind === "id" ? `${offer.text} ${label}` : offer.text,
    ...(documentation !== undefined && { documentation: { kind: "markdown", value: documentation } }),
    textEdit: { range: rangeOf(text, offer), newText: offer.text },
  };
}

export function hoverOf(text: TextDocument, hover: HoverText): Hover {
  return { contents: { kind: "markdown", value: hover.text }, range: rangeOf(text, hover) };
}
