/** Checks the rulesets of a world's zones and accounts, and the accounts' lists. */
import {
  type CustomRulesReader,
  createCustomRulesReader,
} from "../../../engine/tokens/rulesets/input/read-custom-rules.ts";
import { readLists } from "../../../engine/tokens/rulesets/input/read-lists.ts";
import { planProblems } from "../../../engine/tokens/rulesets/plans/plan-remarks.ts";
import { type CodedDiagnostic, pointer } from "../../../errors.ts";
import type { ListsWorld } from "../../../schemas/rulesets.ts";
import { accountOfZone } from "../account-of-zone.ts";
import type { ParsedWorld, WorldCheck } from "../part.ts";
import { repeated } from "../repeated.ts";
import { accountRulesets, type WorldRulesets, zoneRulesets } from "../rulesets/world-rulesets.ts";

/** Rulesets of zones, checked together with those of their accounts, and rulesets and lists of accounts. */
export const checkRulesets: WorldCheck<undefined> = (world, { settings }) => {
  const readerOf = accountReaders(world);
  const ofAccounts = (world.accounts ?? []).flatMap(({ rulesets, lists }, i) =>
    rulesets === undefined && lists === undefined ? [] : accountProblems(world, i, lists ?? []),
  );
  const ofZones = (world.zones ?? []).flatMap(({ account_id, plan, rulesets }, i) => {
    if (rulesets === undefined) return [];
    const own = zoneRulesets(world, i);
    const { read, problems } = readerOf(account_id).read(own.input);
    const rejected = settings.restrictions === "enforce" ? planProblems(read, plan) : [];
    // Problems of the account are reported once, with the account.
    const found = placed([...problems, ...rejected], own);
    return found.filter((diagnostic) => diagnostic.pointer?.startsWith(`${pointer("zones", i)}/`));
  });
  return { problems: [...ofAccounts, ...ofZones], value: undefined };
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

function placed(problems: readonly CodedDiagnostic[], { pointerOf }: WorldRulesets): CodedDiagnostic[] {
  return problems.map((problem) => ({ ...problem, pointer: pointerOf(problem.pointer ?? "") }));
}

function accountProblems(world: ParsedWorld, index: number, lists: ListsWorld): CodedDiagnostic[] {
  const own = accountRulesets(world, index);
  const at = pointer("accounts", index, "lists");
  const names = lists.map(({ name }) => name);
  return [
    ...repeated(names, (i) => at + pointer(i, "name")),
    ...placed([...readLists(own.input.lists).problems, ...createReader(own).read(own.input).problems], own),
  ];
}
