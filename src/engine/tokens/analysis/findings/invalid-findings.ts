/** What keeps a zone from being read, as findings. */

import { type Problem, pointer } from "../../../../errors.ts";
import { parseExpression } from "../../expression/parser.ts";
import { checkReferences } from "../../expression/references.ts";
import type { ReadingOptions } from "../../zone/zone-input.ts";
import { type AnalysisFinding, finding } from "./checks.ts";

type Unknown = Record<string, unknown>;

/** Each problem as a finding; configurations that do not exist have a check of their own. */
export function invalidFindings(
  input: unknown,
  problems: readonly Problem[],
  { limits }: ReadingOptions,
): AnalysisFinding[] {
  const rules = listOf(input, "rules");
  const ids = new Set(
    listOf(input, "configs").map((config) => (isObject(config) ? config["id"] : undefined)),
  );
  const dangling = new Set(
    rules.flatMap((rule, i) => (asksUnknown(rule, ids, limits) ? [pointer("rules", i, "expression")] : [])),
  );
  return problems.map(({ pointer: at = "", message }) => {
    const index = /^\/rules\/(\d+)/.exec(at)?.[1];
    const rule = index === undefined ? undefined : rules[Number(index)];
    const id = isObject(rule) && typeof rule["id"] === "string" ? { rule: rule["id"] } : {};
    return finding(dangling.has(at) ? "unknown-config" : "invalid", { ...id, pointer: at }, message);
  });
}

function asksUnknown(rule: unknown, ids: ReadonlySet<unknown>, limits: ReadingOptions["limits"]): boolean {
  const text = isObject(rule) ? rule["expression"] : undefined;
  if (typeof text !== "string") return false;
  const parsed = parseExpression(text, limits);
  return parsed.ok && checkReferences(text, parsed.expression, (id) => ids.has(id)).length > 0;
}

function listOf(input: unknown, member: string): readonly unknown[] {
  const list = isObject(input) ? input[member] : undefined;
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): value is Unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
