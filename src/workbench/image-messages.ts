/** Messages between the screen Pictures and its server part. Plain types without imports, as in `messages.ts`. */

/** The header of a response that is a picture: `PictureFacts` as JSON. */
export const pictureHeader = "x-edgeproof-picture";

/** The properties of a picture. Only `type` is known of a scanned picture. */
export interface PictureFacts {
  /** Media type. */
  readonly type: string;
  /** Pixels of a frame, as displayed. */
  readonly width?: number;
  readonly height?: number;
  /** 1 for a still picture. */
  readonly frames?: number;
  /** Time of the rendering in milliseconds, without the transfer. */
  readonly ms?: number;
}

/** The images of an account. */
export interface ImagesView {
  /** One page of the stored images, newest first. */
  readonly images: readonly StoredImageView[];
  /** Number of images on all pages. */
  readonly total: number;
  readonly variants: readonly VariantView[];
  /** Names of the signing keys, in order of creation. */
  readonly keys: readonly string[];
}

/** A stored image. */
export interface StoredImageView {
  readonly id: string;
  /** Empty when it is unknown. */
  readonly filename: string;
  /** Such as `jpeg`. */
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly isSigned: boolean;
}

/** A stored variant. */
export interface VariantView {
  readonly id: string;
  readonly fit: string;
  /** A missing side follows the other one. */
  readonly width?: number;
  readonly height?: number;
  readonly metadata: string;
  /** Whether it is delivered without a signature in any case. */
  readonly isPublic: boolean;
}

/** A delivery address. */
export interface SignedAddress {
  readonly address: string;
  /** Whether the address needs its signature. */
  readonly isRequired: boolean;
  /** Milliseconds since 1970; absent when the address never expires. */
  readonly expiresAtMs?: number;
}
