/** Image hosting of a world's accounts: hashes and maximum counts follow the world, variants and keys are seeded once. */
import { accountHash } from "../../../engine/images/signing.ts";
import { InvalidInputError, pointer, problem, quote } from "../../../errors.ts";
import type { AccountImagesWorld } from "../../../schemas/images.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import { type ImageAccountRecord, imagesScope } from "../../../store/records/images.ts";
import { genericCodes, type ServiceContext } from "../../context.ts";
import { createAccount, type NewAccount, newAccount } from "../../images/account.ts";
import { configOf } from "../../images/config.ts";
import type { NewVariant } from "../../images/delivery/variant-records.ts";
import type { ParsedWorld, SeededList, SeedPart, WorldAccount } from "../part.ts";
import { describeChanges, nameOf, type Seed, type SeedLog } from "../report.ts";
import { seededFrom } from "./seeded.ts";

/** Image hosting of the world's accounts. Secrets that the world does not set are drawn when it is checked. */
export function imagesPart({ accounts = [] }: ParsedWorld, context: ServiceContext): SeedPart {
  const seeds = new Map<string, NewAccount>();
  for (const { id, images } of accounts) if (images) seeds.set(id, prepareAccount(context, id, images));
  return {
    follow: (tx, report) => followAccounts(tx, accounts, seeds, report),
    seeded: seededFrom({
      owners: "accounts",
      seeds,
      lists: (account, seed) =>
        listsOf(account, accounts.find(({ id }) => id === account)?.images ?? {}, seed),
    }),
  };
}

/**
 * Makes the part of delivery addresses and the maximum number of images those of the world. Creates what the store does
 * not have yet.
 */
async function followAccounts(
  tx: WriteTransaction,
  accounts: readonly WorldAccount[],
  seeds: ReadonlyMap<string, NewAccount>,
  report: SeedLog,
): Promise<void> {
  const changed: ImageAccountRecord[] = [];
  for (const { id, images } of accounts) {
    const record = await tx.get("image_accounts", imagesScope, id);
    if (!record) continue;
    const wanted = { hash: images?.account_hash ?? accountHash(id), allowed: images?.allowed ?? null };
    const named = ({ hash: account_hash, allowed }: typeof wanted) => ({ account_hash, allowed });
    const changes = describeChanges(named(record), named(wanted));
    if (changes === "") continue;
    changed.push({ ...record, ...wanted });
    // Hashes are unique: all that change become free before they are used.
    await tx.replace("image_accounts", { ...record, hash: `\0${id}` });
    if (!report.isNew("accounts", id)) report.note(`changed ${nameOf("accounts", id)}: ${changes}`);
  }
  for (const record of changed) {
    await assertHashFree(tx, accounts, record.id, record.hash);
    await tx.replace("image_accounts", record);
  }
  for (const [id, seed] of seeds) {
    if (await tx.get("image_accounts", imagesScope, id)) continue;
    await assertHashFree(tx, accounts, id, seed.hash);
    await createAccount(tx, id, seed);
  }
}

/** @throws {InvalidInputError} when an account that is not in the world has the hash */
async function assertHashFree(
  tx: ReadTransaction,
  accounts: readonly WorldAccount[],
  id: string,
  hash: string,
): Promise<void> {
  const where = [{ field: "hash", op: "eq", value: hash }] as const;
  const [other] = await tx.find("image_accounts", imagesScope, { where, limit: 1 });
  if (!other) return;
  const message = `${quote(hash)} must be unique; account ${quote(other.id)} of the store has it, which the world does not list. \`serve --prune\` deletes the resources of accounts that were removed.`;
  const index = accounts.findIndex((account) => account.id === id);
  const at = pointer("accounts", index, "images", "account_hash");
  throw new InvalidInputError("the world does not fit the store", [
    problem(genericCodes.shared.invalid, message, at),
  ]);
}

/** The variants and signing keys of an account, as far as the world has a list of them. */
function listsOf(
  account: string,
  input: AccountImagesWorld,
  { variants, keys, config = {} }: NewAccount,
): readonly SeededList[] {
  const variantSeed = ({ id, options, neverRequireSignedURLs }: NewVariant): Seed => {
    return { id, value: { options, neverRequireSignedURLs } };
  };
  return [
    {
      things: "variants",
      world: input.variants && variants.map(variantSeed),
      stored: async (tx) => (await tx.find("image_variants", account)).map(variantSeed),
    },
    {
      things: "signing keys",
      world: input.signing_keys && keys.map(({ name, value }) => ({ id: name, value })),
      stored: async (tx) => (await tx.find("signing_keys", account)).map(({ id, value }) => ({ id, value })),
    },
    {
      things: "image settings",
      world: input.config && [{ id: account, value: configOf({ config }) }],
      stored: async (tx) => {
        const record = await tx.get("image_accounts", imagesScope, account);
        return record ? [{ id: account, value: configOf(record) }] : [];
      },
    },
  ];
}

function prepareAccount(
  context: ServiceContext,
  id: string,
  { account_hash, allowed, config, signing_keys, variants = [] }: AccountImagesWorld,
): NewAccount {
  const defaults = newAccount(context, id);
  const own = variants.map(({ neverRequireSignedURLs = false, ...variant }) => {
    return { ...variant, neverRequireSignedURLs };
  });
  return {
    ...defaults,
    hash: account_hash ?? defaults.hash,
    allowed: allowed ?? null,
    ...(config && { config }),
    keys: signing_keys ?? defaults.keys,
    variants: [...defaults.variants.filter(({ id }) => !own.some((variant) => variant.id === id)), ...own],
  };
}
