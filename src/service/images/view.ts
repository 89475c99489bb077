/** An image with the parts of its delivery addresses. */
import type { ReadTransaction } from "../../store/port.ts";
import { type ImageRecord, imagesScope } from "../../store/records/images.ts";
import { findVariants } from "./delivery/variant-records.ts";

/** Path under which images are delivered on the interface's own origin (`observed`). */
export const deliveryPath = "/cdn-cgi/imagedelivery";
/** Path of upload addresses: outside of the base path, like delivery (`chosen`). */
export const uploadPath = "/cdn-cgi/imageupload";

/** An account's part of delivery addresses, and the ids of its variants in order of creation. */
export interface AddressParts {
  readonly hash: string;
  readonly variants: readonly string[];
}

export interface ImageView extends AddressParts {
  readonly image: ImageRecord;
}

export async function addressParts(tx: ReadTransaction, account: string): Promise<AddressParts> {
  const record = await tx.get("image_accounts", imagesScope, account);
  const variants = await findVariants(tx, account);
  return { hash: record?.hash ?? "", variants: variants.map((variant) => variant.id) };
}

export async function viewOf(tx: ReadTransaction, account: string, image: ImageRecord): Promise<ImageView> {
  return { image, ...(await addressParts(tx, account)) };
}

/** A delivery address for each variant; slashes of an id are not encoded, everything else is (`observed`). */
export function addressesOf(base: string, id: string, { hash, variants }: AddressParts): string[] {
  const path = id.split("/").map(encodeURIComponent).join("/");
  return variants.map((variant) => `${base}/${hash}/${path}/${variant}`);
}
