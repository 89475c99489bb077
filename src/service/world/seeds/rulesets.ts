/** Seeds the store with the rulesets of a world's zones and accounts, and with the accounts' lists. */

import {
  type CustomRulesReader,
  createCustomRulesReader,
} from "../../../engine/tokens/rulesets/input/read-custom-rules.ts";
import { readLists } from "../../../engine/tokens/rulesets/input/read-lists.ts";
import { type CodedDiagnostic, pointer } from "../../../errors.ts";
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
import { accountOfZone } from "../lists.ts";
import type { ParsedWorld, SeededList, WorldPart } from "../part.ts";
import { repeated } from "../repeated.ts";
import type { Seed } from "../report.ts";
import {
  accountRulesets,
  type IdentifiedRuleset,
  identifyRulesets,
  type WorldRulesets,
  zoneRulesets,
} from "../rulesets/world-rulesets.ts";
import { seededFrom } from "./seeded.ts";

type NewRuleset = Omit<RulesetRecord, "scope" | "sequence">;
type NewList = Omit<RuleListRecord, "scope" | "sequence">;

/** Rulesets of the world's zones, checked together with those of their accounts. */
export const zoneRulesetsPart: WorldPart = (world, context) => {
  const { zones = [] } = world;
  const seeds = new Map<string, readonly NewRuleset[]>();
  const readerOf = accountReaders(world);
  const problems: CodedDiagnostic[] = [];
  for (const [i, { id, account_id, rulesets }] of zones.entries()) {
    if (rulesets === undefined) continue;
    const own = zoneRulesets(world, i);
    // Those of the account are reported once, with the account.
    const found = problemsOf(own, readerOf(account_id));
    problems.push(...found.filter((one) => one.pointer?.startsWith(pointer("zones", i))));
    seeds.set(id, newRulesets(context, identifyRulesets(`zone ${id}`, rulesets)));
  }
  return {
    problems,
    seeded: seededFrom({
      owners: "zones",
      seeds,
      count: (tx, zone) => tx.count(rulesetOwners.zones.collection, zone),
      create: (tx, zone, rulesets) => createRulesets(tx, "zones", zone, rulesets),
      lists: (zone, rulesets) => [listOfRulesets("zones", zone, rulesets)],
    }),
  };
};

/** Readers of the rulesets of zones, one an account: zones share the rulesets of their account. */
function accountReaders({
  accounts = [],
}: ParsedWorld): (accountId: string | undefined) => CustomRulesReader {
  const ids = accounts.map(({ id }) => id);
  const readers = new Map<string, CustomRulesReader>();
  return (accountId) => {
    const id = accountOfZone(accountId, ids);
    const found = readers.get(id) ?? createReader(accountRulesets({ accounts }, ids.indexOf(id)));
    readers.set(id, found);
    return found;
  };
}

/** Which configurations a zone has is the subject of notes, which a world does not report. */
function createReader({ input }: WorldRulesets): CustomRulesReader {
  const { lists } = readLists(input.lists);
  return createCustomRulesReader({ configurations: new Set(), lists, limits: undefined });
}

function problemsOf({ input, pointerOf }: WorldRulesets, reader: CustomRulesReader): CodedDiagnostic[] {
  return reader.read(input).problems.map((one) => ({ ...one, pointer: pointerOf(one.pointer ?? "") }));
}

/** The rulesets and lists of an account. */
interface AccountSeed {
  readonly rulesets: readonly NewRuleset[] | undefined;
  readonly lists: readonly NewList[] | undefined;
}

/** Rulesets and lists of the world's accounts. */
export const accountRulesetsPart: WorldPart = (world, context) => {
  const seeds = new Map<string, AccountSeed>();
  const problems: CodedDiagnostic[] = [];
  for (const [i, { id, rulesets, lists }] of (world.accounts ?? []).entries()) {
    if (rulesets === undefined && lists === undefined) continue;
    problems.push(...accountProblems(world, i, lists ?? []));
    seeds.set(id, {
      rulesets: rulesets && newRulesets(context, identifyRulesets(`account ${id}`, rulesets)),
      lists: lists && newLists(context, id, lists),
    });
  }
  return {
    problems,
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
};

function accountProblems(world: ParsedWorld, index: number, lists: ListsWorld): CodedDiagnostic[] {
  const own = accountRulesets(world, index);
  const at = pointer("accounts", index, "lists");
  const names = lists.map(({ name }) => name);
  return [
    ...repeated(names, (i) => at + pointer(i, "name")),
    ...readLists(own.input.lists).problems.map((one) => ({
      ...one,
      pointer: own.pointerOf(one.pointer ?? ""),
    })),
    ...problemsOf(own, createReader(own)),
  ];
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
