/** Puts the accounts' image hosting from a world file into the store, by the same checks as the endpoints. */

import { checkKeyName } from "../../engine/images/ids.ts";
import { accountHash } from "../../engine/images/signing.ts";
import { ApiError, type Problem, pointer, quote } from "../../errors.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { imagesScope } from "../../store/records/images.ts";
import { genericCodes, type ServiceContext } from "../context.ts";
import { createAccount, type NewAccount, newAccount } from "../images/account.ts";
import type { NewVariant } from "../images/delivery/variant-records.ts";
import { readVariant } from "../images/delivery/variants.ts";
import type { AccountImagesWorld } from "./images.ts";
import type { ParsedWorld, WorldPart } from "./part.ts";

/** Image hosting of the world's accounts. Secrets that the world does not give are drawn when it is checked. */
export const imagesPart: WorldPart = ({ accounts = [] }, context) => {
  const seeds = new Map<string, NewAccount>();
  const problems = sameHashes(accounts);
  for (const [i, { id, images }] of accounts.entries()) {
    if (!images) continue;
    const at = pointer("accounts", i, "images");
    const variants = prepareVariants(images, at, problems);
    problems.push(...checkKeys(images, at), ...repeatedIds(images, at));
    seeds.set(id, prepareAccount(context, id, images, variants));
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
  { account_hash, allowed, signing_keys }: AccountImagesWorld,
  variants: readonly NewVariant[],
): NewAccount {
  const beginnings = newAccount(context, id);
  const given = new Set(variants.map((variant) => variant.id));
  return {
    ...beginnings,
    hash: account_hash ?? beginnings.hash,
    allowed: allowed ?? null,
    keys: signing_keys ?? beginnings.keys,
    variants: [...beginnings.variants.filter((variant) => !given.has(variant.id)), ...variants],
  };
}

function prepareVariants(
  { variants = [] }: AccountImagesWorld,
  at: string,
  problems: Problem[],
): NewVariant[] {
  const read: NewVariant[] = [];
  for (const [i, variant] of variants.entries()) {
    try {
      read.push(readVariant(variant, [], `${at}${pointer("variants", i)}`));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(...error.problems);
    }
  }
  return read;
}

function checkKeys({ signing_keys = [] }: AccountImagesWorld, at: string): Problem[] {
  return signing_keys.flatMap(({ name }, i) => {
    const problem = checkKeyName(name);
    return problem ? [{ ...problem, pointer: `${at}${pointer("signing_keys", i, "name")}` }] : [];
  });
}

function repeatedIds({ signing_keys = [], variants = [] }: AccountImagesWorld, at: string): Problem[] {
  return [
    ...repeated(
      signing_keys.map((key) => key.name),
      (i) => `${at}${pointer("signing_keys", i, "name")}`,
    ),
    ...repeated(
      variants.map((variant) => variant.id),
      (i) => `${at}${pointer("variants", i, "id")}`,
    ),
  ];
}

/** Two accounts with one hash could not be told apart by an address. */
function sameHashes(accounts: NonNullable<ParsedWorld["accounts"]>): Problem[] {
  const hashes = accounts.map(({ id, images }) => images?.account_hash ?? accountHash(id));
  return repeated(hashes, (i) => pointer("accounts", i, "images", "account_hash"));
}

function repeated(values: readonly string[], at: (index: number) => string): Problem[] {
  return values.flatMap((value, i) => {
    const first = values.indexOf(value);
    if (first === i) return [];
    const message = `${quote(value)} stands at ${at(first)} already.`;
    return [{ code: genericCodes.shared.invalid, pointer: at(i), message }];
  });
}
