/** Variants: named options. Every change makes a new revision, and with it new renderings. */
import type { z } from "zod";
import {
  checkVariantId,
  checkVariantOptions,
  defaultFit,
  defaultMetadata,
  type StoredVariantOptions,
  type VariantOptions,
} from "../../../engine/images/render/variant.ts";
import { ApiError, problem, quote } from "../../../errors.ts";
import {
  partialVariantCreate,
  partialVariantPatch,
  variantCreate,
  variantPatch,
} from "../../../schemas/images.ts";
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { ImageVariantRecord } from "../../../store/records/images.ts";
import { type Notes, rejectAny, type ServiceContext } from "../../context.ts";
import { decode } from "../../decode.ts";
import { inQueue, openAccount, publicVariant } from "../account.ts";
import { findVariants, insertVariant, type NewVariant, nextRevision } from "./variant-records.ts";

const area = "images";

/** Variants, in which images are delivered. */
export interface VariantService {
  /** All variants of the account. */
  list(account: string): Promise<readonly ImageVariantRecord[]>;
  /** One variant. @throws {ApiError} for an unknown id */
  get(account: string, id: string): Promise<ImageVariantRecord>;
  /** Creates a variant. @throws {ApiError} for an invalid body */
  create(account: string, body: unknown, notes?: Notes): Promise<ImageVariantRecord>;
  /** Replaces the options; earlier renderings are not delivered again. */
  edit(account: string, id: string, body: unknown, notes?: Notes): Promise<ImageVariantRecord>;
  /** Deletes a variant. @throws {ApiError} for an unknown id */
  delete(account: string, id: string): Promise<void>;
}

export function variantService(context: ServiceContext): VariantService {
  const { store, limits } = context;
  const takesOneSide = context.settings.variantSides === "one";
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
      const variant = readVariant(body, notes, takesOneSide);
      await openAccount(context, account);
      return store.write(
        (tx) => createVariant(tx, account, variant, limits.variantsPerAccount),
        inQueue(account),
      );
    },
    edit: async (account, id, body, notes = []) => {
      const schema = takesOneSide ? partialVariantPatch : variantPatch;
      const { options, ...rest } = decode(schema, body, { area, notes });
      const change = { ...rest, options: storedOptions(options) };
      await openAccount(context, account);
      return store.write((tx) => editVariant(tx, account, id, change), inQueue(account));
    },
    delete: async (account, id) => {
      await openAccount(context, account);
      if (id === publicVariant.id && context.settings.publicVariant === "kept") {
        throw new ApiError(problem(5400, `The variant ${quote(id)} must exist; it cannot be deleted.`));
      }
      await store.write(async (tx) => {
        if (!(await tx.delete("image_variants", account, id))) throw noVariant(id);
      }, inQueue(account));
    },
  };
}

/** @throws {ApiError} with every problem */
function readVariant(body: unknown, notes: Notes, takesOneSide: boolean): NewVariant {
  const schema = takesOneSide ? partialVariantCreate : variantCreate;
  const { id, options: given, neverRequireSignedURLs = false } = decode(schema, body, { area, notes });
  const options = storedOptions(given);
  const wrongId = checkVariantId(id);
  if (wrongId) throw new ApiError(wrongId);
  return { id, options, neverRequireSignedURLs };
}

/** Options with the defaults of those that may be missing. @throws {ApiError} 5400 without a side */
function storedOptions(options: VariantOptions): StoredVariantOptions {
  rejectAny(checkVariantOptions(options, { complete: false, at: "/options" }));
  return { ...options, fit: options.fit ?? defaultFit, metadata: options.metadata ?? defaultMetadata };
}

async function createVariant(
  tx: WriteTransaction,
  account: string,
  variant: NewVariant,
  max: number,
): Promise<ImageVariantRecord> {
  if (await tx.get("image_variants", account, variant.id)) {
    const message = `There is already a variant ${quote(variant.id)}.`;
    throw new ApiError(problem(5409, message, "/id"));
  }
  const count = await tx.count("image_variants", account);
  if (count >= max) {
    const message = `The account must have at most ${max} variants; it has ${count}.`;
    throw new ApiError(problem(5453, message));
  }
  return insertVariant(tx, account, variant);
}

async function editVariant(
  tx: WriteTransaction,
  account: string,
  id: string,
  {
    options,
    neverRequireSignedURLs,
  }: Pick<z.output<typeof variantPatch>, "neverRequireSignedURLs"> & Pick<ImageVariantRecord, "options">,
): Promise<ImageVariantRecord> {
  const before = await requireVariant(tx, account, id);
  const revision = await nextRevision(tx, account);
  const record = {
    ...before,
    revision,
    options,
    neverRequireSignedURLs: neverRequireSignedURLs ?? before.neverRequireSignedURLs,
  };
  await tx.replace("image_variants", record);
  return record;
}

async function requireVariant(tx: ReadTransaction, account: string, id: string): Promise<ImageVariantRecord> {
  const variant = await tx.get("image_variants", account, id);
  if (!variant) throw noVariant(id);
  return variant;
}

function noVariant(id: string): ApiError {
  return new ApiError(problem(5401, `There is no variant ${quote(id)}.`));
}
