/** Creates, changes and deletes rulesets and their rules, as the provider's clients do (`observed`). */

import { phases } from "../../../engine/tokens/rulesets/input/phases.ts";
import { levels } from "../../../engine/tokens/rulesets/input/read-rulesets.ts";
import { ApiError, problem, quote, quoteText } from "../../../errors.ts";
import { type RulesetPut, ruleAdd, ruleEdit, rulesetCreate, rulesetPut } from "../../../schemas/rulesets.ts";
import type { ReadTransaction } from "../../../store/port.ts";
import type { RulesetRecord } from "../../../store/records/rulesets.ts";
import { invalid, type Notes, notFound, requireScope, type ServiceContext } from "../../context.ts";
import { decode } from "../../decode.ts";
import { accountOf } from "../evaluation.ts";
import { addRule, editRule, type RuleChanges, removeRule, replaceRules } from "./changed-rules.ts";
import { entryPointOf, findRulesets, type RulesetOwner, rulesetOwners } from "./stored-rulesets.ts";
import {
  levelOf,
  type RulesetChange,
  type RulesetContent,
  type RulesetWriteOptions,
  writeRuleset,
} from "./write-ruleset.ts";

const area = "tokens";

/** Use cases that change rulesets, all or nothing. Every method rejects with an `ApiError` that has all problems of the input. */
export interface RulesetWriter {
  /** Creates a custom ruleset, or the entry point of a phase that has none. */
  create(
    owners: RulesetOwner,
    owner: string,
    body: unknown,
    options?: RulesetWriteOptions,
  ): Promise<RulesetRecord>;
  /** Replaces the rules of a ruleset; without `rules` in the body, they stay (`chosen`). */
  replace(
    owners: RulesetOwner,
    owner: string,
    id: string,
    body: unknown,
    options?: RulesetWriteOptions,
  ): Promise<RulesetRecord>;
  /** Replaces the entry point of a phase, or creates it. */
  replaceEntryPoint(
    owners: RulesetOwner,
    owner: string,
    phase: string,
    body: unknown,
    options?: RulesetWriteOptions,
  ): Promise<RulesetRecord>;
  /** Deletes a ruleset that no rule executes. */
  delete(owners: RulesetOwner, owner: string, id: string, options?: RulesetWriteOptions): Promise<void>;
  /** Adds a rule at its position, or else after the others. */
  addRule(
    owners: RulesetOwner,
    owner: string,
    id: string,
    body: unknown,
    options?: RulesetWriteOptions,
  ): Promise<RulesetRecord>;
  /** Changes a rule: the members that are given, and its position. */
  editRule(
    owners: RulesetOwner,
    owner: string,
    id: string,
    ruleId: string,
    body: unknown,
    options?: RulesetWriteOptions,
  ): Promise<RulesetRecord>;
  /** Removes a rule. */
  deleteRule(
    owners: RulesetOwner,
    owner: string,
    id: string,
    ruleId: string,
    options?: RulesetWriteOptions,
  ): Promise<RulesetRecord>;
}

/** Creates the use cases. */
export function rulesetWriter(context: ServiceContext): RulesetWriter {
  const write = async (
    owners: RulesetOwner,
    owner: string,
    change: RulesetChange,
    found: Notes,
    { notes = [], dryRun = false }: RulesetWriteOptions,
  ) => {
    const record = await writeRuleset(context, owners, owner, change, { dryRun, notes: found });
    notes.push(...found);
    return record;
  };
  return {
    create: async (owners, owner, body, options = {}) => {
      const notes: Notes = [];
      const given = decode(rulesetCreate, body, { area, notes });
      const { phase } = given;
      const kind = readKind(owners, given.kind);
      if (!phases.includes(phase)) throw invalid(area, `There is no phase ${quoteText(phase)}.`, "/phase");
      const target: RulesetChange["target"] = (all) => {
        const entry = kind === "custom" ? undefined : entryPointOf(all, phase);
        if (entry === undefined) return { kind, phase };
        const message = `The phase ${quote(phase)} has an entry point already: change the ruleset ${quote(entry.id)}, or delete it first.`;
        throw new ApiError(problem(20217, message, "/kind"));
      };
      return write(owners, owner, { target, ...wholeChange(given) }, notes, options);
    },
    replace: async (owners, owner, id, body, options = {}) => {
      const notes: Notes = [];
      const given = decode(rulesetPut, body, { area, notes });
      return write(owners, owner, { target: byId(id), ...wholeChange(given) }, notes, options);
    },
    replaceEntryPoint: async (owners, owner, phase, body, options = {}) => {
      const notes: Notes = [];
      const given = decode(rulesetPut, body, { area, notes });
      const target: RulesetChange["target"] = (all) =>
        entryPointOf(all, phase) ?? { kind: levels[levelOf[owners]].entry, phase };
      return write(owners, owner, { target, ...wholeChange(given) }, notes, options);
    },
    delete: (owners, owner, id, options = {}) => deleteRuleset(context, owners, owner, id, options),
    addRule: async (owners, owner, id, body, options = {}) => {
      const notes: Notes = [];
      const given = decode(ruleAdd, body, { area, notes });
      const change = ruleChange(id, [given], (rules, changes) => addRule(given, rules, changes));
      return write(owners, owner, change, notes, options);
    },
    editRule: async (owners, owner, id, ruleId, body, options = {}) => {
      const notes: Notes = [];
      const given = decode(ruleEdit, body, { area, notes });
      const change = ruleChange(id, [given], (rules, changes) => editRule(ruleId, given, rules, changes));
      return write(owners, owner, change, notes, options);
    },
    deleteRule: (owners, owner, id, ruleId, options = {}) => {
      const change = ruleChange(id, [], (rules) => removeRule(ruleId, rules));
      return write(owners, owner, { ...change, body: "none" }, [], options);
    },
  };
}

/** @throws {ApiError} for a kind that rulesets of the owner do not have */
function readKind(owners: RulesetOwner, kind: string): RulesetRecord["kind"] {
  const { entry } = levels[levelOf[owners]];
  if (kind === entry || kind === "custom") return kind;
  const message = `\`kind\` must be \`${entry}\` (the entry point) or \`custom\`; found ${quoteText(kind)}.`;
  throw new ApiError(problem(20217, message, "/kind"));
}

function byId(id: string): (all: readonly RulesetRecord[]) => RulesetRecord {
  return (all) => {
    const found = all.find((record) => record.id === id);
    if (found === undefined) throw notFound(area, "ruleset", id);
    return found;
  };
}

/** The change of a body that describes a whole ruleset. */
function wholeChange({ rules, ...given }: RulesetPut): Pick<RulesetChange, "given" | "change"> {
  return {
    given: rules ?? [],
    change: (before, changes): RulesetContent => ({
      ...given,
      ...(rules !== undefined && { rules: replaceRules(rules ?? [], before?.rules ?? [], changes) }),
    }),
  };
}

/** The change of the list of rules of a ruleset. */
function ruleChange(
  id: string,
  given: readonly object[],
  rulesAfter: (rules: RulesetRecord["rules"], changes: RuleChanges) => NonNullable<RulesetContent["rules"]>,
): RulesetChange {
  const change: RulesetChange["change"] = (before, changes) => ({
    rules: rulesAfter(before?.rules ?? [], changes),
  });
  return { body: "rule", target: byId(id), given, change };
}

async function deleteRuleset(
  { store }: ServiceContext,
  owners: RulesetOwner,
  owner: string,
  id: string,
  { dryRun = false }: RulesetWriteOptions,
): Promise<void> {
  const check = async (tx: ReadTransaction) => {
    await requireScope(tx, area, owners, owner);
    const { kind } = byId(id)(await findRulesets(tx, owners, owner));
    const user = kind === "custom" ? await findUser(tx, owners, owner, id) : undefined;
    if (user === undefined) return;
    const message = `The rule ${quote(user.rule)} of the ruleset ${quote(user.ruleset)} of the ${user.owner} executes this ruleset: change or delete it first.`;
    throw invalid(area, message);
  };
  if (dryRun) return store.read(check);
  await store.write(
    async (tx) => {
      await check(tx);
      const { collection, bump } = rulesetOwners[owners];
      await tx.delete(collection, owner, id);
      await bump(tx, owner);
    },
    { queue: owner },
  );
}

/** A rule that executes a custom ruleset: of its zone or account, and for one of an account of its zones. */
async function findUser(tx: ReadTransaction, owners: RulesetOwner, owner: string, id: string) {
  const account = owners === "zones" ? await accountOf(tx, owner) : owner;
  const zones = owners === "zones" ? [owner] : await zonesOf(tx, account);
  const places = [
    { kind: "accounts" as const, name: account },
    ...zones.map((name) => ({ kind: "zones" as const, name })),
  ];
  for (const { kind, name } of places)
    for (const ruleset of await findRulesets(tx, kind, name)) {
      const rule = ruleset.rules.find(
        (record) => record.action === "execute" && record.action_parameters?.id === id,
      );
      if (rule) return { rule: rule.id, ruleset: ruleset.id, owner: `${levelOf[kind]} ${quote(name)}` };
    }
  return undefined;
}

/** The zones of an account that have rulesets, listed or not. */
async function zonesOf(tx: ReadTransaction, account: string): Promise<readonly string[]> {
  const zones = await tx.scopes(rulesetOwners.zones.collection);
  const accounts = await Promise.all(zones.map((zone) => accountOf(tx, zone)));
  return zones.filter((_, i) => accounts[i] === account);
}
