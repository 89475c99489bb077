/** The findings about expressions that need no analysis: syntax errors and unknown configurations, with fixes. */

import type { Level } from "../core/diagnostic.ts";
import type { Splice } from "../core/json/edits.ts";
import type { PatchOperation } from "../core/json/patch.ts";
import { pointerSegments } from "../core/json-pointer.ts";
import { nearest } from "../core/suggest.ts";
import { memberOf, stringOf, type TextNode } from "../core/text-tree/node.ts";
import { analysisChecks } from "../engine/tokens/analysis/findings/checks.ts";
import { replaceSpan } from "../engine/tokens/expression/notes.ts";
import type { Fix, Span } from "../engine/tokens/expression/syntax-error.ts";
import { quote } from "../errors.ts";
import { configsFor, type EditorDocument, type EmbeddedExpression, indexAt } from "./document.ts";
import { parseEmbedded } from "./expressions/language.ts";
import { idsIn } from "./ids.ts";

/** A fix that an editor offers. */
export interface EditorFix {
  readonly title: string;
  readonly edits: readonly Splice[];
  /** Whether it is the only one. */
  readonly isOnly: boolean;
}

/** A finding in a document. */
export interface ShownDiagnostic {
  /** Id of its rule. */
  readonly rule: string;
  readonly level: Level;
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly fixes: readonly EditorFix[];
}

/** Maximum number of fixes of a finding. */
const maxFixes = 5;

/** The findings of every expression of a document, in its order. */
export function expressionFindings(document: EditorDocument): readonly ShownDiagnostic[] {
  const syntax = document.expressions.flatMap((expression) => syntaxFinding(document, expression) ?? []);
  return [...syntax, ...unknownConfigs(document)].sort((a, b) => a.start - b.start);
}

function syntaxFinding(
  document: EditorDocument,
  expression: EmbeddedExpression,
): ShownDiagnostic | undefined {
  const { language, written } = expression;
  if (language === undefined || !written.isWhole) return undefined;
  const parsed = parseEmbedded(language, written.value);
  if (parsed.ok) return undefined;
  const [error] = parsed.problems;
  const { line, column, message, span, fixes = [] } = error;
  return {
    rule: "invalid",
    level: "error",
    message: `At line ${line}, column ${column} of the expression: ${message}\n${analysisChecks.invalid.help}`,
    ...placeOf(expression, span),
    fixes: replacements(document, expression, fixes),
  };
}

/** The place of a part of an expression; an error at its end is at its last character. */
function placeOf({ written: { value, offsetOf }, node }: EmbeddedExpression, { start, end }: Span) {
  const first = Math.min(start, Math.max(0, value.trimEnd().length - 1));
  const from = Math.max(node.start, offsetOf(first));
  return { start: from, end: Math.max(from, offsetOf(Math.max(first, Math.min(end, value.length)))) };
}

/** The corrections of the parser as edits of the document. */
function replacements(
  document: EditorDocument,
  { written: { value, edit, offsetOf } }: EmbeddedExpression,
  fixes: readonly Fix[],
): readonly EditorFix[] {
  return fixes.slice(0, maxFixes).flatMap(({ span, replacement }) => {
    const found = value.slice(span.start, span.end);
    const start = offsetOf(span.start);
    // A part without escapes is replaced alone.
    const isPlain = /^[\w.]+$/.test(found + replacement) && document.text.startsWith(found, start);
    const alone = { start, end: start + found.length, content: replacement };
    const written = isPlain ? alone : edit(replaceSpan(value, span, replacement));
    return written
      ? [{ title: titleOf(found, replacement), edits: [written], isOnly: fixes.length === 1 }]
      : [];
  });
}

function titleOf(found: string, replacement: string): string {
  if (found === "") return `Insert ${quote(replacement)}`;
  return replacement.trim() === ""
    ? `Remove ${quote(found)}`
    : `Replace ${quote(found)} by ${quote(replacement)}`;
}

function unknownConfigs(document: EditorDocument): readonly ShownDiagnostic[] {
  if (document.kind !== "world") return [];
  const unknown = idsIn(document).filter(
    ({ kind, definitions }) => kind === "configuration" && definitions.length === 0,
  );
  return unknown.flatMap(({ id, start, end }) => {
    const expression = document.expressions.find(({ node }) => node.start <= start && end <= node.end);
    // The analysis reports those of custom rules: an account's rule may name the configuration of any zone.
    if (expression?.language !== "token") return [];
    const at = indexAt(expression.written, start);
    const column = at - expression.written.value.lastIndexOf("\n", at - 1) - 1;
    const line = expression.written.value.slice(0, at).split("\n").length;
    const message = `At line ${line}, column ${column} of the expression: There is no token configuration \`${id}\`.\n${analysisChecks["unknown-config"].help}`;
    const known = nearest(id, configsFor(document, expression), Infinity, (config) => config.id);
    const fixes = known.slice(0, maxFixes).map((config) => ({
      title: `Use the configuration ${stringOf(config.of, "title") || config.id}`,
      edits: [{ start, end, content: config.id }],
      isOnly: known.length === 1,
    }));
    return [{ rule: "unknown-config", level: "error" as const, message, start, end, fixes }];
  });
}

/** The edits of a patch of the value at a pointer; undefined when one of them cannot be written. */
export function editsOfPatch(
  document: EditorDocument,
  fix: readonly PatchOperation[],
  base: string,
): readonly Splice[] | undefined {
  const edits = fix.map((operation) => {
    if (operation.op === "replace") {
      const node = valueAt(document, base + operation.path);
      if (!node) return undefined;
      if (node.read && typeof operation.value === "string") return node.read().edit(operation.value);
      return { start: node.start, end: node.end, content: JSON.stringify(operation.value) };
    }
    const name = valueAt(document, base + operation.from)?.name;
    const text = pointerSegments(operation.path).at(-1) ?? "";
    if (!name) return undefined;
    const isQuoted = document.text[name.start] === '"' || !/^[A-Za-z_]\w*$/.test(text);
    return { start: name.start, end: name.end, content: isQuoted ? JSON.stringify(text) : text };
  });
  const known = edits.filter((edit) => edit !== undefined);
  return known.length === edits.length ? known : undefined;
}

/** The value at an RFC 6901 pointer. */
function valueAt({ tree }: EditorDocument, pointer: string): TextNode | undefined {
  return pointerSegments(pointer).reduce<TextNode | undefined>(
    (node, segment) => (node?.kind === "array" ? node.children[Number(segment)] : memberOf(node, segment)),
    tree.root,
  );
}
