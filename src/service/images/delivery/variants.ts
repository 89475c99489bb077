/** Variants: named resize profiles. Every change gives a variant a new revision, and so new renderings. */
import {
  type CompleteVariantOptions,
  checkVariantId,
  checkVariantOptions,
} from "../../../engine/images/render/variant.ts";
import { ApiError, type Problem, quote } from "../../../errors.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { ImageVariantRecord } from "../../../store/records/images.ts";
import { type Notes, rejectAny, type ServiceContext } from "../../context.ts";
import { decode } from "../../decode.ts";
import { openAccount } from "../account.ts";
import { variantCreate, variantPatch } from "../schemas.ts";
import { findVariants, insertVariant, type NewVariant, nextRevision } from "./variant-records.ts";

const area = "images";

export interface VariantService {
  list(account: string): Promise<readonly ImageVariantRecord[]>;
  get(account: string, id: string): Promise<ImageVariantRecord>;
  create(account: string, body: unknown, notes?: Notes): Promise<ImageVariantRecord>;
  /** Replaces the options; no rendering made before is delivered again. */
  edit(account: string, id: string, body: unknown, notes?: Notes): Promise<ImageVariantRecord>;
  delete(account: string, id: string): Promise<void>;
}

export function variantService(context: ServiceContext): VariantService {
  const { store, limits } = context;
  return {
    list: async (account) => {
      await openAccount(context, account);
      return store.read((tx) => findVariants(tx, account));
    },
    get: async (account, id) => {
      await openAccount(context, account);
      return store.read((tx) => requireVariant(tx, account, id));
    },
    create: async (account, body, notes = []) => {
      const variant = readVariant(body, notes);
      await openAccount(context, account);
      return store.write((tx) => createVariant(tx, account, variant, limits.variantsPerAccount));
    },
    edit: async (account, id, body, notes = []) => {
      const { options, neverRequireSignedURLs } = decode(variantPatch, body, { area, notes });
      const change = { options: readOptions(options, "/options"), neverRequireSignedURLs };
      await openAccount(context, account);
      return store.write((tx) => editVariant(tx, account, id, change));
    },
    delete: async (account, id) => {
      await openAccount(context, account);
      await store.write(async (tx) => {
        if (!(await tx.delete("image_variants", account, id))) throw noVariant(id);
      });
    },
  };
}

/** Reads a variant of a request or of a world. @throws {ApiError} with every problem */
export function readVariant(body: unknown, notes: Notes, at = ""): NewVariant {
  const { id, options, neverRequireSignedURLs = false } = decode(variantCreate, body, { area, notes, at });
  const wrongId = checkVariantId(id, `${at}/id`);
  const problems: Problem[] = wrongId ? [wrongId] : [];
  rejectAny([...problems, ...checkVariantOptions(options, { complete: true, at: `${at}/options` })]);
  return { id, options: pickOptions(options as CompleteVariantOptions), neverRequireSignedURLs };
}

function readOptions(options: unknown, at: string): CompleteVariantOptions {
  rejectAny(checkVariantOptions(options, { complete: true, at }));
  return pickOptions(options as CompleteVariantOptions);
}

/** Always in the same order. */
function pickOptions({ fit, width, height, metadata }: CompleteVariantOptions): CompleteVariantOptions {
  return { fit, width, height, metadata };
}

async function createVariant(
  tx: WriteTransaction,
  account: string,
  variant: NewVariant,
  most: number,
): Promise<ImageVariantRecord> {
  if (await tx.get("image_variants", account, variant.id)) {
    throw new ApiError({
      code: 5409,
      pointer: "/id",
      message: `There is a variant ${quote(variant.id)} already.`,
    });
  }
  const count = await tx.count("image_variants", account);
  if (count >= most) {
    throw new ApiError({
      code: 5453,
      message: `The account has ${count} variants; it can have at most ${most}.`,
    });
  }
  return insertVariant(tx, account, variant);
}

async function editVariant(
  tx: WriteTransaction,
  account: string,
  id: string,
  change: {
    readonly options: CompleteVariantOptions;
    readonly neverRequireSignedURLs: boolean | undefined;
  },
): Promise<ImageVariantRecord> {
  const before = await requireVariant(tx, account, id);
  const { options, neverRequireSignedURLs = before.neverRequireSignedURLs } = change;
  const revision = await nextRevision(tx, account);
  const record = { ...before, revision, options, neverRequireSignedURLs };
  await tx.replace("image_variants", record);
  return record;
}

async function requireVariant(tx: ReadTransaction, account: string, id: string): Promise<ImageVariantRecord> {
  const variant = await tx.get("image_variants", account, id);
  if (!variant) throw noVariant(id);
  return variant;
}

function noVariant(id: string): ApiError {
  return new ApiError({ code: 5401, message: `There is no variant ${quote(id)}.` });
}
