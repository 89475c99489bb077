/** A block of PEM, and the key that it has. */

/** A block of a PEM text. */
export interface PemBlock {
  /** Such as `PUBLIC KEY`. */
  readonly label: string;
  /** The whole block, with both of its lines. */
  readonly text: string;
}

/** A JWK without `kid` and `alg`, or the name of a type that has none; undefined for what cannot be decoded. */
export type DecodedKey = { readonly jwk: object } | { readonly unsupported: string } | undefined;
