/** Records of image hosting. Scope: the account, but for the accounts' own records. */

import type { CompleteVariantOptions } from "../../engine/images/render/variant.ts";
import type { ImageType } from "../../engine/images/sniff.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

/** The scope of the records that say which account a part of a delivery address stands for. */
export const imagesScope = "images";

/** One record an account, in the scope `images`; `id` is the account's. */
export interface ImageAccountRecord extends StoredRecord {
  /** The part of delivery addresses that stands for the account. */
  readonly hash: string;
  /** Images it may store. Null: as the limits say. */
  readonly allowed: number | null;
  /** Keys the authentication of continuation tokens; never shown. */
  readonly token_secret: string;
}

/** The original of an image, and what judging it found. */
export interface Original {
  /** Key of the bytes; never used twice. */
  readonly blob: string;
  readonly type: ImageType;
  /** Size as displayed, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** An image, or a draft of one: a draft has no original and an address that takes one. */
export interface ImageRecord extends StoredRecord {
  /** Order of upload within the account; stays when the image gets a new id. */
  readonly sequence: number;
  readonly uploaded: string;
  readonly draft: boolean;
  readonly creator: string | null;
  readonly filename?: string;
  readonly meta?: unknown;
  readonly requireSignedURLs: boolean;
  readonly original?: Original;
  /** The secret part of a draft's upload address; null on an image. */
  readonly upload_token: string | null;
  /** When a draft vanishes, in milliseconds since 1970; null on an image. */
  readonly expires_at: number | null;
}

export interface ImageVariantRecord extends StoredRecord {
  /** Order of creation within the account. */
  readonly sequence: number;
  /** Another one with every change of the options, also when a variant is deleted and made anew. */
  readonly revision: number;
  readonly options: CompleteVariantOptions;
  readonly neverRequireSignedURLs: boolean;
}

/** `id` is the key's name. */
export interface SigningKeyRecord extends StoredRecord {
  /** Order of creation within the account. */
  readonly sequence: number;
  readonly value: string;
}

export const imageAccounts = defineCollection<ImageAccountRecord>({
  fields: { hash: "text" },
  unique: [["hash"]],
});
export const images = defineCollection<ImageRecord>({
  fields: {
    sequence: "number",
    uploaded: "text",
    draft: "boolean",
    creator: "text?",
    upload_token: "text?",
    expires_at: "number?",
  },
  unique: [["upload_token"]],
  indexes: [["draft", "uploaded", "sequence"], ["creator", "draft", "uploaded", "sequence"], ["expires_at"]],
  maintainedCounts: [["draft"], ["creator", "draft"]],
});
export const imageVariants = defineCollection<ImageVariantRecord>({
  fields: { sequence: "number" },
  indexes: [["sequence"]],
});
export const signingKeys = defineCollection<SigningKeyRecord>({
  fields: { sequence: "number" },
  indexes: [["sequence"]],
});
