/** Records of signing keys: creation, order and reading. */
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { SigningKeyRecord } from "../../../store/records/images.ts";
import type { IdSource } from "../../ids.ts";

/** Length of a key's random value, in characters (`spec`). */
const valueLength = 32;
/** Name of the key of an account without others (`spec`; the name is `observed`). */
const defaultName = "default";

export interface NewKey {
  readonly name: string;
  readonly value: string;
}

export function newKeyValue(ids: IdSource): string {
  return ids.secret(valueLength);
}

export function newDefaultKey(ids: IdSource): NewKey {
  return { name: defaultName, value: newKeyValue(ids) };
}

export async function insertKey(
  tx: WriteTransaction,
  account: string,
  { name, value }: NewKey,
): Promise<void> {
  const sequence = await tx.sequence(account, "signing_keys");
  await tx.insert("signing_keys", { scope: account, id: name, sequence, value });
}

/** All keys in order of creation. */
export function findKeys(tx: ReadTransaction, account: string): Promise<SigningKeyRecord[]> {
  return tx.find("signing_keys", account, { order: [{ field: "sequence", direction: "asc" }] });
}
