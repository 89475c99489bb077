/** Records of variants: creation, order and reading. */
import type { ReadTransaction, WriteTransaction } from "../../../store/port.ts";
import type { ImageVariantRecord } from "../../../store/records/images.ts";

export type NewVariant = Pick<ImageVariantRecord, "id" | "options" | "neverRequireSignedURLs">;

/** A new revision, unique within the account. */
export function nextRevision(tx: WriteTransaction, account: string): Promise<number> {
  return tx.sequence(account, "image_variant_revisions");
}

export async function insertVariant(
  tx: WriteTransaction,
  account: string,
  variant: NewVariant,
): Promise<ImageVariantRecord> {
  const sequence = await tx.sequence(account, "image_variants");
  const record = { scope: account, sequence, revision: await nextRevision(tx, account), ...variant };
  await tx.insert("image_variants", record);
  return record;
}

/** All variants in order of creation. */
export function findVariants(tx: ReadTransaction, account: string): Promise<ImageVariantRecord[]> {
  return tx.find("image_variants", account, { order: [{ field: "sequence", direction: "asc" }] });
}
