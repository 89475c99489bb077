/**
 * The shapes of token validation, with the interface's own field names, so that a stored record is an engine
 * input (`spec`).
 */

/** RSA signature algorithms (`spec`). */
export type RsaAlgorithm = "RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512";

/** An RSA public key: modulus and exponent in base64url without padding (RFC 7518, section 6.3). */
export interface RsaKey {
  readonly alg: RsaAlgorithm;
  readonly kty: "RSA";
  readonly kid: string;
  readonly e: string;
  readonly n: string;
}

/** A P-256 public key; coordinates in base64url without padding (RFC 7518, section 6.2). */
export interface Es256Key {
  readonly alg: "ES256";
  readonly crv: "P-256";
  readonly kty: "EC";
  readonly kid: string;
  readonly x: string;
  readonly y: string;
}

/** A P-384 public key; coordinates in base64url without padding (RFC 7518, section 6.2). */
export interface Es384Key {
  readonly alg: "ES384";
  readonly crv: "P-384";
  readonly kty: "EC";
  readonly kid: string;
  readonly x: string;
  readonly y: string;
}

/** A key of a credentials set: exactly one of three shapes (`spec`). */
export type JwtKey = RsaKey | Es256Key | Es384Key;

/** The signature algorithm of a key or token. */
export type Algorithm = JwtKey["alg"];

/** What the engine needs of a token configuration; a stored configuration has these and more. */
export interface TokenConfig {
  readonly id: string;
  readonly token_sources: readonly string[];
  readonly credentials: { readonly keys: readonly JwtKey[] };
  readonly title?: string;
}

/** Which operations a rule covers (`spec`). */
export interface Selector {
  readonly include?: readonly { readonly host?: readonly string[] }[];
  readonly exclude?: readonly { readonly operation_ids?: readonly string[] }[];
}

/** What the engine needs of a token validation rule. Order in the list is order of evaluation. */
export interface TokenRule {
  readonly id: string;
  readonly title?: string;
  readonly action: "log" | "block";
  readonly enabled: boolean;
  readonly expression: string;
  readonly selector: Selector;
}

/** An endpoint of the API behind the edge. `endpoint` is a path template such as `/api/{var1}/users`. */
export interface Operation {
  readonly operation_id: string;
  readonly method: string;
  readonly host: string;
  readonly endpoint: string;
}

/** Headers of a simulated request: a record, or pairs in the order sent, which alone can repeat a name. */
export type RequestHeaders =
  | Readonly<Record<string, string | readonly string[]>>
  | readonly (readonly [name: string, value: string])[];

/** A simulated request. `url` is absolute. */
export interface SimulatedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: RequestHeaders;
}

/** Every outcome of a token check, in the order in which they can arise. */
export const reasons = [
  "missing",
  "malformed",
  "unsupported_header",
  "unknown_key",
  "algorithm_mismatch",
  "bad_signature",
  "expired",
  "not_yet_valid",
  "valid",
] as const;

/** The outcome of a token check (closed union). */
export type Reason = (typeof reasons)[number];

/** The outcome of verifying one token text against one configuration's keys. */
export interface TokenCheck {
  readonly reason: Reason;
  /** What exactly was wrong, one sentence for people; absent when valid. Never contains the token. */
  readonly detail?: string;
  /** From the token's header, as far as it could be read. */
  readonly kid?: string;
  readonly alg?: string;
  /**
   * The verified payload; only when the signature was right (so also when expired or not yet valid). Frozen with all
   * in it when the check is remembered and so shared, which it is unless the cache is off.
   */
  readonly claims?: Readonly<Record<string, unknown>>;
}
