/** Accounts and zones of the store: they follow the lists of the world. */
import { InvalidInputError, pointer, problem, quote } from "../../errors.ts";
import type { Collections } from "../../store/collections.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import {
  type AccountRecord,
  isRemoved,
  type ListedRecord,
  worldScope,
  type ZoneRecord,
} from "../../store/records/world.ts";
import { genericCodes } from "../context.ts";
import { accountOfZone } from "./account-of-zone.ts";
import type { ParsedWorld } from "./part.ts";
import { describeChanges, nameOf } from "./report.ts";

type Kind = "accounts" | "zones";

/** The options with which the lists were applied. */
export interface ListContext {
  readonly nowMs: number;
  readonly note: (line: string) => void;
  /** Receives the ids that are new to the store. */
  readonly added: Readonly<Record<Kind, Set<string>>>;
  /** Whether those that a list does not have stay. */
  readonly adds: boolean;
}

/** Whether the records of a zone or account are still to be seeded. */
export function isUnseeded(record: ListedRecord | undefined): boolean {
  return !record || record.pruned === true;
}

/** The zones or accounts that exist. */
export async function listed<C extends Kind>(tx: ReadTransaction, kind: C): Promise<Collections[C][]> {
  return (await tx.find(kind, worldScope)).filter((record) => !isRemoved(record));
}

/** Applies the list of accounts; without a list the accounts of the store stay. */
export async function applyAccounts(
  tx: WriteTransaction,
  { accounts }: ParsedWorld,
  context: ListContext,
): Promise<void> {
  if (!accounts) return keepList(tx, "accounts", context);
  const wanted = accounts.map(({ id, name = id }): AccountRecord => ({ scope: worldScope, id, name }));
  for (const id of await applyList(tx, "accounts", wanted, context))
    await tx.delete("proxy_facts", id, "account");
}

/**
 * Applies the list of zones; without a list the zones of the store stay.
 *
 * @throws {InvalidInputError} when a zone names an account that the store does not have
 */
export async function applyZones(
  tx: WriteTransaction,
  world: ParsedWorld,
  context: ListContext,
): Promise<void> {
  if (!world.zones) return keepList(tx, "zones", context);
  const whole = context.adds ? undefined : world.accounts;
  const accounts = (whole ?? (await listed(tx, "accounts"))).map(({ id }) => id);
  assertAccounts(world, accounts);
  const wanted = world.zones.map(({ id, name = id, account_id, plan }): ZoneRecord => {
    return {
      scope: worldScope,
      id,
      name,
      ...(plan !== undefined && { plan }),
      account_id: accountOfZone(account_id, accounts),
    };
  });
  await applyList(tx, "zones", wanted, context);
}

/** Accounts of the world itself are validated before; here they are those of the store. */
function assertAccounts({ accounts, zones = [] }: ParsedWorld, known: readonly string[]): void {
  if (accounts || known.length === 0) return;
  const problems = zones.flatMap(({ account_id: id }, i) => {
    if (id === undefined || known.includes(id)) return [];
    const message = `There is no account ${quote(id)}; the accounts of the store are ${known.map(quote).join(", ")}.`;
    return [problem(genericCodes.shared.invalid, message, pointer("zones", i, "account_id"))];
  });
  if (problems.length > 0) throw new InvalidInputError("the world does not fit the store", problems);
}

async function keepList(tx: WriteTransaction, kind: Kind, { note, adds }: ListContext): Promise<void> {
  if (adds) return;
  const { length } = await listed(tx, kind);
  if (length > 0) note(keptLine(kind, length));
}

/** The line for a member that a world does not have. */
export function keptLine(member: string, count: number): string {
  return `the world has no \`${member}\`; the store keeps those it has (${count})`;
}

/** @returns the ids that were removed */
async function applyList<C extends Kind>(
  tx: WriteTransaction,
  kind: C,
  wanted: readonly Collections[C][],
  context: ListContext,
): Promise<readonly string[]> {
  const before = new Map((await tx.find(kind, worldScope)).map((record) => [record.id, record]));
  const ids = new Set(wanted.map(({ id }) => id));
  const others = context.adds ? [] : [...before.values()].filter(({ id }) => !ids.has(id));
  const removed = others.filter((record) => !isRemoved(record));
  for (const record of removed) {
    await tx.replace(kind, { ...record, name: hiddenName(record), removed_at: context.nowMs });
    context.note(`removed ${nameOf(kind, record.id)}`);
  }
  // Names are unique: all that change become free before they are used.
  const changed = wanted.filter((record) => !isUnchanged(before.get(record.id), record));
  for (const { id } of changed) {
    const record = before.get(id);
    if (record) await tx.replace(kind, { ...record, name: hiddenName(record) });
  }
  for (const record of changed) await storeListed(tx, kind, before.get(record.id), record, context);
  return removed.map(({ id }) => id);
}

/** A name that no zone of a world has; the id keeps it unique. */
function hiddenName({ id }: ListedRecord): string {
  return `\0${id}`;
}

function isUnchanged(before: ListedRecord | undefined, now: ListedRecord): boolean {
  return before !== undefined && !isRemoved(before) && describeChanges(visible(before), now) === "";
}

/** A record as a world says it. */
function visible({ removed_at, pruned, ...record }: ListedRecord): object {
  return record;
}

async function storeListed<C extends Kind>(
  tx: WriteTransaction,
  kind: C,
  before: Collections[C] | undefined,
  record: Collections[C],
  { note, added }: ListContext,
): Promise<void> {
  const name = nameOf(kind, record.id);
  if (isUnseeded(before)) added[kind].add(record.id);
  if (!before) {
    await tx.insert(kind, record);
    note(`added ${name}`);
    return;
  }
  await tx.replace(kind, record);
  if (before.pruned) note(`added ${name} again`);
  else if (isRemoved(before)) note(`added ${name} again, with the resources that the store has kept`);
  else note(`changed ${name}: ${describeChanges(visible(before), record)}`);
}
