/** Token validation rules: their members, and their order in the zone. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { movePosition } from "../../engine/tokens/zone/rule-order.ts";
import { note, quote } from "../../errors.ts";
import { type RulePatch, ruleBulkPatch, rulePatch } from "../../schemas/tokens.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import type { TokenRuleRecord } from "../../store/records/tokens.ts";
import {
  invalid,
  type Notes,
  noteFirst,
  notFound,
  prefixPointers,
  rejectAny,
  requireScope,
  type ServiceContext,
} from "../context.ts";
import { type Page, pageOf, readPage } from "../paging.ts";
import { formatTimestamp } from "../time.ts";
import { mapInTurns } from "./in-turns.ts";
import { pageRule } from "./limits.ts";
import {
  checkReferences,
  checkTemplates,
  type NewRule,
  readCreate,
  readList,
  readPatch,
} from "./read-rule.ts";
import { bumpRevision } from "./revision.ts";
import { compileFilter, type RuleFilter } from "./rule-filter.ts";

const area = "tokens";

/** Use cases of rules. Every method rejects with an `ApiError` that has all problems of the input. */
export interface TokenRuleService {
  /** A page of the zone's rules that pass the filter, in order of evaluation. */
  list(zone: string, filter?: RuleFilter): Promise<Page<TokenRuleRecord>>;
  /** A rule by its id, in any letter case. */
  get(zone: string, id: string): Promise<TokenRuleRecord>;
  /** Creates a rule after the others; remarks on the body are added to `notes`. */
  create(zone: string, body: unknown, notes?: Notes): Promise<TokenRuleRecord>;
  /** Creates all rules or none; in the order given, after the zone's other rules. */
  createMany(zone: string, body: unknown, notes?: Notes): Promise<readonly TokenRuleRecord[]>;
  /** Changes the members that are given, and the position; remarks on the body are added to `notes`. */
  edit(zone: string, id: string, body: unknown, notes?: Notes): Promise<TokenRuleRecord>;
  /**
   * Edits all rules or none; in the order given, each position relative to the order after the previous edit. Edits of
   * the same rule are one change: later members count, the result has the rule once, and a note reports it.
   */
  editMany(zone: string, body: unknown, notes?: Notes): Promise<readonly TokenRuleRecord[]>;
  /** Deletes a rule and closes the gap in positions. */
  delete(zone: string, id: string): Promise<void>;
}

/** Creates the service. */
export function tokenRuleService(context: ServiceContext): TokenRuleService {
  const { store } = context;
  return {
    list: (zone, filter = {}) => {
      const slice = readPage(filter, pageRule, area);
      const holds = compileFilter(filter);
      return store.read(async (tx) => {
        await requireScope(tx, area, "zones", zone);
        return pageOf((await rulesInOrder(tx, zone)).filter(holds), slice);
      });
    },
    get: (zone, id) => store.read((tx) => requireRule(tx, zone, id)),
    create: async (zone, body, notes = []) => {
      const input = readCreate(context, body, notes, "");
      return (await storeNewRules(context, zone, [input], notes))[0]!;
    },
    createMany: async (zone, body, notes = []) => {
      const inputs = await mapInTurns(readList(context, body), (item, i) =>
        readCreate(context, item, notes, `/${i}`),
      );
      return storeNewRules(context, zone, inputs, notes);
    },
    edit: async (zone, id, body, notes = []) => {
      const patch = readPatch(context, rulePatch, body, notes, "");
      return (await editRules(context, zone, [{ id, patch, at: "" }], notes))[0]!;
    },
    editMany: async (zone, body, notes = []) => {
      const edits = await mapInTurns(readList(context, body), (item, i) => {
        const { id, ...patch } = readPatch(context, ruleBulkPatch, item, notes, `/${i}`);
        return { id, patch, at: `/${i}`, idAt: `/${i}/id` };
      });
      noteFirst(repeatedEdits(edits), notes, "repeated edits");
      return editRules(context, zone, edits, notes);
    },
    delete: (zone, id) =>
      store.write(
        async (tx) => {
          const rule = await requireRule(tx, zone, id);
          const rest = (await rulesInOrder(tx, zone)).filter((r) => r.id !== rule.id);
          await tx.delete("token_rules", zone, rule.id);
          await storeOrder(tx, rest);
          await bumpRevision(tx, zone);
        },
        { queue: zone },
      ),
  };
}

async function storeNewRules(
  context: ServiceContext,
  zone: string,
  inputs: readonly NewRule[],
  notes: Notes,
): Promise<readonly TokenRuleRecord[]> {
  const { rules, added } = await context.store.write(
    async (tx) => {
      // A transaction can be repeated.
      const added: Notes = [];
      return { rules: await createRules(context, tx, zone, inputs, added), added };
    },
    { queue: zone },
  );
  notes.push(...added);
  return rules;
}

/** The zone's rules in the order of evaluation. */
export function rulesInOrder(tx: ReadTransaction, zone: string): Promise<TokenRuleRecord[]> {
  return tx.find("token_rules", zone, { order: [{ field: "position", direction: "asc" }] });
}

async function requireRule(tx: ReadTransaction, zone: string, id: string): Promise<TokenRuleRecord> {
  await requireScope(tx, area, "zones", zone);
  const rule = await tx.get("token_rules", zone, id.toLowerCase());
  if (!rule) throw notFound(area, "rule", id);
  return rule;
}

/** Stores new rules after the others, all or none; remarks that need the zone's state are added to `notes`. */
export async function createRules(
  context: ServiceContext,
  tx: WriteTransaction,
  zone: string,
  inputs: readonly NewRule[],
  notes: Notes = [],
): Promise<readonly TokenRuleRecord[]> {
  const { clock, ids, limits } = context;
  await requireScope(tx, area, "zones", zone);
  const rules = inputs.map(({ fields, at }) => ({ ...fields, at }));
  rejectAny([
    ...(await checkReferences(tx, zone, rules)),
    ...(await checkTemplates(tx, zone, context, rules, notes)),
  ]);
  const count = await tx.count("token_rules", zone);
  if (count + inputs.length > limits.rulesPerZone) {
    const found = `this one has ${count} and would have ${count + inputs.length}`;
    throw invalid(area, `A zone must have at most ${limits.rulesPerZone} rules; ${found}.`);
  }
  const now = formatTimestamp(clock());
  const records = inputs.map(({ fields, id = ids.uuid() }, i) => {
    return { scope: zone, id, position: count + i + 1, created_at: now, last_updated: now, ...fields };
  });
  for (const record of records) await tx.insert("token_rules", record);
  await bumpRevision(tx, zone);
  return records;
}

interface Edit {
  readonly id: string;
  readonly patch: RulePatch;
  readonly at: string;
  /** Pointer of the id, when the body has it. */
  readonly idAt?: string;
}

function* repeatedEdits(edits: readonly Edit[]): Generator<Diagnostic> {
  const ids = new Set<string>();
  for (const { id, idAt } of edits) {
    const key = id.toLowerCase();
    if (ids.has(key))
      yield note("valueNoted", `Rule ${quote(id)} is edited more than once; later members count.`, idAt);
    ids.add(key);
  }
}

/** Edits of a turn of the event loop: some milliseconds in a full zone. `chosen` */
const editsOfTurn = 20;

async function editRules(
  context: ServiceContext,
  zone: string,
  edits: readonly Edit[],
  notes: Notes,
): Promise<readonly TokenRuleRecord[]> {
  const { rules, moved } = await context.store.write(
    async (tx) => {
      await requireScope(tx, area, "zones", zone);
      const state = new Map((await rulesInOrder(tx, zone)).map((rule) => [rule.id, rule]));
      const moved: Notes = [];
      const patches = edits.map(({ patch, at }) => ({ ...patch, at }));
      rejectAny([
        ...(await checkReferences(tx, zone, patches)),
        ...(await checkTemplates(tx, zone, context, patches, moved)),
      ]);
      let order: readonly string[] = [...state.keys()];
      for (const [i, edit] of edits.entries()) {
        order = applyEdit(context, state, order, edit, moved);
        // A move copies the order: other requests wait for some of them at most.
        if (i % editsOfTurn === editsOfTurn - 1) await nextTurn();
      }
      const rules = await storeEdits(tx, zone, state, order);
      const ids = new Set(edits.map(({ id }) => id.toLowerCase()));
      return { rules: [...ids].map((id) => rules.get(id)!), moved };
    },
    { queue: zone },
  );
  notes.push(...moved);
  return rules;
}

/** Changes the rule in `state` and returns the order after the edit. */
function applyEdit(
  { clock }: ServiceContext,
  state: Map<string, TokenRuleRecord>,
  order: readonly string[],
  { id, patch, at, idAt }: Edit,
  notes: Notes,
): readonly string[] {
  const before = state.get(id.toLowerCase());
  if (!before)
    throw idAt === undefined
      ? notFound(area, "rule", id)
      : invalid(area, `There is no rule ${quote(id)}.`, idAt);
  const { position, ...fields } = patch;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  state.set(before.id, { ...before, ...given, last_updated: formatTimestamp(clock()) });
  if (position === undefined) return order;
  const moved = movePosition(order, before.id, withLowerCaseIds(position));
  if (!moved.ok) {
    rejectAny(prefixPointers(`${at}/position`, moved.problems));
    return order;
  }
  notes.push(...prefixPointers(`${at}/position`, moved.value.notes));
  return moved.value.order;
}

/** Accepts a neighbor's id in any letter case, as in a path. */
function withLowerCaseIds(position: unknown): unknown {
  if (!isJsonObject(position)) return position;
  const ids = ["before", "after"].flatMap((member) => {
    const id = position[member];
    return typeof id === "string" ? [[member, id.toLowerCase()]] : [];
  });
  return { ...position, ...Object.fromEntries(ids) };
}

async function storeEdits(
  tx: WriteTransaction,
  zone: string,
  state: ReadonlyMap<string, TokenRuleRecord>,
  order: readonly string[],
): Promise<ReadonlyMap<string, TokenRuleRecord>> {
  const rules = order.map((id, i) => ({ ...state.get(id)!, position: i + 1 }));
  const stored = new Map((await rulesInOrder(tx, zone)).map((rule) => [rule.id, rule]));
  for (const rule of rules) if (changed(stored.get(rule.id)!, rule)) await tx.replace("token_rules", rule);
  await bumpRevision(tx, zone);
  return new Map(rules.map((rule) => [rule.id, rule]));
}

function changed(before: TokenRuleRecord, after: TokenRuleRecord): boolean {
  return before.last_updated !== after.last_updated || JSON.stringify(before) !== JSON.stringify(after);
}

/** Stores positions from 1 in the order given. */
async function storeOrder(tx: WriteTransaction, rules: readonly TokenRuleRecord[]): Promise<void> {
  for (const [i, rule] of rules.entries()) {
    if (rule.position !== i + 1) await tx.replace("token_rules", { ...rule, position: i + 1 });
  }
}
