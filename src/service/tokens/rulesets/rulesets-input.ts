/** Rulesets and lists as members of the input of a zone. */

import type { RuleList } from "../../../engine/tokens/rulesets/input/read-lists.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";

interface GivenList extends RuleList {
  readonly name: string;
}

/** Rulesets whose actions, parameters and expressions the engine checks, and lists. */
interface GivenRulesets {
  readonly rulesets?: readonly object[] | undefined;
  readonly account_rulesets?: readonly object[] | undefined;
  readonly lists?: readonly GivenList[] | undefined;
  /** The zone, whose name is its id when nothing else is known. */
  readonly zone?: { readonly id: string; readonly name?: string; readonly plan?: unknown } | undefined;
}

/** The members of the input of a zone with its custom rules; absent where there are none. */
export type RulesetMembers = Pick<ZoneInput, "rulesets" | "account_rulesets" | "lists" | "name" | "plan">;

/** The members that are not empty. */
export function rulesetsInput({
  rulesets = [],
  account_rulesets = [],
  lists = [],
  zone,
}: GivenRulesets): RulesetMembers {
  const byName = lists.map(({ name, kind, items }) => [name, { kind, items }] as const);
  const input = {
    ...(rulesets.length > 0 && { rulesets }),
    ...(account_rulesets.length > 0 && { account_rulesets }),
    ...(lists.length > 0 && { lists: Object.fromEntries(byName) }),
    ...(zone?.name !== undefined && zone.name !== zone.id && { name: zone.name }),
    ...((zone?.plan ?? null) !== null && { plan: zone?.plan }),
  };
  return input as RulesetMembers;
}
