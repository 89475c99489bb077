/** Reads and checks the bodies of rules, and what they refer to in their zone. */
import type { ZodType } from "zod";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { parseExpression } from "../../engine/tokens/expression/parser.ts";
import { checkReferences as checkKnown } from "../../engine/tokens/expression/references.ts";
import { type ExpressionError, printSyntaxError } from "../../engine/tokens/expression/syntax-error.ts";
import type { Selector } from "../../engine/tokens/model.ts";
import { patternRemarks } from "../../engine/tokens/remarks/changed-patterns.ts";
import { selectorRemarks, templateRemarks } from "../../engine/tokens/remarks/unmatchable.ts";
import { normalizeHostTemplate } from "../../engine/tokens/zone/host-template.ts";
import { checkSelector } from "../../engine/tokens/zone/selector.ts";
import { type CodedDiagnostic, note, problem, quote } from "../../errors.ts";
import { type RuleCreate, type RulePatch, ruleCreate } from "../../schemas/tokens.ts";
import type { ReadTransaction } from "../../store/port.ts";
import {
  genericCodes,
  invalid,
  maxReported,
  type Notes,
  rejectAny,
  restrict,
  type ServiceContext,
} from "../context.ts";
import { decode } from "../decode.ts";
import type { Settings } from "../settings.ts";
import { mapInTurns } from "./in-turns.ts";
import { checkTitleAndDescription } from "./title-and-description.ts";

const area = "tokens";

/** A new rule with its pointer in the body. */
export interface NewRule {
  readonly id?: string;
  readonly fields: RuleCreate;
  readonly at: string;
}

/** Reads the body of a create. @throws {ApiError} with every problem */
export function readCreate(context: ServiceContext, body: unknown, notes: Notes, at: string): NewRule {
  rejectPosition(body, at);
  const fields = decode(ruleCreate, withoutNullLists(body), { area, notes, at });
  rejectAny(checkRule(context, fields, notes, at));
  return { fields, at };
}

function rejectPosition(body: unknown, at: string): void {
  if (isJsonObject(body) && Object.hasOwn(body, "position")) {
    throw invalid(
      area,
      "`position` is allowed only in edits; a new rule becomes the last one.",
      `${at}/position`,
    );
  }
}

export function readPatch<T extends RulePatch>(
  context: ServiceContext,
  schema: ZodType<T>,
  body: unknown,
  notes: Notes,
  at: string,
): T {
  const patch = decode(schema, withoutNullLists(body), { area, notes, at });
  rejectAny(checkRule(context, patch, notes, at));
  return patch;
}

export function readList({ limits }: ServiceContext, body: unknown): readonly unknown[] {
  if (!Array.isArray(body))
    throw invalid(area, `The body must be an array of rules; found ${quote(body)}.`, "");
  if (body.length <= limits.bulkRules) return body;
  throw invalid(area, `The body must have at most ${limits.bulkRules} rules; it has ${body.length}.`, "");
}

function checkRule(context: ServiceContext, rule: RulePatch, notes: Notes, at: string): CodedDiagnostic[] {
  const { expression, selector } = rule;
  return [
    ...checkTitleAndDescription(context, rule, at, notes),
    ...(expression === undefined ? [] : checkExpression(expression, at, notes)),
    ...(selector === undefined ? [] : checkSelectorOf(context, selector, notes, `${at}/selector`)),
  ];
}

function checkSelectorOf(
  { settings }: ServiceContext,
  selector: Selector,
  notes: Notes,
  at: string,
): CodedDiagnostic[] {
  const problems = checkSelector(selector, at);
  if (problems.length > 0) return problems;
  addRemarks(settings, selectorRemarks(selector, at), problems, notes);
  return problems;
}

/** Remarks on hosts: problems where the provider's restrictions are enforced, else notes of the first of them. */
function addRemarks(
  settings: Settings,
  remarks: readonly Diagnostic[],
  problems: CodedDiagnostic[],
  notes: Notes,
): void {
  const { invalid: code } = genericCodes.tokens;
  const reported = settings.restrictions === "enforce" ? remarks : remarks.slice(0, maxReported);
  for (const { pointer, message } of reported)
    restrict(settings, problems, notes, problem(code, message, pointer));
  if (reported.length === remarks.length) return;
  const message = `More than ${maxReported} hosts cannot match; only the first ${maxReported} are reported.`;
  notes.push(note("valueNoted", message));
}

/** A selector whose `include` or `exclude` is null has none (`observed`). */
function withoutNullLists(body: unknown): unknown {
  if (!isJsonObject(body) || !isJsonObject(body["selector"])) return body;
  const given = Object.entries(body["selector"]).filter(
    ([name, value]) => value !== null || (name !== "include" && name !== "exclude"),
  );
  return { ...body, selector: Object.fromEntries(given) };
}

function checkExpression(text: string, at: string, notes: Notes): CodedDiagnostic[] {
  const parsed = parseExpression(text);
  if (!parsed.ok) return parsed.problems.map((error) => expressionProblem(error, at));
  for (const { message, pointer } of patternRemarks(text, `${at}/expression`))
    notes.push(note("valueNoted", message, pointer));
  return [];
}

/** Every configuration that an expression refers to must be in the zone. */
export async function checkReferences(
  tx: ReadTransaction,
  zone: string,
  rules: readonly { readonly expression?: string | undefined; readonly at: string }[],
): Promise<CodedDiagnostic[]> {
  const known = new Set((await tx.find("token_configs", zone)).map((config) => config.id));
  const problems = await mapInTurns(rules, ({ expression, at }) => {
    if (expression === undefined) return [];
    const parsed = parseExpression(expression);
    const errors = parsed.ok ? checkKnown(expression, parsed.value, (id) => known.has(id)) : [];
    return errors.map((error) => expressionProblem(error, at));
  });
  return problems.flat();
}

function expressionProblem(error: ExpressionError, at: string): CodedDiagnostic {
  return problem(genericCodes.tokens.invalid, printSyntaxError(error), `${at}/expression`);
}

/** Hosts with variables must be those of operations of the zone: a problem or a note, as for other hosts. */
export async function checkTemplates(
  tx: ReadTransaction,
  zone: string,
  { settings }: ServiceContext,
  rules: readonly { readonly selector?: Selector | undefined; readonly at: string }[],
  notes: Notes,
): Promise<CodedDiagnostic[]> {
  const hasTemplates = rules.some(({ selector }) =>
    (selector?.include ?? []).some(({ host }) => host?.some((one) => one.includes("{"))),
  );
  const operations = hasTemplates ? await tx.find("operations", zone) : [];
  const known = new Set(operations.map(({ host }) => normalizeHostTemplate(host)));
  const problems: CodedDiagnostic[] = [];
  for (const { selector, at } of rules) {
    const remarks = selector ? templateRemarks(selector, known, `${at}/selector`) : [];
    addRemarks(settings, remarks, problems, notes);
  }
  return problems;
}
