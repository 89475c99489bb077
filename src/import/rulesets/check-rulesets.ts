/** Marks the custom rules of an assembled world that the engine cannot evaluate, so that everything else works. */

import { createCustomRulesReader } from "../../engine/tokens/rulesets/input/read-custom-rules.ts";
import { readLists } from "../../engine/tokens/rulesets/input/read-lists.ts";
import type { CodedDiagnostic } from "../../errors.ts";
import type { ParsedWorld } from "../../service/world/part.ts";
import {
  accountRulesets,
  type WorldRulesets,
  zoneRulesets,
} from "../../service/world/rulesets/world-rulesets.ts";
import type { World } from "../../service/world/schema.ts";
import { undecidedPart } from "../undecided.ts";
import type { Assembly } from "../world/assembly.ts";
import { createSourceMap } from "../world/source-map.ts";
import { noAnswers, undecidedRule } from "./assemble-rulesets.ts";

type Account = NonNullable<World["accounts"]>[number];
type Zone = NonNullable<World["zones"]>[number];

/** A rule of a list of rulesets, by pointers such as `/accounts/0/rulesets/1/rules/2/expression`. */
const rulePointer = /^\/(accounts|zones)\/(\d+)\/rulesets\/(\d+)\/rules\/(\d+)(\/.*)?$/;

/** The world whose rules are all evaluated or undecided. Rules with problems are reported with their places. */
export function checkRulesets(assembly: Assembly, world: World): World {
  const accounts = world.accounts?.map((account, i) => {
    const { lists, ...rest } = account;
    const kept = lists && knownLists(assembly, world, i);
    return kept === undefined || kept.length === 0 ? rest : { ...rest, lists: kept };
  });
  let checked: World = { ...world, ...(accounts && { accounts }) };
  const owners = [
    ...(checked.accounts ?? []).map((_, i) => () => accountRulesets(checked as ParsedWorld, i)),
    ...(checked.zones ?? []).map((_, i) => () => zoneRulesets(checked as ParsedWorld, i)),
  ];
  // The rules of an account are checked first: those of its zones depend on them.
  for (const rulesetsOf of owners) {
    const problems = problemsOf(rulesetsOf());
    for (const problem of problems) checked = withUndecided(assembly, checked, problem);
  }
  return checked;
}

function problemsOf({ input, pointerOf }: WorldRulesets): readonly CodedDiagnostic[] {
  if (input.rulesets === undefined && input.account_rulesets === undefined) return [];
  const { lists } = readLists(input.lists);
  const reader = createCustomRulesReader({ configurations: new Set(), lists, limits: undefined });
  return reader.read(input).problems.map((one) => ({ ...one, pointer: pointerOf(one.pointer ?? "") }));
}

/** The lists of an account without those that have invalid items or names: they are unknown. */
function knownLists(assembly: Assembly, world: World, index: number): NonNullable<Account["lists"]> {
  const { input, pointerOf } = accountRulesets(world as ParsedWorld, index);
  const prefix = `/accounts/${index}/lists/`;
  const invalid = new Map<number, CodedDiagnostic>();
  for (const problem of readLists(input.lists).problems) {
    const at = pointerOf(problem.pointer ?? "");
    const list = Number(at.slice(prefix.length).split("/")[0]);
    if (!invalid.has(list)) invalid.set(list, { ...problem, pointer: at });
  }
  for (const { pointer = "", message } of invalid.values())
    report(assembly, pointer, `A list is left out: ${message}`, undefined);
  return (world.accounts?.[index]?.lists ?? []).filter((_, i) => !invalid.has(i));
}

function withUndecided(assembly: Assembly, world: World, { pointer = "", message }: CodedDiagnostic): World {
  const [, owners, owner, ruleset, rule, member] = rulePointer.exec(pointer) ?? [];
  if (owners !== "accounts" && owners !== "zones") return world;
  const index = Number(owner);
  const zone = owners === "zones" ? world.zones?.[index]?.id : undefined;
  const mark = <T extends Account | Zone>(list: readonly T[] | undefined) =>
    list?.map((one, i) =>
      i === index ? withRule(one, Number(ruleset), Number(rule), message, member) : one,
    );
  const given = world[owners]?.[index]?.rulesets?.[Number(ruleset)]?.rules?.[Number(rule)];
  // A disabled rule decides nothing.
  if (given?.enabled !== false && given?.undecided === undefined)
    report(assembly, pointer, `A custom rule is undecided: ${message}`, zone);
  return owners === "accounts"
    ? { ...world, accounts: mark(world.accounts) ?? [] }
    : { ...world, zones: mark(world.zones) ?? [] };
}

function withRule<T extends Account | Zone>(
  owner: T,
  ruleset: number,
  rule: number,
  reason: string,
  member: string | undefined,
): T {
  const rulesets = owner.rulesets?.map((one, i) => {
    if (i !== ruleset) return one;
    const rules = one.rules?.map((given, j) => {
      if (j !== rule || given.undecided !== undefined) return given;
      const marked = undecidedRule(given, reason, member === "/expression");
      if (member !== "/id") return marked;
      const { id, ...others } = marked;
      return others;
    });
    return { ...one, ...(rules && { rules }) };
  });
  return { ...owner, rulesets } as T;
}

function report(assembly: Assembly, pointer: string, message: string, zone: string | undefined): void {
  const at = createSourceMap(assembly.mapped).locate(pointer) ?? { file: "", start: { line: 1, column: 1 } };
  const run = "change it to what is supported, or compare requests that it does not decide";
  assembly.undecided.push(undecidedPart(at, { about: "rule", zone, message, run, effect: noAnswers }));
}
