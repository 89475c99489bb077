/** The custom rules of a world as input of the engine, with the way back from its pointers to the world. */

import { pointer } from "../../../errors.ts";
import type { ListsWorld, RulesetsWorld } from "../../../schemas/rulesets.ts";
import { derivedHex } from "../../tokens/derived-ids.ts";
import { type RulesetMembers, rulesetsInput } from "../../tokens/rulesets/rulesets-input.ts";
import { accountOfZone } from "../account-of-zone.ts";
import type { ParsedWorld } from "../part.ts";

/** Custom rules of a world. */
export interface WorldRulesets {
  /** The members of a zone's input; without rulesets when there are none. */
  readonly input: RulesetMembers;
  /** The RFC 6901 pointer into the world of one into the zone's input, such as `/account_rulesets/0/rules/2`. */
  readonly pointerOf: (within: string) => string;
}

/** The custom rules of the zone at an index of the world's list: its own, those of its account, and the lists. */
export function zoneRulesets({ accounts = [], zones = [] }: ParsedWorld, index: number): WorldRulesets {
  const ids = accounts.map(({ id }) => id);
  const zone = zones[index] ?? { id: "" };
  const { id, account_id, rulesets } = zone;
  const accountIndex = ids.indexOf(accountOfZone(account_id, ids));
  const account = inputOfAccount({ accounts }, accountIndex);
  return {
    input: rulesetsInput({
      ...account,
      zone,
      rulesets: rulesets && identifyRulesets(`zone ${id}`, rulesets),
    }),
    pointerOf: (within) =>
      pointerOfAccount({ accounts }, accountIndex, within) ?? pointer("zones", index) + within,
  };
}

/** The custom rules of the account at an index of the world's list, without those of zones. */
export function accountRulesets(world: ParsedWorld, index: number): WorldRulesets {
  return {
    input: rulesetsInput(inputOfAccount(world, index)),
    pointerOf: (within) => pointerOfAccount(world, index, within) ?? pointer("accounts", index) + within,
  };
}

function inputOfAccount({ accounts = [] }: ParsedWorld, index: number) {
  const { id, rulesets, lists } = accounts[index] ?? { id: "" };
  return { account_rulesets: rulesets && identifyRulesets(`account ${id}`, rulesets), lists };
}

/** A ruleset of a world, with the ids that the world leaves out. */
export type IdentifiedRuleset = Omit<RulesetsWorld[number], "id" | "rules"> & {
  readonly id: string;
  readonly rules: readonly (RulesetsWorld[number]["rules"][number] & { readonly id: string })[];
};

/** Rulesets with ids for them and their rules; the same world always has the same ids. */
export function identifyRulesets(owner: string, rulesets: RulesetsWorld): readonly IdentifiedRuleset[] {
  return rulesets.map((ruleset, i) => {
    const id = ruleset.id ?? derivedHex(`ruleset ${owner} ${i}`);
    const rules = ruleset.rules.map((rule, j) => {
      return { ...rule, id: rule.id ?? derivedHex(`rule ${id} ${rule.ref ?? j}`) };
    });
    return { ...ruleset, id, rules };
  });
}

/** Undefined for a pointer to what the zone has. */
function pointerOfAccount({ accounts = [] }: ParsedWorld, index: number, within: string): string | undefined {
  const [, member, name] = within.split("/");
  const at = pointer("accounts", index);
  if (member === "account_rulesets") return `${at}/rulesets${within.slice("/account_rulesets".length)}`;
  if (member === "lists") return `${at}/lists${pointerOfList(accounts[index]?.lists ?? [], name, within)}`;
  return undefined;
}

/** The engine has lists by their names. */
function pointerOfList(lists: ListsWorld, name: string | undefined, within: string): string {
  const index = lists.findIndex((list) => pointer(list.name) === `/${name}`);
  const rest = within.slice(`/lists/${name ?? ""}`.length);
  return index < 0 ? "" : `/${index}${rest === "" ? "/name" : rest}`;
}
