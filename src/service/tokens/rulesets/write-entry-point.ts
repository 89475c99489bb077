/** Replaces the entry point of a phase: all of it, or nothing (`observed`). */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type CustomRulesReader,
  createCustomRulesReader,
} from "../../../engine/tokens/rulesets/input/read-custom-rules.ts";
import { readLists } from "../../../engine/tokens/rulesets/input/read-lists.ts";
import { type Level, levels } from "../../../engine/tokens/rulesets/input/read-rulesets.ts";
import { customPhase } from "../../../engine/tokens/rulesets/model.ts";
import { type CodedDiagnostic, pointer, problem, quote, quoteText } from "../../../errors.ts";
import { type EntryPointPut, entryPointPut } from "../../../schemas/rulesets.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { CustomRuleRecord, RulesetRecord } from "../../../store/records/rulesets.ts";
import {
  genericCodes,
  invalid,
  type Notes,
  noteFirst,
  rejectAny,
  requireScope,
  type ServiceContext,
} from "../../context.ts";
import { decode } from "../../decode.ts";
import { formatTimestamp } from "../../time.ts";
import { accountOf } from "../evaluation.ts";
import { readAccountRevision, readRevision } from "../revision.ts";
import { rulesetsInput } from "./rulesets-input.ts";
import { findLists, findRulesets, nextVersion, type RulesetOwner, rulesetOwners } from "./stored-rulesets.ts";

const area = "tokens";

const levelOf = { zones: "zone", accounts: "account" } as const satisfies Record<RulesetOwner, Level>;

/** Rules that are compiled in a turn of the event loop. */
const rulesOfTurn = 50;

/** How an entry point is replaced. */
export interface ReplaceOptions {
  /** Whether the body is only checked: nothing is stored. Default false. */
  readonly dryRun?: boolean;
  /** Collects remarks on the body. */
  readonly notes?: Notes;
}

/** The names that the expressions of an owner can use, and the state of the store from which they were read. */
interface Scope {
  readonly state: string;
  readonly account: string;
  readonly reader: CustomRulesReader;
}

/**
 * Replaces the entry point of a phase, or creates it; without `rules` in the body, the rules stay (`chosen`).
 *
 * @throws {ApiError} with every problem of the body
 */
export async function replaceEntryPoint(
  context: ServiceContext,
  owners: RulesetOwner,
  owner: string,
  phase: string,
  body: unknown,
  { dryRun = false, notes = [] }: ReplaceOptions,
): Promise<RulesetRecord> {
  if (phase !== customPhase)
    throw invalid(
      area,
      `Only the entry point of the phase \`${customPhase}\` can be changed here; found ${quoteText(phase)}.`,
    );
  const found: Notes = [];
  const given = decode(entryPointPut, body, { area, notes: found });
  rejectAny(contradictions(given, owners));
  for (;;) {
    const scope = await context.store.read((tx) => readScope(tx, owners, owner));
    await compileInTurns(scope.reader, owners, given.rules ?? []);
    // A transaction can be repeated.
    const replace = async (tx: ReadTransaction) => {
      const added: Notes = [];
      const isSame = (await stateOf(tx, owners, owner, scope.account)) === scope.state;
      return isSame
        ? { ...(await prepare(context, tx, owners, owner, given, scope, added)), added }
        : undefined;
    };
    const replaced = dryRun
      ? await context.store.read(replace)
      : await context.store.write(
          async (tx) => {
            const one = await replace(tx);
            if (one) await store(tx, owners, one);
            return one;
          },
          { queue: owner },
        );
    if (!replaced) continue;
    notes.push(...found, ...replaced.added);
    return replaced.record;
  }
}

/** The members that a client may send back: they cannot be changed. */
function contradictions({ kind, phase }: EntryPointPut, owners: RulesetOwner): CodedDiagnostic[] {
  const expected = { kind: levels[levelOf[owners]].entry, phase: customPhase };
  return Object.entries({ kind, phase }).flatMap(([name, value]) => {
    const allowed = expected[name as keyof typeof expected];
    if (value === undefined || value === allowed) return [];
    const message = `${quote(name)} cannot be changed: it is ${quote(allowed)}; found ${quote(String(value))}.`;
    return [problem(genericCodes.tokens.invalid, message, pointer(name))];
  });
}

async function readScope(tx: ReadTransaction, owners: RulesetOwner, owner: string): Promise<Scope> {
  await requireScope(tx, area, owners, owner);
  const account = owners === "zones" ? await accountOf(tx, owner) : owner;
  const input = rulesetsInput({ lists: await findLists(tx, account) });
  const configs = owners === "zones" ? await tx.find("token_configs", owner) : [];
  const configurations = new Set(configs.map(({ id }) => id));
  const { lists } = readLists(input.lists);
  return {
    state: await stateOf(tx, owners, owner, account),
    account,
    reader: createCustomRulesReader({ configurations, lists, limits: undefined }),
  };
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
async function compileInTurns(
  reader: CustomRulesReader,
  owners: RulesetOwner,
  rules: readonly object[],
): Promise<void> {
  const { member, entry } = levels[levelOf[owners]];
  for (let i = 0; i < rules.length; i += rulesOfTurn) {
    const some = { id: "-", kind: entry, phase: customPhase, rules: rules.slice(i, i + rulesOfTurn) };
    reader.read({ [member]: [some] });
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
  given: EntryPointPut,
  { reader, account }: Scope,
  added: Notes,
): Promise<Replacement> {
  await requireScope(tx, area, owners, owner);
  const all = await findRulesets(tx, owners, owner);
  const at = all.findIndex((one) => one.phase === customPhase && one.kind !== "custom");
  const before = all[at];
  const { clock, ids } = context;
  const last_updated = formatTimestamp(clock());
  const problems: CodedDiagnostic[] = [];
  const rules =
    given.rules === undefined
      ? (before?.rules ?? [])
      : mergeRules(given.rules, before?.rules ?? [], { last_updated, newId: () => ids.hex(32) }, problems);
  const record: RulesetRecord = {
    scope: owner,
    sequence: before?.sequence ?? 0,
    id: before?.id ?? ids.hex(32),
    kind: levels[levelOf[owners]].entry,
    phase: customPhase,
    name: given.name ?? before?.name ?? "default",
    description: given.description ?? before?.description ?? "",
    version: nextVersion(before?.version),
    last_updated,
    rules,
  };
  const next = before ? all.with(at, record) : [...all, record];
  const input =
    owners === "accounts"
      ? { account_rulesets: next }
      : { rulesets: next, account_rulesets: await findRulesets(tx, "accounts", account) };
  const prefix = pointer(levels[levelOf[owners]].member, before ? at : all.length);
  const reading = reader.read(rulesetsInput(input));
  rejectAny([...problems, ...within(prefix, reading.problems)]);
  // Of an account, which configurations exist is known by zone only.
  if (owners === "zones") noteFirst(within(prefix, reading.notes), added, "remarks");
  return { record, isNew: before === undefined };
}

/** Those at a pointer or below it, with the rest of their pointers; and those about all rulesets. */
function within<D extends { readonly pointer?: string }>(prefix: string, found: readonly D[]): D[] {
  return found.flatMap((one) => {
    const at = one.pointer ?? "";
    if (at === "") return [one];
    return at === prefix || at.startsWith(`${prefix}/`) ? [{ ...one, pointer: at.slice(prefix.length) }] : [];
  });
}

interface Changes {
  readonly last_updated: string;
  readonly newId: () => string;
}

/** The rules with the ids, versions and times of those before: a rule is found by its id, else by its `ref`. */
function mergeRules(
  given: NonNullable<EntryPointPut["rules"]>,
  before: readonly CustomRuleRecord[],
  { last_updated, newId }: Changes,
  problems: CodedDiagnostic[],
): readonly CustomRuleRecord[] {
  const byId = new Map(before.map((rule) => [rule.id, rule]));
  const byRef = new Map(before.map((rule) => [rule.ref, rule]));
  const refs = new Set<string>();
  const reject = (i: number, name: string, message: string) =>
    problems.push(problem(genericCodes.tokens.invalid, message, pointer("rules", i, name)));
  return given.map(({ version, last_updated: _, categories, id, ref, ...rest }, i) => {
    const old = id !== undefined ? byId.get(id) : ref === undefined ? undefined : byRef.get(ref);
    if (id !== undefined && !old)
      reject(i, "id", `The entry point has no rule ${quote(id)}; a new rule has no \`id\`.`);
    const ownId = old?.id ?? newId();
    const ownRef = ref ?? old?.ref ?? ownId;
    if (refs.has(ownRef)) reject(i, "ref", `An earlier rule has the \`ref\` ${quote(ownRef)} already.`);
    refs.add(ownRef);
    const { description = "", enabled = true, ...members } = rest;
    const content = { id: ownId, ref: ownRef, ...members, description, enabled };
    const isSame = old !== undefined && contentOf(old) === contentOf(content);
    const changed = isSame ? old : { version: nextVersion(old?.version), last_updated };
    return { ...content, version: changed.version, last_updated: changed.last_updated } as CustomRuleRecord;
  });
}

/** The members of a rule without its version and time, as text. */
function contentOf(rule: object): string {
  const { version, last_updated, ...content } = rule as Partial<CustomRuleRecord>;
  return JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
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
