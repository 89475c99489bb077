/** The initial state of an account: its part of delivery addresses, a variant and a signing key. */

import { aString, requireArgument } from "../../core/arguments.ts";
import { createLruCache } from "../../core/lru-cache.ts";
import type { CompleteVariantOptions } from "../../engine/images/render/variant.ts";
import { accountHash } from "../../engine/images/signing.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import { type ImageAccountRecord, type ImageConfig, imagesScope } from "../../store/records/images.ts";
import { type QueuedWrite, requireScope, type ServiceContext, scopeExists } from "../context.ts";
import { insertKey, type NewKey, newDefaultKey } from "./delivery/key-records.ts";
import { insertVariant, type NewVariant } from "./delivery/variant-records.ts";

/** The variant of every new account (`chosen`). */
const publicOptions: CompleteVariantOptions = {
  fit: "scale-down",
  width: 1_366,
  height: 768,
  metadata: "none",
};
export const publicVariant: NewVariant = {
  id: "public",
  options: publicOptions,
  neverRequireSignedURLs: false,
};

/** Length of the secret that authenticates continuation tokens, in characters: more than 256 bits. */
const secretLength = 48;

/** The initial state of a new account. */
export interface NewAccount {
  readonly hash: string;
  readonly allowed: number | null;
  readonly token_secret: string;
  readonly config?: Partial<ImageConfig>;
  readonly keys: readonly NewKey[];
  readonly variants: readonly NewVariant[];
}

/** Draws an account's secrets; not inside a transaction, which may be repeated. */
export function newAccount({ ids }: ServiceContext, id: string): NewAccount {
  return {
    hash: accountHash(id),
    allowed: null,
    token_secret: ids.secret(secretLength),
    keys: [newDefaultKey(ids)],
    variants: [publicVariant],
  };
}

/** The option of all writes of an account's images and of what belongs to them, so that they do not collide. */
export function inQueue(account: string): QueuedWrite {
  requireArgument("account", account, aString);
  return { queue: `${account} images` };
}

/**
 * The account's own record; created when image hosting has none for the account.
 *
 * @throws {ApiError} 5404 for an account that is not in the world
 */
export async function openAccount(context: ServiceContext, id: string): Promise<ImageAccountRecord> {
  const known = await context.store.read((tx) => findAccount(tx, id));
  if (known) return known;
  const account = newAccount(context, id);
  return context.store.write(
    async (tx) => (await findAccount(tx, id)) ?? createAccount(tx, id, account),
    inQueue(id),
  );
}

async function findAccount(tx: ReadTransaction, id: string): Promise<ImageAccountRecord | undefined> {
  await requireScope(tx, "images", "accounts", id);
  return tx.get("image_accounts", imagesScope, id);
}

/** Ids of accounts by their part of delivery addresses, as they were last: a record is read faster than found. */
const knownIds = createLruCache<string>(1_024);

async function findByHash(tx: ReadTransaction, hash: string): Promise<ImageAccountRecord | undefined> {
  const where = [{ field: "hash", op: "eq", value: hash }] as const;
  const [account] = await tx.find("image_accounts", imagesScope, { where, limit: 1 });
  return account;
}

/** The account with this part of delivery addresses; undefined when the account was removed. */
export async function accountByHash(
  tx: ReadTransaction,
  hash: string,
): Promise<ImageAccountRecord | undefined> {
  const known = knownIds.get(hash);
  const kept = known === undefined ? undefined : await tx.get("image_accounts", imagesScope, known);
  const account = kept?.hash === hash ? kept : await findByHash(tx, hash);
  if (account && account !== kept) knownIds.set(hash, account.id);
  return account && (await scopeExists(tx, "accounts", account.id)) ? account : undefined;
}

/** Stores a new account. @throws {UniqueViolationError} when another account has its hash */
export async function createAccount(
  tx: WriteTransaction,
  id: string,
  { keys, variants, ...own }: NewAccount,
): Promise<ImageAccountRecord> {
  const record = { scope: imagesScope, id, ...own };
  await tx.insert("image_accounts", record);
  for (const variant of variants) await insertVariant(tx, id, variant);
  for (const key of keys) await insertKey(tx, id, key);
  return record;
}
