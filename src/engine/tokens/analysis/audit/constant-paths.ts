/**
 * Comparisons of paths that are false for every path of a template: a question about such paths needs one of them
 * only. Cheap and one-sided: other comparisons need the DFAs of the analysis.
 */

import type { Expression } from "../../expression/tree.ts";
import { leavesOf } from "../../expression/tree-queries.ts";
import { normalizePath, type Segment, variable } from "../../zone/path-template.ts";
import type { BoundConfigs } from "../bound-expression.ts";
import { atomsOf } from "../model/formula.ts";
import { createModel } from "../model/model.ts";
import { readsTargetPath } from "../requests/partition.ts";
import { conditionOf, literalsOf, piecesOf, type TextComparison } from "../strings/string-test.ts";

/** Whether an expression has one value for all paths that a template matches, as far as it is easy to see. */
export function isConstantOnPaths(
  expression: Expression,
  configs: BoundConfigs,
  template: readonly Segment[],
): boolean {
  const compared = leavesOf(expression).filter(readsTargetPath);
  const model = createModel(compared);
  return compared
    .flatMap((test) => atomsOf(model.formulaOf(test, { configs })))
    .every((atom) => atom.kind === "text" && isConstant(atom.comparison, template));
}

function isConstant(comparison: TextComparison, template: readonly Segment[]): boolean {
  if (comparison.field.name !== "http.request.uri.path") return false;
  const condition = conditionOf({ comparison });
  if (condition.functions.length > 0) return false;
  const literals = literalsOf(condition);
  if (literals !== undefined) return literals.strings.every((value) => !matchesTemplate(template, value));
  const pieces = piecesOf(condition);
  if (pieces === undefined) return false;
  return !canStartWith(template, pieces.start) || pieces.between.some((part) => !canContain(template, part));
}

function matchesTemplate(template: readonly Segment[], path: string): boolean {
  const segments = segmentsOf(path);
  return (
    segments?.length === template.length &&
    segments.every((segment, i) => matchesSegment(template[i], segment))
  );
}

/** The segments of an absolute path; undefined for other strings. */
function segmentsOf(path: string): readonly string[] | undefined {
  return path.startsWith("/") ? path.slice(1).split("/") : undefined;
}

/** Without case, since `wildcard` compares so. */
function matchesSegment(own: Segment | undefined, segment: string): boolean {
  return own === variable || own?.toLowerCase() === normalizePath(segment).toLowerCase();
}

/** Whether a path of the template can start with a string. */
function canStartWith(template: readonly Segment[], start: string): boolean {
  if (start === "") return true;
  const segments = segmentsOf(start);
  if (segments === undefined || segments.length > template.length) return false;
  const last = template[segments.length - 1];
  const rest = segments.at(-1) ?? "";
  return (
    segments.slice(0, -1).every((segment, i) => matchesSegment(template[i], segment)) &&
    (last === variable || /[^\x21-\x7e]|%/.test(rest) || canBegin(last ?? "", rest))
  );
}

/** Whether a literal can begin with ASCII characters, without case. */
function canBegin(literal: string, start: string): boolean {
  return literal.toLowerCase().startsWith(normalizePath(start).toLowerCase());
}

/** Whether a path of the template can contain a string: its whole segments must follow each other in the template. */
function canContain(template: readonly Segment[], part: string): boolean {
  const whole = part.split("/").slice(1, -1);
  return template.some((_, from) =>
    whole.every((segment, i) => from + i < template.length && matchesSegment(template[from + i], segment)),
  );
}
