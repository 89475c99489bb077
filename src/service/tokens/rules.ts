/** Token validation rules: their members, and their order in the zone. */
import { aString, requireArgument } from "../../core/arguments.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import { readPosition } from "../../engine/tokens/zone/rule-order.ts";
import { note, quote } from "../../errors.ts";
import { type RulePatch, ruleBulkPatch, rulePatch, ruleQuery } from "../../schemas/tokens.ts";
import { type ReadTransaction, UniqueViolationError, type WriteTransaction } from "../../store/port.ts";
import type { TokenRuleRecord } from "../../store/records/tokens.ts";
import {
  invalid,
  type Notes,
  noteFirst,
  notFound,
  prefixPointers,
  rejectAny,
  requireRecord,
  requireScope,
  type ServiceContext,
} from "../context.ts";
import { findPage, type Page, pageOf, sliceOf } from "../paging.ts";
import { acceptQuery } from "../query.ts";
import { formatTimestamp } from "../time.ts";
import { mapInTurns } from "./in-turns.ts";
import { type PreviewRequest, previewRule, type RulePreview } from "./preview-rule.ts";
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
import { inOrder, movedPosition, positionsAtEnd } from "./rule-positions.ts";

const area = "tokens";

/**
 * Use cases of rules. Every method rejects with an `ApiError` that has all problems of the input. `author` is the name of
 * who makes a change.
 */
export interface TokenRuleService {
  /** A page of the zone's rules that pass the filter, in order of evaluation. */
  list(zone: string, filter?: RuleFilter): Promise<Page<TokenRuleRecord>>;
  /** A rule by its id, in any letter case. */
  get(zone: string, id: string): Promise<TokenRuleRecord>;
  /** Creates a rule after the others; remarks on the body are added to `notes`. */
  create(zone: string, body: unknown, notes?: Notes, author?: string): Promise<TokenRuleRecord>;
  /** Creates all rules or none; in the order given, after the zone's other rules. */
  createMany(
    zone: string,
    body: unknown,
    notes?: Notes,
    author?: string,
  ): Promise<readonly TokenRuleRecord[]>;
  /** Changes the members that are given, and the position; remarks on the body are added to `notes`. */
  edit(zone: string, id: string, body: unknown, notes?: Notes, author?: string): Promise<TokenRuleRecord>;
  /**
   * Edits all rules or none; in the order given, each position relative to the order after the previous edit. Edits of
   * the same rule are one change: later members count, the result has the rule once, and a note reports it.
   */
  editMany(zone: string, body: unknown, notes?: Notes, author?: string): Promise<readonly TokenRuleRecord[]>;
  /** Deletes a rule; the others keep their order. */
  delete(zone: string, id: string): Promise<void>;
  /** The operations of the zone with the effect of a selector, or of the selector of a rule, which is not stored. */
  preview(zone: string, body: unknown, request?: PreviewRequest, notes?: Notes): Promise<RulePreview>;
}

/** The context of a change, with the name of who makes it; it becomes `modified_by`. */
export interface RuleContext extends ServiceContext {
  readonly author?: string | undefined;
}

/** Creates the service. */
export function tokenRuleService(context: ServiceContext): TokenRuleService {
  const { store } = context;
  return {
    list: (zone, filter = {}) => {
      const query = acceptQuery(ruleQuery, filter, area);
      const slice = sliceOf(query);
      const { where, holds } = compileFilter(query);
      const filtered = { ...inOrder, where };
      return store.read(async (tx) => {
        await requireScope(tx, area, "zones", zone);
        if (!holds) return findPage(tx, "token_rules", zone, filtered, slice);
        const rules = await tx.find("token_rules", zone, filtered);
        const isFound = await mapInTurns(rules, holds);
        return pageOf(
          rules.filter((_, i) => isFound[i]),
          slice,
        );
      });
    },
    get: (zone, id) => store.read((tx) => requireRecord(tx, "token_rules", zone, id)),
    create: async (zone, body, notes = [], author) => {
      const input = readCreate(context, body, notes, "");
      return (await storeNewRules({ ...context, author }, zone, [input], notes))[0]!;
    },
    createMany: async (zone, body, notes = [], author) => {
      const inputs = await mapInTurns(readList(context, body), (item, i) =>
        readCreate(context, item, notes, `/${i}`),
      );
      return storeNewRules({ ...context, author }, zone, inputs, notes);
    },
    edit: async (zone, id, body, notes = [], author) => {
      const patch = readPatch(context, rulePatch, body, notes, "");
      return (await editRules({ ...context, author }, zone, [{ id, patch, at: "" }], notes))[0]!;
    },
    editMany: async (zone, body, notes = [], author) => {
      const edits = await mapInTurns(readList(context, body), (item, i) => {
        const { id, ...patch } = readPatch(context, ruleBulkPatch, item, notes, `/${i}`);
        return { id, patch, at: `/${i}`, idAt: `/${i}/id` };
      });
      noteFirst(repeatedEdits(edits), notes, "repeated edits");
      return editRules({ ...context, author }, zone, edits, notes);
    },
    delete: (zone, id) =>
      store.write(
        async (tx) => {
          const rule = await requireRecord(tx, "token_rules", zone, id);
          await tx.delete("token_rules", zone, rule.id);
          await bumpRevision(tx, zone);
        },
        { queue: zone },
      ),
    preview: (zone, body, request = {}, notes = []) => previewRule(context, zone, body, request, notes),
  };
}

async function storeNewRules(
  context: RuleContext,
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
  return tx.find("token_rules", zone, inOrder);
}

/** Stores new rules after the others, all or none; remarks that need the zone's state are added to `notes`. */
export async function createRules(
  context: RuleContext,
  tx: WriteTransaction,
  zone: string,
  inputs: readonly NewRule[],
  notes: Notes = [],
): Promise<readonly TokenRuleRecord[]> {
  const { clock, ids, limits, author } = context;
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
  const positions = await positionsAtEnd(tx, zone, inputs.length);
  const records = inputs.map(({ fields, id = ids.uuid() }, i) => {
    const assigned = { scope: zone, id, position: positions[i]!, created_at: now, last_updated: now };
    return { ...assigned, ...fields, ...authorMember(author) };
  });
  if ((await tx.insertMissing("token_rules", records)) < records.length)
    throw new UniqueViolationError("token_rules", ["id"]);
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

async function editRules(
  context: RuleContext,
  zone: string,
  edits: readonly Edit[],
  notes: Notes,
): Promise<readonly TokenRuleRecord[]> {
  const { rules, moved } = await context.store.write(
    async (tx) => {
      await requireScope(tx, area, "zones", zone);
      const rules = new Map<string, TokenRuleRecord>();
      const moved: Notes = [];
      const patches = edits.map(({ patch, at }) => ({ ...patch, at }));
      rejectAny([
        ...(await checkReferences(tx, zone, patches)),
        ...(await checkTemplates(tx, zone, context, patches, moved)),
      ]);
      for (const edit of edits) {
        const rule = await applyEdit(context, tx, zone, edit, moved);
        rules.set(rule.id, rule);
      }
      await bumpRevision(tx, zone);
      return { rules: [...rules.values()], moved };
    },
    { queue: zone },
  );
  notes.push(...moved);
  return rules;
}

function authorMember(author: string | undefined): Pick<TokenRuleRecord, "modified_by"> {
  return author === undefined ? {} : { modified_by: author };
}

/** Stores and returns the rule after an edit. */
async function applyEdit(
  { clock, author }: RuleContext,
  tx: WriteTransaction,
  zone: string,
  { id, patch, at, idAt }: Edit,
  notes: Notes,
): Promise<TokenRuleRecord> {
  requireArgument("id", id, aString);
  const before = await tx.get("token_rules", zone, id.toLowerCase());
  if (!before)
    throw idAt === undefined
      ? notFound(area, "rule", id)
      : invalid(area, `There is no rule ${quote(id)}.`, idAt);
  const { position, ...fields } = patch;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const { modified_by, ...rest } = before;
  const last_updated = formatTimestamp(clock());
  const rule = { ...rest, ...given, last_updated, ...authorMember(author) };
  const after =
    position === undefined
      ? rule
      : { ...rule, position: await readMove(tx, zone, before, position, `${at}/position`, notes) };
  await tx.replace("token_rules", after);
  return after;
}

/** The number that orders a rule at the position of a request. @throws {ApiError} with every problem of the position */
async function readMove(
  tx: WriteTransaction,
  zone: string,
  rule: TokenRuleRecord,
  given: unknown,
  at: string,
  notes: Notes,
): Promise<number> {
  const read = readPosition(withLowerCaseIds(given));
  const moved = read.ok ? await movedPosition(tx, zone, rule, read.value.position) : read;
  if (!read.ok || !moved.ok) {
    rejectAny(prefixPointers(at, moved.ok ? [] : moved.problems));
    return rule.position;
  }
  notes.push(...prefixPointers(at, read.value.notes));
  return moved.value;
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
