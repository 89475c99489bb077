/** Writes of what compiled queries have found: only while the queries and the settings are those that were compiled. */
import type { WriteTransaction } from "../../store/port.ts";
import type { ServiceContext } from "../context.ts";
import { type BrandPart, inQueue, readState } from "./account-state.ts";
import { type AccountSettings, ensureSettings } from "./settings/account-settings.ts";

/** The revisions that a write depends on. */
interface Compiled {
  readonly revision: number;
  readonly settings: AccountSettings;
}

/**
 * Calls `write` in a transaction if the queries still have the revision that was compiled. The first write to an account
 * stores its settings instead, which changes the revision.
 *
 * @returns undefined if they have changed, or if `write` returned undefined
 */
export function writeAtRevision<T extends object>(
  context: ServiceContext,
  account: string,
  part: BrandPart,
  compiled: Compiled,
  write: (tx: WriteTransaction) => Promise<T | undefined>,
): Promise<T | undefined> {
  return context.store.write(
    async (tx) => {
      const { revision } = await readState(tx, account, part);
      if (revision !== compiled.revision) return undefined;
      if (compiled.settings.isStored) return write(tx);
      await ensureSettings(tx, context, account);
      return undefined;
    },
    inQueue(account, part),
  );
}
