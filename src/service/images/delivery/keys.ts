/** Signing keys: named secrets; a signature by any of them is valid. */
import { checkKeyName } from "../../../engine/images/ids.ts";
import { ApiError, note, problem, quote } from "../../../errors.ts";
import type { SigningKeyRecord } from "../../../store/records/images.ts";
import { type Notes, notFound, rejectAny, type ServiceContext } from "../../context.ts";
import { inQueue, openAccount } from "../account.ts";
import { findKeys, insertKey, newDefaultKey, newKeyValue } from "./key-records.ts";

/** Keys that sign the addresses of images. */
export interface SigningKeyService {
  /** All keys of the account. */
  list(account: string): Promise<readonly SigningKeyRecord[]>;
  /** Creates a key, unless one of that name exists. @returns all keys */
  put(account: string, name: string, notes?: Notes): Promise<readonly SigningKeyRecord[]>;
  /** Deletes a key; a new default key replaces the last one. @returns the remaining keys */
  delete(account: string, name: string): Promise<readonly SigningKeyRecord[]>;
}

export function signingKeyService(context: ServiceContext): SigningKeyService {
  const { store, ids } = context;
  return {
    list: async (account) => {
      await openAccount(context, account);
      return store.read((tx) => findKeys(tx, account));
    },
    put: async (account, name, notes = []) => {
      const problem = checkKeyName(name);
      if (problem) rejectAny([problem]);
      await openAccount(context, account);
      const { keys, existed } = await putKey(context, account, name);
      if (existed) notes.push(existsNote(name));
      return keys;
    },
    delete: async (account, name) => {
      await openAccount(context, account);
      const next = newDefaultKey(ids);
      return store.write(async (tx) => {
        if (!(await tx.delete("signing_keys", account, name))) throw notFound("images", "signing key", name);
        if ((await tx.count("signing_keys", account)) === 0) await insertKey(tx, account, next);
        return findKeys(tx, account);
      }, inQueue(account));
    },
  };
}

function putKey({ store, ids, limits }: ServiceContext, account: string, name: string) {
  const value = newKeyValue(ids);
  return store.write(async (tx) => {
    const existed = (await tx.get("signing_keys", account, name)) !== undefined;
    if (!existed) {
      const count = await tx.count("signing_keys", account);
      const max = limits.signingKeysPerAccount;
      if (count >= max) {
        const message = `The account must have at most ${max} signing keys; it has ${count}.`;
        throw new ApiError(problem(5453, message));
      }
      await insertKey(tx, account, { name, value });
    }
    return { keys: await findKeys(tx, account), existed };
  }, inQueue(account));
}

/** An existing key keeps its value, so that a client may repeat its request (`chosen`). */
function existsNote(name: string) {
  const message = `The signing key ${quote(name)} already exists and keeps its value.`;
  return note("valueNoted", message);
}
