/** Filters of a list of rules. */
import type { QueryOf } from "../../schemas/parameters.ts";
import type { ruleQuery } from "../../schemas/tokens.ts";
import type { Condition } from "../../store/port.ts";
import type { TokenRuleRecord } from "../../store/records/tokens.ts";
import type { PageRequest } from "../paging.ts";
import { refersTo } from "./configs.ts";

/** Filters of a list of rules. A rule must pass every filter that is given. */
export interface RuleFilter extends PageRequest {
  readonly id?: string | undefined;
  readonly action?: "log" | "block" | undefined;
  readonly enabled?: boolean | undefined;
  /** Rules with this host in an `include`, in any letter case. */
  readonly host?: string | undefined;
  /** Rules whose expression refers to any of these configurations. */
  readonly token_configuration?: readonly string[] | undefined;
}

/** A filter as conditions of the store, and a test of what the store does not know. */
export interface CompiledFilter {
  readonly where: readonly Condition<"token_rules">[];
  /** Whether a rule for which the conditions hold passes the other filters; undefined without others. */
  readonly holds: ((rule: TokenRuleRecord) => boolean) | undefined;
}

/** Compiles the filters of a query. */
export function compileFilter(filter: QueryOf<typeof ruleQuery>): CompiledFilter {
  const { action, enabled } = filter;
  const [id, host] = [filter.id?.toLowerCase(), filter.host?.toLowerCase()];
  const configs = filter.token_configuration?.map((config) => config.toLowerCase());
  const where: Condition<"token_rules">[] = [];
  if (id !== undefined) where.push({ field: "id", op: "eq", value: id });
  if (action !== undefined) where.push({ field: "action", op: "eq", value: action });
  if (enabled !== undefined) where.push({ field: "enabled", op: "eq", value: enabled });
  const tests: ((rule: TokenRuleRecord) => boolean)[] = [];
  if (host !== undefined) tests.push((rule) => includesHost(rule, host));
  if (configs !== undefined) tests.push(({ expression }) => refersTo(expression, configs));
  return { where, holds: tests.length > 0 ? (rule) => tests.every((test) => test(rule)) : undefined };
}

function includesHost({ selector }: TokenRuleRecord, host: string): boolean {
  return (selector.include ?? []).some((i) => (i.host ?? []).some((h) => h.toLowerCase() === host));
}
