/** What an account has before its first image: its part of delivery addresses, a variant and a signing key. */

import type { CompleteVariantOptions } from "../../engine/images/render/variant.ts";
import { accountHash } from "../../engine/images/signing.ts";
import type { ReadTransaction, WriteTransaction } from "../../store/port.ts";
import { type ImageAccountRecord, imagesScope } from "../../store/records/images.ts";
import { requireScope, type ServiceContext } from "../context.ts";
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

/** Letters of the secret that continuation tokens are authenticated with: 256 bits and more. */
const secretLength = 48;

/** Everything that a new account begins with. */
export interface NewAccount {
  readonly hash: string;
  readonly allowed: number | null;
  readonly token_secret: string;
  readonly keys: readonly NewKey[];
  readonly variants: readonly NewVariant[];
}

/** Draws an account's secrets, outside of a transaction, which may run again. */
export function newAccount({ ids }: ServiceContext, id: string): NewAccount {
  return {
    hash: accountHash(id),
    allowed: null,
    token_secret: ids.secret(secretLength),
    keys: [newDefaultKey(ids)],
    variants: [publicVariant],
  };
}

/**
 * The account's own record. An account that image hosting has not seen before gets its beginnings.
 *
 * @throws {ApiError} 5404 for an account that the world does not have
 */
export async function openAccount(context: ServiceContext, id: string): Promise<ImageAccountRecord> {
  const known = await context.store.read((tx) => findAccount(tx, id));
  if (known) return known;
  const beginnings = newAccount(context, id);
  return context.store.write(async (tx) => (await findAccount(tx, id)) ?? createAccount(tx, id, beginnings));
}

async function findAccount(tx: ReadTransaction, id: string): Promise<ImageAccountRecord | undefined> {
  await requireScope(tx, "images", "accounts", id);
  return tx.get("image_accounts", imagesScope, id);
}

/** The account that a part of a delivery address stands for. */
export async function accountByHash(
  tx: ReadTransaction,
  hash: string,
): Promise<ImageAccountRecord | undefined> {
  const where = [{ field: "hash", op: "eq", value: hash }] as const;
  return (await tx.find("image_accounts", imagesScope, { where, limit: 1 }))[0];
}

/** Stores an account's beginnings. @throws {UniqueViolationError} when another account has its hash */
export async function createAccount(
  tx: WriteTransaction,
  id: string,
  { hash, allowed, token_secret, keys, variants }: NewAccount,
): Promise<ImageAccountRecord> {
  const record = { scope: imagesScope, id, hash, allowed, token_secret };
  await tx.insert("image_accounts", record);
  for (const variant of variants) await insertVariant(tx, id, variant);
  for (const key of keys) await insertKey(tx, id, key);
  return record;
}
