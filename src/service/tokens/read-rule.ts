/** Reads and checks the bodies of rules, and what they refer to in their zone. */
import type { ZodType } from "zod";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { parseExpression, readExpression } from "../../engine/tokens/expression/parser.ts";
import { checkReferences as checkKnown, references } from "../../engine/tokens/expression/references.ts";
import { type ExpressionError, printSyntaxError } from "../../engine/tokens/expression/syntax-error.ts";
import type { Selector } from "../../engine/tokens/model.ts";
import { earlierFormRemarks } from "../../engine/tokens/remarks/earlier-forms.ts";
import { selectorRemarks, templateRemarks } from "../../engine/tokens/remarks/unmatchable.ts";
import { normalizeHostTemplate } from "../../engine/tokens/zone/host-template.ts";
import { checkSelector } from "../../engine/tokens/zone/selector.ts";
import { type CodedDiagnostic, note, problem, quote } from "../../errors.ts";
import { type RuleCreate, type RulePatch, ruleCreate, rulePatch } from "../../schemas/tokens.ts";
import type { ReadTransaction } from "../../store/port.ts";
import {
  type CheckContext,
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
export function readCreate(context: CheckContext, body: unknown, notes: Notes, at: string): NewRule {
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

/** The parts of a rule that are checked in their zone. */
interface RuleInZone {
  readonly expression?: string | undefined;
  readonly selector?: Selector | undefined;
  /** RFC 6901 pointer of the rule in the body. */
  readonly at: string;
  /** That of its selector. Default: below `at`. */
  readonly selectorAt?: string;
}

/** The selector of a body that is one, or that is a rule. @throws {ApiError} with every problem */
export function readPreviewed(context: ServiceContext, body: unknown, notes: Notes): RuleInZone {
  if (isJsonObject(body) && Object.hasOwn(body, "selector"))
    return { ...readPatch(context, rulePatch, body, notes, ""), at: "" };
  if (!isJsonObject(body))
    throw invalid(area, `The body must be a selector or a rule; found ${quote(body)}.`, "");
  const { selector } = withoutNullLists({ selector: body }) as { readonly selector: unknown };
  const given = decode(ruleCreate.shape.selector, selector, { area, notes });
  rejectAny(checkSelectorOf(context, given, notes, ""));
  return { selector: given, at: "", selectorAt: "" };
}

export function readList({ limits }: ServiceContext, body: unknown): readonly unknown[] {
  if (!Array.isArray(body))
    throw invalid(area, `The body must be an array of rules; found ${quote(body)}.`, "");
  if (body.length <= limits.bulkRules) return body;
  throw invalid(area, `The body must have at most ${limits.bulkRules} rules; it has ${body.length}.`, "");
}

function checkRule(context: CheckContext, rule: RulePatch, notes: Notes, at: string): CodedDiagnostic[] {
  const { expression, selector } = rule;
  return [
    ...checkTitleAndDescription(context, rule, at, notes),
    ...(expression === undefined ? [] : checkExpression(expression, at, notes)),
    ...(selector === undefined ? [] : checkSelectorOf(context, selector, notes, `${at}/selector`)),
  ];
}

function checkSelectorOf(
  { settings }: CheckContext,
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
  const read = readExpression(text);
  if (!read.ok) return read.problems.map((error) => expressionProblem(error, at));
  for (const { message, pointer } of earlierFormRemarks(text, read.value, `${at}/expression`))
    notes.push(note("valueNoted", message, pointer));
  return [];
}

/** Every configuration that an expression refers to must be in the zone. */
export async function checkReferences(
  tx: ReadTransaction,
  zone: string,
  rules: readonly RuleInZone[],
): Promise<CodedDiagnostic[]> {
  const parsed = await mapInTurns(rules, ({ expression, at }) => {
    const read = expression === undefined ? undefined : parseExpression(expression);
    return expression !== undefined && read?.ok ? [{ expression, tree: read.value, at }] : [];
  });
  const expressions = parsed.flat();
  const named = new Set(expressions.flatMap(({ tree }) => references(tree).map(({ id }) => id)));
  const where = [{ field: "id", op: "in", value: [...named] }] as const;
  const found = named.size === 0 ? [] : await tx.find("token_configs", zone, { where });
  const known = new Set(found.map((config) => config.id));
  return expressions.flatMap(({ expression, tree, at }) =>
    checkKnown(expression, tree, (id) => known.has(id)).map((error) => expressionProblem(error, at)),
  );
}

function expressionProblem(error: ExpressionError, at: string): CodedDiagnostic {
  return problem(genericCodes.tokens.invalid, printSyntaxError(error), `${at}/expression`);
}

/** Hosts with variables must be those of operations of the zone: a problem or a note, as for other hosts. */
export async function checkTemplates(
  tx: ReadTransaction,
  zone: string,
  { settings }: CheckContext,
  rules: readonly RuleInZone[],
  notes: Notes,
): Promise<CodedDiagnostic[]> {
  const hasTemplates = rules.some(({ selector }) =>
    (selector?.include ?? []).some(({ host }) => host?.some((template) => template.includes("{"))),
  );
  const operations = hasTemplates ? await tx.find("operations", zone) : [];
  const known = new Set(operations.map(({ host }) => normalizeHostTemplate(host)));
  const problems: CodedDiagnostic[] = [];
  for (const { selector, at, selectorAt = `${at}/selector` } of rules) {
    const remarks = selector ? templateRemarks(selector, known, selectorAt) : [];
    addRemarks(settings, remarks, problems, notes);
  }
  return problems;
}
