/** Seeds the store with the rulesets of a world's zones and accounts, and with the accounts' lists. */

import type { ListsWorld } from "../../../schemas/rulesets.ts";
import type { CustomRuleRecord, RuleListRecord, RulesetRecord } from "../../../store/records/rulesets.ts";
import type { ServiceContext } from "../../context.ts";
import { formatTimestamp } from "../../time.ts";
import { derivedHex } from "../../tokens/derived-ids.ts";
import {
  createLists,
  createRulesets,
  findLists,
  findRulesets,
  type RulesetOwner,
  rulesetOwners,
} from "../../tokens/rulesets/stored-rulesets.ts";
import type { ParsedWorld, SeededList, SeedPart } from "../part.ts";
import type { Seed } from "../report.ts";
import { type IdentifiedRuleset, identifyRulesets } from "../rulesets/world-rulesets.ts";
import { seededFrom } from "./seeded.ts";

type NewRuleset = Omit<RulesetRecord, "scope" | "sequence">;
type NewList = Omit<RuleListRecord, "scope" | "sequence">;

/** Rulesets of the world's zones. */
export function zoneRulesetsPart({ zones = [] }: ParsedWorld, context: ServiceContext): SeedPart {
  const seeds = new Map<string, readonly NewRuleset[]>();
  for (const { id, rulesets } of zones)
    if (rulesets !== undefined) seeds.set(id, newRulesets(context, identifyRulesets(`zone ${id}`, rulesets)));
  return {
    seeded: seededFrom({
      owners: "zones",
      seeds,
      count: (tx, zone) => tx.count(rulesetOwners.zones.collection, zone),
      create: (tx, zone, rulesets) => createRulesets(tx, "zones", zone, rulesets),
      lists: (zone, rulesets) => [listOfRulesets("zones", zone, rulesets)],
    }),
  };
}

/** The rulesets and lists of an account. */
interface AccountSeed {
  readonly rulesets: readonly NewRuleset[] | undefined;
  readonly lists: readonly NewList[] | undefined;
}

/** Rulesets and lists of the world's accounts. */
export function accountRulesetsPart({ accounts = [] }: ParsedWorld, context: ServiceContext): SeedPart {
  const seeds = new Map<string, AccountSeed>();
  for (const { id, rulesets, lists } of accounts) {
    if (rulesets === undefined && lists === undefined) continue;
    seeds.set(id, {
      rulesets: rulesets && newRulesets(context, identifyRulesets(`account ${id}`, rulesets)),
      lists: lists && newLists(context, id, lists),
    });
  }
  return {
    seeded: seededFrom({
      owners: "accounts",
      seeds,
      count: async (tx, account) =>
        (await tx.count(rulesetOwners.accounts.collection, account)) +
        (await tx.count("rule_lists", account)),
      create: async (tx, account, { rulesets = [], lists = [] }) => {
        await createRulesets(tx, "accounts", account, rulesets);
        await createLists(tx, account, lists);
      },
      lists: (account, { rulesets, lists }) => [
        listOfRulesets("accounts", account, rulesets),
        {
          things: "lists",
          world: lists?.map(seedOfList),
          stored: async (tx) => (await findLists(tx, account)).map(seedOfList),
        },
      ],
    }),
  };
}

function newRulesets(
  { clock }: ServiceContext,
  rulesets: readonly IdentifiedRuleset[],
): readonly NewRuleset[] {
  const changed = { version: "1", last_updated: formatTimestamp(clock()) };
  return rulesets.map((ruleset) => {
    const rules = ruleset.rules.map(({ expression = "", ref, ...rule }) => {
      return { ref: ref ?? rule.id, ...rule, expression, ...changed } as CustomRuleRecord;
    });
    return { ...ruleset, rules, ...changed };
  });
}

function newLists({ clock }: ServiceContext, account: string, lists: ListsWorld): readonly NewList[] {
  const now = formatTimestamp(clock());
  return lists.map(({ id, ...list }) => {
    const times = { created_on: now, modified_on: now };
    return { id: id ?? derivedHex(`list ${account} ${list.name}`), ...list, ...times };
  });
}

function listOfRulesets(
  kind: RulesetOwner,
  owner: string,
  rulesets: readonly NewRuleset[] | undefined,
): SeededList {
  return {
    things: "rulesets",
    world: rulesets?.map(seedOfRuleset),
    stored: async (tx) => (await findRulesets(tx, kind, owner)).map(seedOfRuleset),
  };
}

/** Versions and times are not compared: requests change them. */
function seedOfRuleset({ id, name, description, kind, phase, rules }: NewRuleset): Seed {
  const bare = rules.map(({ version, last_updated, ...rule }) => rule);
  return { id, value: { name, description, kind, phase, rules: bare } };
}

function seedOfList({ id, name, kind, description, items }: NewList): Seed {
  return { id, value: { name, kind, description, items } };
}
