/** Why a key of an issuer cannot be a key of a configuration. */

/** The reasons, a closed list. */
export const keyRejections = {
  not_a_key: "The element is neither a JWK nor a PEM public key or certificate.",
  private: "It has private members: the key is compromised, and must be replaced.",
  symmetric: "It is a shared secret (`oct`), which only HMAC algorithms use.",
  not_for_signatures: "Its `use`, `key_ops` or `alg` is that of encryption.",
  unsupported_type: "Keys of its type, such as OKP (Ed25519), are not supported.",
  unsupported_curve: "Its curve is not P-256 or P-384.",
  unsupported_alg: "Its `alg` is none of the eight signature algorithms, or not one of its type.",
  no_kid: "It has no `kid`, by which tokens name their key.",
  invalid: "Its numbers are not those of a safe key, such as a modulus of less than 2,048 bits.",
  duplicate: "The same key is in the set already.",
  conflict: "Another key has the same `kid` and `alg`: only the first can be found.",
  limit: "The set has more keys than are read.",
} as const;

/** Why a key was dropped. */
export type KeyRejection = keyof typeof keyRejections;

/** A key that a configuration cannot have. */
export interface RejectedKey {
  /** The reason, one of a closed list. */
  readonly reason: KeyRejection;
  /** A clause with what was found and what is allowed. */
  readonly message: string;
}
