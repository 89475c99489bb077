/** Records of image hosting. Their scope is the account, except for the accounts' own records. */

import type { StoredVariantOptions } from "../../engine/images/render/variant.ts";
import type { ImageType } from "../../engine/images/sniff.ts";
import { defineCollection, type StoredRecord } from "../definition.ts";

/** The scope of the accounts' own records. */
export const imagesScope = "images";

/** Settings of image hosting. */
export interface ImageConfig {
  /** Whether delivery addresses can end in a list of options. */
  readonly flexible_variants: boolean;
  /** Time that a browser may keep a public image whose variant does not say, in seconds. */
  readonly browser_ttl: number;
  /** Without effect. */
  readonly preserve_content_credentials: boolean;
}

/** The settings of a new account (`observed`). */
export const defaultImageConfig: ImageConfig = {
  flexible_variants: false,
  browser_ttl: 172_800,
  preserve_content_credentials: false,
};

/** One record an account, in the scope `images`; `id` is the account's. */
export interface ImageAccountRecord extends StoredRecord {
  /** The account's part of delivery addresses. */
  readonly hash: string;
  /** Maximum number of images. Null: the limit `imagesPerAccount`. */
  readonly allowed: number | null;
  /** Secret that authenticates continuation tokens; never shown. */
  readonly token_secret: string;
  /** The settings that differ from those of a new account, or did. */
  readonly config?: Partial<ImageConfig>;
}

/** The original of an image, with its properties. */
export interface Original {
  /** Key of the bytes; never used twice. */
  readonly blob: string;
  readonly type: ImageType;
  /** Size as displayed, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** An image or a draft: a draft has no original, but an address to upload it. */
export interface ImageRecord extends StoredRecord {
  /** Order of upload within the account; unchanged when the id changes. */
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
  /** Expiry of a draft, in milliseconds since 1970; null on an image. */
  readonly expires_at: number | null;
}

export interface ImageVariantRecord extends StoredRecord {
  /** Order of creation within the account. */
  readonly sequence: number;
  /** New with every change of the options, also when a variant is deleted and created again. */
  readonly revision: number;
  readonly options: StoredVariantOptions;
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
