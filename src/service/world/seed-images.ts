/** Seeds the accounts' image hosting from a world file, after the same checks as the endpoints. */

import { checkKeyName } from "../../engine/images/ids.ts";
import { checkVariantId } from "../../engine/images/render/variant.ts";
import { accountHash } from "../../engine/images/signing.ts";
import { type Problem, pointer, quote } from "../../errors.ts";
import type { AccountImagesWorld } from "../../schemas/images.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { imagesScope } from "../../store/records/images.ts";
import { genericCodes, type ServiceContext } from "../context.ts";
import { createAccount, type NewAccount, newAccount } from "../images/account.ts";
import type { ParsedWorld, WorldPart } from "./part.ts";

/** Image hosting of the world's accounts. Secrets that the world does not set are drawn when it is checked. */
export const imagesPart: WorldPart = ({ accounts = [] }, context) => {
  const seeds = new Map<string, NewAccount>();
  const problems = repeatedHashes(accounts);
  for (const [i, { id, images }] of accounts.entries()) {
    if (!images) continue;
    problems.push(...checkNames(images, pointer("accounts", i, "images")));
    seeds.set(id, prepareAccount(context, id, images));
  }
  const seedAccount = async (tx: WriteTransaction, account: string) => {
    const seed = seeds.get(account);
    if (seed && !(await tx.get("image_accounts", imagesScope, account)))
      await createAccount(tx, account, seed);
  };
  return { problems, seedAccount };
};

function prepareAccount(
  context: ServiceContext,
  id: string,
  { account_hash, allowed, signing_keys, variants = [] }: AccountImagesWorld,
): NewAccount {
  const defaults = newAccount(context, id);
  const own = variants.map(({ neverRequireSignedURLs = false, ...variant }) => {
    return { ...variant, neverRequireSignedURLs };
  });
  return {
    ...defaults,
    hash: account_hash ?? defaults.hash,
    allowed: allowed ?? null,
    keys: signing_keys ?? defaults.keys,
    variants: [...defaults.variants.filter(({ id }) => !own.some((variant) => variant.id === id)), ...own],
  };
}

/** Checks the names of keys and the ids of variants: their format, and that each occurs once. */
function checkNames({ signing_keys = [], variants = [] }: AccountImagesWorld, at: string): Problem[] {
  const keyAt = (i: number) => `${at}${pointer("signing_keys", i, "name")}`;
  const variantAt = (i: number) => `${at}${pointer("variants", i, "id")}`;
  const names = signing_keys.map(({ name }) => name);
  const ids = variants.map(({ id }) => id);
  const wrongNames = names.map((name, i): Problem | undefined => {
    const wrong = checkKeyName(name);
    return wrong && { ...wrong, pointer: keyAt(i) };
  });
  const wrongIds = ids.map((id, i) => checkVariantId(id, variantAt(i)));
  return [
    ...[...wrongNames, ...wrongIds].filter((wrong) => wrong !== undefined),
    ...repeated(names, keyAt),
    ...repeated(ids, variantAt),
  ];
}

/** A delivery address could not distinguish two accounts with the same hash. */
function repeatedHashes(accounts: NonNullable<ParsedWorld["accounts"]>): Problem[] {
  const hashes = accounts.map(({ id, images }) => images?.account_hash ?? accountHash(id));
  return repeated(hashes, (i) => pointer("accounts", i, "images", "account_hash"));
}

function repeated(values: readonly string[], at: (index: number) => string): Problem[] {
  return values.flatMap((value, i) => {
    const first = values.indexOf(value);
    if (first === i) return [];
    const message = `${quote(value)} must be unique; it is also at ${at(first)}.`;
    return [{ code: genericCodes.shared.invalid, pointer: at(i), message }];
  });
}
