/** The problems of an invalid zone as findings. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { isJsonObject } from "../../../../core/json-value.ts";
import { type CodedDiagnostic, pointer } from "../../../../errors.ts";
import { parseExpression } from "../../expression/parser.ts";
import { checkReferences } from "../../expression/references.ts";
import type { ReadingOptions } from "../../zone/zone-input.ts";
import { type AnalysisCheck, finding } from "./checks.ts";

/** The code of input that no other code describes. */
const invalidInput = 10400;

/** One finding for each problem; references to missing configurations have a check of their own. */
export function invalidFindings(
  input: unknown,
  problems: readonly CodedDiagnostic[],
  { limits }: ReadingOptions,
): Diagnostic<AnalysisCheck>[] {
  const rules = listOf(input, "rules");
  const ids = new Set(
    listOf(input, "configs").map((config) => (isJsonObject(config) ? config["id"] : undefined)),
  );
  const dangling = new Set(
    rules.flatMap((rule, i) =>
      hasUnknownReference(rule, ids, limits) ? [pointer("rules", i, "expression")] : [],
    ),
  );
  return problems.map(({ pointer: at = "", message, code }) => {
    const index = /^\/rules\/(\d+)/.exec(at)?.[1];
    const rule = index === undefined ? undefined : rules[Number(index)];
    const id = isJsonObject(rule) && typeof rule["id"] === "string" ? { rule: rule["id"] } : {};
    const found = finding(dangling.has(at) ? "unknown-config" : "invalid", { ...id, pointer: at }, message);
    return code === invalidInput ? found : { ...found, code };
  });
}

function hasUnknownReference(
  rule: unknown,
  ids: ReadonlySet<unknown>,
  limits: ReadingOptions["limits"],
): boolean {
  const expression = isJsonObject(rule) ? rule["expression"] : undefined;
  if (typeof expression !== "string") return false;
  const parsed = parseExpression(expression, limits);
  return parsed.ok && checkReferences(expression, parsed.value, (id) => ids.has(id)).length > 0;
}

function listOf(input: unknown, member: string): readonly unknown[] {
  const list = isJsonObject(input) ? input[member] : undefined;
  return Array.isArray(list) ? list : [];
}
