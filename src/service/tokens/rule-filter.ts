/** Filters of a list of rules. */
import { alternatives, quote, quoteText } from "../../errors.ts";
import type { TokenRuleRecord } from "../../store/records/tokens.ts";
import { invalid } from "../context.ts";
import type { PageRequest } from "../paging.ts";
import { configsIn } from "./configs.ts";
import { emptyFilter } from "./empty-filter.ts";

/** Filters of a list of rules. A rule must pass every filter that is given, also two names of the same filter. */
export interface RuleFilter extends PageRequest {
  readonly id?: string | undefined;
  readonly rule_id?: string | undefined;
  readonly action?: string | undefined;
  readonly enabled?: string | undefined;
  readonly host?: string | undefined;
  readonly hostname?: string | undefined;
  /** Rules whose expression refers to any of these configurations. */
  readonly token_configuration?: readonly string[] | undefined;
}

/** A test of whether a rule passes every filter. @throws {ApiError} for a value that a filter cannot have */
export function compileFilter(filter: RuleFilter): (rule: TokenRuleRecord) => boolean {
  rejectEmpty(filter);
  const configs = filter.token_configuration?.map((id) => id.toLowerCase());
  const action = oneOf("action", filter.action, ["log", "block"]);
  const enabled = oneOf("enabled", filter.enabled, ["true", "false"]);
  const tests: ((rule: TokenRuleRecord) => boolean)[] = [];
  for (const id of lowerCase(filter.id, filter.rule_id)) tests.push((rule) => rule.id === id);
  if (action !== undefined) tests.push((rule) => rule.action === action);
  if (enabled !== undefined) tests.push((rule) => String(rule.enabled) === enabled);
  for (const host of lowerCase(filter.host, filter.hostname)) tests.push((rule) => includesHost(rule, host));
  if (configs !== undefined)
    tests.push((rule) => configsIn(rule.expression).some((c) => configs.includes(c)));
  return (rule) => tests.every((test) => test(rule));
}

/** An empty filter is a mistake of the client: no rule could have such a value (`chosen`). */
function rejectEmpty(filter: RuleFilter): void {
  for (const name of ["id", "rule_id", "host", "hostname", "token_configuration"] as const)
    if (filter[name]?.length === 0) throw emptyFilter(name);
}

function lowerCase(...texts: readonly (string | undefined)[]): string[] {
  return texts.flatMap((text) => (text === undefined ? [] : text.toLowerCase()));
}

function oneOf(name: string, value: string | undefined, allowed: readonly string[]): string | undefined {
  if (value === undefined || allowed.includes(value)) return value;
  throw invalid(
    "tokens",
    `\`${name}\` must be ${alternatives(allowed.map(quote))}; found ${quoteText(value)}.`,
  );
}

function includesHost({ selector }: TokenRuleRecord, host: string): boolean {
  return (selector.include ?? []).some((i) => (i.host ?? []).some((h) => h.toLowerCase() === host));
}
