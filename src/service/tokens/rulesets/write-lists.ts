/** Changes the lists of accounts that custom rules name. A change is complete when it is answered (`chosen`). */
import { setImmediate as nextTurn } from "node:timers/promises";
import { aString, requireArgument } from "../../../core/arguments.ts";
import { readLists } from "../../../engine/tokens/rulesets/input/read-lists.ts";
import { type CodedDiagnostic, pointer, problem, quote } from "../../../errors.ts";
import {
  type ListItemsBody,
  listCreate,
  listEdit,
  listItems,
  removedItems,
} from "../../../schemas/rulesets.ts";
import type { WriteTransaction } from "../../../store/port.ts";
import type { RuleListRecord } from "../../../store/records/rulesets.ts";
import {
  genericCodes,
  invalid,
  type Notes,
  notFound,
  rejectAny,
  requireRecord,
  requireScope,
  type ServiceContext,
} from "../../context.ts";
import { decode } from "../../decode.ts";
import { formatTimestamp } from "../../time.ts";
import { derivedHex } from "../derived-ids.ts";
import { bumpAccountRevision } from "../revision.ts";
import { createLists } from "./stored-rulesets.ts";

const area = "tokens";

/** Items that are looked at in a turn of the event loop: some milliseconds. `chosen` */
const itemsOfTurn = 1_000;

/** A value of an item. */
type Item = string | number;

/** How the items of a list are changed. */
export type ItemsChange = "replace" | "append" | "remove";

/** Use cases that change lists. Every method rejects with an `ApiError` that has all problems of the input. */
export interface ListWriter {
  /** Creates an empty list after the others. */
  create(account: string, body: unknown, notes?: Notes): Promise<RuleListRecord>;
  /** Changes the description. */
  edit(account: string, id: string, body: unknown, notes?: Notes): Promise<RuleListRecord>;
  /** Deletes a list; rules that name it are then undecided. */
  delete(account: string, id: string): Promise<void>;
  /** Changes the items, and returns the id of the finished operation. */
  changeItems(
    account: string,
    id: string,
    change: ItemsChange,
    body: unknown,
    notes?: Notes,
  ): Promise<string>;
  /** When an operation was completed. */
  operation(account: string, id: string): Promise<string>;
}

/** The id of an item: the same while the list has the value. */
export function idOfItem(list: string, value: Item): string {
  return derivedHex(`item ${list} ${value}`);
}

/** Creates the use cases. */
export function listWriter(context: ServiceContext): ListWriter {
  const { store, clock, ids, limits } = context;
  const change = (
    account: string,
    id: string,
    changed: (list: RuleListRecord) => Partial<RuleListRecord> | Promise<Partial<RuleListRecord>>,
  ): Promise<RuleListRecord> =>
    store.write(
      async (tx) => {
        const list = await requireRecord(tx, "rule_lists", account, id);
        const record = { ...list, ...(await changed(list)), modified_on: formatTimestamp(clock()) };
        await tx.replace("rule_lists", record);
        await bumpAccountRevision(tx, account);
        return record;
      },
      { queue: account },
    );
  return {
    create: (account, body, notes = []) => {
      const { name, kind, description = "" } = decode(listCreate, body, { area, notes });
      rejectAny(nameProblems(name));
      return store.write(
        async (tx) => {
          await requireScope(tx, area, "accounts", account);
          await assertRoom(tx, account, name, limits.listsPerAccount);
          const now = formatTimestamp(clock());
          const times = { created_on: now, modified_on: now };
          const list = { id: ids.hex(32), name, kind, description, items: [], ...times };
          await createLists(tx, account, [list]);
          return requireRecord(tx, "rule_lists", account, list.id);
        },
        { queue: account },
      );
    },
    edit: (account, id, body, notes = []) => {
      const { description } = decode(listEdit, body, { area, notes });
      return change(account, id, () => (description === undefined ? {} : { description }));
    },
    delete: (account, id) =>
      store.write(
        async (tx) => {
          await requireRecord(tx, "rule_lists", account, id);
          await tx.delete("rule_lists", account, id);
          await bumpAccountRevision(tx, account);
        },
        { queue: account },
      ),
    changeItems: async (account, id, how, body, notes = []) => {
      if (how === "remove") {
        const { items } = decode(removedItems, body, { area, notes });
        await nextTurn();
        await change(account, id, async (list) => ({ items: await without(list, items) }));
      } else {
        const given = decode(listItems, body, { area, notes });
        const before = how === "replace" ? (): readonly Item[] => [] : (list: RuleListRecord) => list.items;
        await nextTurn();
        await change(account, id, async (list) => ({
          items: await withItems(list, before(list), given, limits.itemsPerList),
        }));
      }
      return operationId(account, clock());
    },
    operation: async (account, id) => {
      requireArgument("id", id, aString);
      await store.read((tx) => requireScope(tx, area, "accounts", account));
      const completedMs = Number.parseInt(id.slice(0, timeDigits), 16);
      if (operationId(account, completedMs) !== id) throw notFound(area, "operation", id);
      return formatTimestamp(completedMs);
    },
  };
}

/** Hexadecimal digits of the time in the id of an operation. */
const timeDigits = 12;

/** Nothing is stored of an operation that is complete: its id has the time, and a digest that no other id has. */
export function operationId(account: string, completedMs: number): string {
  const digest = derivedHex(`operation ${account} ${completedMs}`);
  return completedMs.toString(16).padStart(timeDigits, "0") + digest.slice(timeDigits);
}

function nameProblems(name: string): CodedDiagnostic[] {
  const { problems } = readLists({ [name]: { kind: "ip", items: [] } });
  return problems.map((diagnostic) => ({ ...diagnostic, pointer: "/name" }));
}

async function assertRoom(tx: WriteTransaction, account: string, name: string, max: number): Promise<void> {
  const where = [{ field: "name", op: "eq", value: name }] as const;
  if ((await tx.count("rule_lists", account, where)) > 0)
    throw invalid(area, `The account has a list ${quote(name)} already.`, "/name");
  const count = await tx.count("rule_lists", account);
  if (count >= max)
    throw invalid(area, `An account must have at most ${max} lists; this one has ${count} already.`);
}

/** The items with the given ones after them; each value once. @throws {ApiError} */
async function withItems(
  { name, kind }: RuleListRecord,
  before: readonly Item[],
  given: ListItemsBody,
  max: number,
): Promise<readonly Item[]> {
  const values: Item[] = [];
  /** The index in the body of each value. */
  const from: number[] = [];
  const problems: CodedDiagnostic[] = [];
  for (const [i, item] of given.entries()) {
    const own = kind === "hostname" ? hostnamesOf(item.hostname) : [item[kind] ?? []].flat();
    if (own.length === 0) {
      const message = `An item of a list of the kind \`${kind}\` must have the member \`${kind}\`.`;
      problems.push(problem(genericCodes.tokens.invalid, message, pointer(i)));
    }
    for (const value of own) {
      values.push(value);
      from.push(i);
    }
  }
  for (let first = 0; first < values.length; first += itemsOfTurn) {
    const items = values.slice(first, first + itemsOfTurn);
    for (const diagnostic of readLists({ [name]: { kind, items } }).problems) {
      const index = first + Number(diagnostic.pointer?.split("/").at(-1));
      problems.push({ ...diagnostic, pointer: pointer(from[index] ?? 0, kind) });
    }
    await nextTurn();
  }
  rejectAny(problems);
  const items = [...new Set([...before, ...values])];
  if (items.length <= max) return items;
  throw invalid(area, `A list must have at most ${max} items; it would have ${items.length}.`);
}

/** A wildcard is for subdomains alone, unless the item says otherwise (`observed`). */
function hostnamesOf(hostname: ListItemsBody[number]["hostname"]): readonly string[] {
  if (hostname === undefined) return [];
  const { url_hostname: name, exclude_exact_hostname: isExcluded } = hostname;
  return isExcluded === false && name.startsWith("*.") ? [name, name.slice(2)] : [name];
}

/** The items without those with the given ids. @throws {ApiError} */
async function without(
  list: RuleListRecord,
  removed: readonly { readonly id: string }[],
): Promise<readonly Item[]> {
  const byId = new Map<string, Item>();
  for (const [i, value] of list.items.entries()) {
    byId.set(idOfItem(list.id, value), value);
    if (i % itemsOfTurn === itemsOfTurn - 1) await nextTurn();
  }
  const problems = removed.flatMap(({ id }, i) =>
    byId.has(id)
      ? []
      : [
          problem(
            genericCodes.tokens.missing,
            `The list has no item ${quote(id)}.`,
            pointer("items", i, "id"),
          ),
        ],
  );
  rejectAny(problems);
  const gone = new Set(removed.map(({ id }) => byId.get(id)));
  return list.items.filter((value) => !gone.has(value));
}
