/** Writes one ruleset: all of it, or nothing. Every change of rulesets and of their rules is made here (`observed`). */
import { setImmediate as nextTurn } from "node:timers/promises";
import { isCheckedPhase } from "../../../engine/tokens/rulesets/input/other-rules.ts";
import {
  type CustomRulesReader,
  createCustomRulesReader,
} from "../../../engine/tokens/rulesets/input/read-custom-rules.ts";
import { readLists } from "../../../engine/tokens/rulesets/input/read-lists.ts";
import { type Level, levels } from "../../../engine/tokens/rulesets/input/read-rulesets.ts";
import { readZoneFacts } from "../../../engine/tokens/rulesets/input/zone-facts.ts";
import { customPhase } from "../../../engine/tokens/rulesets/model.ts";
import { planProblems } from "../../../engine/tokens/rulesets/plans/plan-remarks.ts";
import { type CodedDiagnostic, pointer, problem, quote, quoteText } from "../../../errors.ts";
import type { RulesetPut } from "../../../schemas/rulesets.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { RulesetRecord } from "../../../store/records/rulesets.ts";
import { worldScope } from "../../../store/records/world.ts";
import {
  genericCodes,
  invalid,
  type Notes,
  noteFirst,
  rejectAny,
  requireScope,
  restrict,
  type ServiceContext,
} from "../../context.ts";
import { formatTimestamp } from "../../time.ts";
import { accountOf } from "../evaluation.ts";
import { readAccountRevision, readRevision } from "../revision.ts";
import { type ChangedRule, others, type RuleChanges } from "./changed-rules.ts";
import { rulesetsInput } from "./rulesets-input.ts";
import { findLists, findRulesets, nextVersion, type RulesetOwner, rulesetOwners } from "./stored-rulesets.ts";

const area = "tokens";

/** The level of the rulesets of zones and accounts. */
export const levelOf = { zones: "zone", accounts: "account" } as const satisfies Record<RulesetOwner, Level>;

/** Rules that are compiled in a turn of the event loop. */
const rulesOfTurn = 50;

/** How a ruleset is written. */
export interface RulesetWriteOptions {
  /** Whether the request is only checked: nothing is stored. Default false. */
  readonly dryRun?: boolean;
  /** Collects remarks on the body. */
  readonly notes?: Notes;
}

/** The kind and the phase of a ruleset, which stay. */
type RulesetPlace = Pick<RulesetRecord, "kind" | "phase">;

/** The content of a ruleset after a change; absent members stay. */
export interface RulesetContent extends Pick<RulesetPut, "name" | "description" | "kind" | "phase"> {
  readonly rules?: readonly ChangedRule[];
}

/** A change of one ruleset. */
export interface RulesetChange {
  /** The subject of the body: a whole ruleset, one rule, or `none`, where rules are only removed. Default `ruleset`. */
  readonly body?: "ruleset" | "rule" | "none";
  /** The ruleset among those of its owner; a place is that of a new one. @throws {ApiError} when it cannot be changed */
  target(all: readonly RulesetRecord[]): RulesetRecord | RulesetPlace;
  /** Rules of the body; their expressions are compiled before the transaction. */
  readonly given: readonly object[];
  /** The content. A transaction can be repeated, and so the change. @throws {ApiError} */
  change(before: RulesetRecord | undefined, changes: RuleChanges): RulesetContent;
}

/** The names that the expressions of an owner can use, and the state of the store from which they were read. */
interface Scope {
  readonly state: string;
  readonly account: string;
  readonly reader: CustomRulesReader;
}

/** The rulesets that are read together: those of the owner, and for a zone those of its account. */
interface Neighbors {
  readonly own: readonly RulesetRecord[];
  readonly ofAccount: readonly RulesetRecord[];
}

/** Rules to be compiled. */
interface RulesToCompile extends RulesetPlace {
  readonly owners: RulesetOwner;
  readonly rules: readonly object[];
}

/**
 * Changes or creates a ruleset.
 *
 * @throws {ApiError} with every problem of the body
 */
export async function writeRuleset(
  context: ServiceContext,
  owners: RulesetOwner,
  owner: string,
  change: RulesetChange,
  { dryRun = false, notes = [] }: RulesetWriteOptions,
): Promise<RulesetRecord> {
  const early = await context.store.read((tx) => readScope(tx, owners, owner, change));
  await compileInTurns(early.scope.reader, early.compiled);
  // A transaction can be repeated.
  const replace = async (tx: ReadTransaction) => {
    const added: Notes = [];
    const isSame = (await stateOf(tx, owners, owner, early.scope.account)) === early.scope.state;
    // Other writes of the queue came between: compiled inside of it, the expressions are those of its state.
    const { scope, compiled } = isSame ? early : await readScope(tx, owners, owner, change);
    if (!isSame) await compileInTurns(scope.reader, compiled);
    return { ...(await prepare(context, tx, owners, owner, change, scope, added)), added };
  };
  const replaced = dryRun
    ? await context.store.read(replace)
    : await context.store.write(
        async (tx) => {
          const written = await replace(tx);
          await store(tx, owners, written);
          return written;
        },
        { queue: owner },
      );
  notes.push(...replaced.added);
  return replaced.record;
}

async function readScope(
  tx: ReadTransaction,
  owners: RulesetOwner,
  owner: string,
  change: RulesetChange,
): Promise<{ readonly scope: Scope; readonly compiled: readonly RulesToCompile[] }> {
  await requireScope(tx, area, owners, owner);
  const account = owners === "zones" ? await accountOf(tx, owner) : owner;
  const input = rulesetsInput({ lists: await findLists(tx, account) });
  const configs = owners === "zones" ? await tx.find("token_configs", owner) : [];
  const configurations = new Set(configs.map(({ id }) => id));
  const { lists } = readLists(input.lists);
  const { own, ofAccount } = await readNeighbors(tx, owners, owner, account);
  const { kind, phase } = change.target(own);
  const scope = {
    state: await stateOf(tx, owners, owner, account),
    account,
    reader: createCustomRulesReader({ configurations, lists, limits: undefined }),
  };
  const compiled = [
    ...own.map((record) => ({ owners, ...record })),
    ...ofAccount.map((record) => ({ owners: "accounts" as const, ...record })),
    { owners, kind, phase, rules: change.given },
  ];
  return { scope, compiled: change.body === "none" ? [] : compiled };
}

async function readNeighbors(
  tx: ReadTransaction,
  owners: RulesetOwner,
  owner: string,
  account: string,
): Promise<Neighbors> {
  const own = await findRulesets(tx, owners, owner);
  return { own, ofAccount: owners === "zones" ? await findRulesets(tx, "accounts", account) : [] };
}

async function stateOf(
  tx: ReadTransaction,
  owners: RulesetOwner,
  owner: string,
  account: string,
): Promise<string> {
  const ofZone = owners === "zones" ? (await readRevision(tx, owner)).revision : 0;
  return `${ofZone} ${await readAccountRevision(tx, account)}`;
}

/** Compiles the expressions with other requests in between; the reader then has them. */
async function compileInTurns(reader: CustomRulesReader, rulesets: readonly RulesToCompile[]): Promise<void> {
  for (const { owners, kind, phase, rules } of rulesets)
    for (let i = 0; i < rules.length; i += rulesOfTurn) {
      const some = { id: "-", kind, phase, rules: rules.slice(i, i + rulesOfTurn) };
      reader.read({ [levels[levelOf[owners]].member]: [some] });
      await nextTurn();
    }
}

interface Replacement {
  readonly record: RulesetRecord;
  readonly isNew: boolean;
}

/** The new record, checked together with the other rulesets. @throws {ApiError} */
async function prepare(
  context: ServiceContext,
  tx: ReadTransaction,
  owners: RulesetOwner,
  owner: string,
  change: RulesetChange,
  { reader, account }: Scope,
  added: Notes,
): Promise<Replacement> {
  await requireScope(tx, area, owners, owner);
  const { own, ofAccount } = await readNeighbors(tx, owners, owner, account);
  const target = change.target(own);
  const before = "id" in target ? target : undefined;
  const { clock, ids, limits, settings } = context;
  const last_updated = formatTimestamp(clock());
  const problems: CodedDiagnostic[] = [];
  const newId = () => ids.hex(32);
  const content = change.change(before, { last_updated, newId, problems, notes: added });
  if (change.body !== "none")
    assertWritable(target.phase, before === undefined && content.phase !== undefined);
  const changed = content.rules ?? others(before?.rules ?? []);
  const record: RulesetRecord = {
    scope: owner,
    sequence: before?.sequence ?? 0,
    id: before?.id ?? newId(),
    kind: target.kind,
    phase: target.phase,
    name: content.name ?? before?.name ?? "default",
    description: content.description === null ? "" : (content.description ?? before?.description ?? ""),
    version: nextVersion(before?.version),
    last_updated,
    rules: changed.map(({ rule }) => rule),
  };
  if (change.body === "none") return { record, isNew: false };
  problems.push(...contradictions(content, target));
  if (before !== undefined && record.name !== before.name)
    restrict(settings, problems, added, cannotChange("name", before.name, record.name));
  if (record.rules.length > Math.max(limits.rulesPerRuleset, before?.rules.length ?? 0))
    problems.push(tooMany("A ruleset", limits.rulesPerRuleset, "rules", record.rules.length));
  if (before === undefined && own.length >= limits.rulesetsPerOwner)
    problems.push(tooMany(`The ${levelOf[owners]}`, limits.rulesetsPerOwner, "rulesets", own.length + 1));
  const at = before === undefined ? own.length : own.indexOf(before);
  const next = before ? own.with(at, record) : [...own, record];
  const input =
    owners === "accounts" ? { account_rulesets: next } : { rulesets: next, account_rulesets: ofAccount };
  const prefix = pointer(levels[levelOf[owners]].member, at);
  const inBody = <D extends CodedDiagnostic | Notes[number]>(found: readonly D[]) =>
    within(prefix, found).map((diagnostic) => placeInBody(diagnostic, changed, change.body));
  const reading = reader.read(rulesetsInput(input));
  problems.push(...inBody(reading.problems));
  const { plan } = readZoneFacts((owners === "zones" && (await tx.get("zones", worldScope, owner))) || {});
  for (const diagnostic of inBody(planProblems(reading.read, plan)))
    restrict(settings, problems, added, diagnostic);
  rejectAny(problems);
  // Of an account, which configurations exist is known by zone only.
  if (owners === "zones") noteFirst(inBody(reading.notes), added, "remarks");
  return { record, isNew: before === undefined };
}

/** @throws {ApiError} for a phase whose expressions are not known; `isInBody`: it is that of the body, not of the path */
function assertWritable(phase: string, isInBody: boolean): void {
  if (phase === customPhase || isCheckedPhase(phase)) return;
  throw invalid(
    area,
    `Only rulesets of \`${customPhase}\` and of phases whose expressions are checked can be changed here; found ${quoteText(phase)}.`,
    isInBody ? "/phase" : undefined,
  );
}

/** The members that a client may send back: they cannot be changed. */
function contradictions(content: RulesetContent, place: RulesetPlace): CodedDiagnostic[] {
  return (["kind", "phase"] as const).flatMap((name) => {
    const given = content[name];
    return given === undefined || given === place[name] ? [] : [cannotChange(name, place[name], given)];
  });
}

function cannotChange(name: string, before: string, given: string): CodedDiagnostic {
  const message = `${quote(name)} cannot be changed: it is ${quote(before)}; found ${quote(given)}.`;
  return problem(genericCodes.tokens.invalid, message, pointer(name));
}

function tooMany(owner: string, max: number, noun: string, count: number): CodedDiagnostic {
  return problem(genericCodes.tokens.invalid, `${owner} must have at most ${max} ${noun}; found ${count}.`);
}

/** The diagnostics at a pointer or below it, with the rest of their pointers, and the diagnostics about all rulesets. */
function within<D extends { readonly pointer?: string }>(prefix: string, found: readonly D[]): D[] {
  return found.flatMap((diagnostic) => {
    const at = diagnostic.pointer ?? "";
    if (at === "") return [diagnostic];
    return at === prefix || at.startsWith(`${prefix}/`)
      ? [{ ...diagnostic, pointer: at.slice(prefix.length) }]
      : [];
  });
}

/** With the pointer into the body; without one, and with the rule's name, for a rule that the body does not have. */
function placeInBody<D extends { readonly pointer?: string; readonly message: string }>(
  found: D,
  rules: readonly ChangedRule[],
  body: RulesetChange["body"],
): D {
  const { pointer: at = "", ...rest } = found;
  const [, list, index, ...inRule] = at.split("/");
  const changed = list === "rules" && index !== undefined ? rules[Number(index)] : undefined;
  if (changed?.at !== undefined) return { ...found, pointer: [changed.at, ...inRule].join("/") };
  if (changed !== undefined)
    return { ...rest, message: `The rule ${quote(changed.rule.id)}: ${found.message}` } as D;
  return body === "rule" ? (rest as D) : found;
}

async function store(
  tx: WriteTransaction,
  owners: RulesetOwner,
  { record, isNew }: Replacement,
): Promise<void> {
  const { collection, bump } = rulesetOwners[owners];
  if (isNew) {
    const sequence = await tx.sequence(record.scope, collection);
    await tx.insert(collection, { ...record, sequence });
  } else await tx.replace(collection, record);
  await bump(tx, record.scope);
}
