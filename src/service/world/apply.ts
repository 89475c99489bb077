/** Applies a world to a store, in one transaction. */
import type { ReadTransaction, Store, WriteTransaction } from "../../store/port.ts";
import { worldScope } from "../../store/records/world.ts";
import { deleteOwnBlobs } from "../brand/logos/logo-blobs.ts";
import { hasOutdatedSettings, updateSettings } from "../brand/settings/update-settings.ts";
import type { QueuedWrite, ServiceContext } from "../context.ts";
import { applyApiTokens } from "./api-tokens.ts";
import { applyAccounts, applyZones, isUnseeded, type ListContext } from "./lists.ts";
import type { ParsedWorld, SeededList } from "./part.ts";
import { prune } from "./prune.ts";
import { compareSeeds, nameOf, type SeedLog } from "./report.ts";
import { assertNoProblems, type PreparedWorld } from "./world.ts";

/** The work of a start beside applying its world. */
export interface ApplyOptions {
  /** Whether a store whose API tokens were all removed accepts every token again. */
  readonly anyToken?: boolean;
  /** Whether resources of removed zones and accounts are deleted. */
  readonly prune?: boolean;
  /** Whether the world only adds and changes: accounts, zones and API tokens that it does not name stay. Default false. */
  readonly adds?: boolean;
  /** Receives a line for each difference between the world and the store. Errors that it throws are ignored. */
  readonly onNote?: (line: string) => void;
}

/**
 * Applies a world. Parts that only a world can have follow it; those that the interface can create are stored for zones and accounts
 * that are new to the store, and belongs to the store from then on. Differences are reported when all is committed.
 *
 * @param prepared undefined when there is no world, which changes nothing
 * @throws {InvalidInputError} with problems that only decoding a picture or the contents of the store show
 */
export async function applyWorld(
  context: ServiceContext,
  prepared: PreparedWorld | undefined,
  { anyToken = false, prune: isPruning = false, adds = false, onNote = () => {} }: ApplyOptions,
): Promise<void> {
  const { store } = context;
  if (prepared) await preparePictures(store, prepared);
  const { lines, blobs } = await store.write(async (tx) => {
    const lines: string[] = [...(prepared?.notes ?? [])];
    const note = (line: string) => lines.push(line);
    const world = prepared?.world ?? {};
    const isFirst = prepared !== undefined && (await hasNoWorld(tx));
    await applyApiTokens(tx, world, {
      anyToken,
      hasWorld: prepared !== undefined,
      adds,
      note: isFirst ? () => {} : note,
    });
    if (prepared) await applyContents(context, tx, prepared, { isFirst, adds, note });
    else lines.push(...(await updateSettings(tx, context)));
    return { lines, blobs: isPruning ? await prune(tx, note) : [] };
  }, inQueue);
  await deleteOwnBlobs(store.blobs, blobs);
  report(lines, onNote);
}

/** Processes that start with a world apply it one after another. */
const inQueue: QueuedWrite = { queue: worldScope };

/** Updates the settings of the accounts of a store without a world; only reads when there is nothing to update. */
export async function applySettings(
  context: ServiceContext,
  { onNote = () => {} }: Pick<ApplyOptions, "onNote">,
): Promise<void> {
  const { store } = context;
  if (!(await store.read((tx) => hasOutdatedSettings(tx, context)))) return;
  report(await store.write((tx) => updateSettings(tx, context), inQueue), onNote);
}

function report(lines: readonly string[], onNote: (line: string) => void): void {
  for (const line of lines) {
    try {
      onNote(`world: ${line}`);
    } catch {
      // All is committed, whatever becomes of its report.
    }
  }
}

/** Decodes and stores the pictures of accounts that are new to the store. */
async function preparePictures(
  store: Store,
  { world: { accounts = [] }, parts }: PreparedWorld,
): Promise<void> {
  const ids = accounts.map((account) => account.id);
  const known = await store.read((tx) => tx.find("accounts", worldScope));
  const seeded = new Set(known.filter((account) => !isUnseeded(account)).map(({ id }) => id));
  const fresh = ids.filter((id) => !seeded.has(id));
  const found = [];
  for (const part of parts) found.push(...((await part.prepare?.(store, fresh)) ?? []));
  assertNoProblems(found);
}

/** Whether the store has nothing that only a world says, so that everything in the world is new. */
async function hasNoWorld(tx: WriteTransaction): Promise<boolean> {
  for (const collection of ["accounts", "zones", "api_tokens"] as const)
    if ((await tx.count(collection, worldScope)) > 0) return false;
  return true;
}

async function applyContents(
  context: ServiceContext,
  tx: WriteTransaction,
  { world, parts }: PreparedWorld,
  { isFirst, adds, note }: Pick<SeedLog, "isFirst" | "adds" | "note">,
): Promise<void> {
  const added: ListContext["added"] = { accounts: new Set(), zones: new Set() };
  const lists = { nowMs: context.clock(), note: isFirst ? () => {} : note, added, adds };
  await applyAccounts(tx, world, lists);
  await applyZones(tx, world, lists);
  for (const line of await updateSettings(tx, context)) note(line);
  const report: SeedLog = { note, isFirst, adds, isNew: (kind, id) => added[kind].has(id) };
  for (const part of parts) await part.follow?.(tx, report);
  await seedOrCompare(tx, world, parts, report);
}

/** Stores what is new to the store; of everything else the differences from the world are reported. */
async function seedOrCompare(
  tx: WriteTransaction,
  { accounts = [], zones = [] }: ParsedWorld,
  parts: PreparedWorld["parts"],
  report: SeedLog,
): Promise<void> {
  const listed = { accounts, zones };
  for (const { seeded } of parts) {
    if (seeded === undefined) continue;
    for (const { id } of listed[seeded.owners]) {
      const isNew = report.isNew(seeded.owners, id) && !((await seeded.count?.(tx, id)) ?? 0);
      if (isNew) await seeded.create?.(tx, id);
      else await compareLists(tx, nameOf(seeded.owners, id), seeded.lists(id), report);
    }
  }
}

async function compareLists(
  tx: ReadTransaction,
  owner: string,
  lists: readonly SeededList[],
  { note }: SeedLog,
): Promise<void> {
  for (const { things, world, stored, isOpen } of lists) {
    const line = world && (await compareSeeds(owner, things, world, await stored(tx), !isOpen));
    if (line !== undefined) note(line);
  }
}
