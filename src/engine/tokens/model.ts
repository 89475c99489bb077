/**
 * The types of token validation, with the interface's own field names, so that stored records are engine input
 * (`spec`).
 */

/** RSA signature algorithms (`spec`). */
export type RsaAlgorithm = "RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512";

/** An RSA public key: modulus and exponent in base64url without padding (RFC 7518, section 6.3). */
export interface RsaKey {
  /** The signature algorithm that the key verifies. */
  readonly alg: RsaAlgorithm;
  /** The key type. */
  readonly kty: "RSA";
  /** Key id; unique together with `alg`. */
  readonly kid: string;
  /** Public exponent, an odd number from 3 to 2^64 - 1. */
  readonly e: string;
  /** Modulus, 2,048 to 16,384 bits. */
  readonly n: string;
}

/** A P-256 public key; coordinates in base64url without padding (RFC 7518, section 6.2). */
export interface Es256Key {
  /** The signature algorithm that the key verifies. */
  readonly alg: "ES256";
  /** The curve. */
  readonly crv: "P-256";
  /** The key type. */
  readonly kty: "EC";
  /** Key id; unique together with `alg`. */
  readonly kid: string;
  /** First coordinate. */
  readonly x: string;
  /** Second coordinate. */
  readonly y: string;
}

/** A P-384 public key; coordinates in base64url without padding (RFC 7518, section 6.2). */
export interface Es384Key {
  /** The signature algorithm that the key verifies. */
  readonly alg: "ES384";
  /** The curve. */
  readonly crv: "P-384";
  /** The key type. */
  readonly kty: "EC";
  /** Key id; unique together with `alg`. */
  readonly kid: string;
  /** First coordinate. */
  readonly x: string;
  /** Second coordinate. */
  readonly y: string;
}

/** HMAC algorithms (`observed`). */
export type HmacAlgorithm = "HS256" | "HS384" | "HS512";

/** A shared secret (RFC 7518, section 6.4): its owners sign and verify. Profile `provider` accepts it (`observed`). */
export interface SecretKey {
  /** The signature algorithm that the key verifies. */
  readonly alg: HmacAlgorithm;
  /** The key type. */
  readonly kty: "oct";
  /** Key id; unique together with `alg`. */
  readonly kid: string;
  /** The secret in base64url without padding, at least as long as the hash: 32, 48 or 64 bytes. Never answered. */
  readonly k: string;
}

/** A public key, in one of three formats (`spec`). */
export type PublicKey = RsaKey | Es256Key | Es384Key;

/** A key of a credentials set: a public key, or a shared secret (`observed`). */
export type JwtKey = PublicKey | SecretKey;

/** A key without its secret, as it is answered and printed. */
export type ShownKey = PublicKey | Omit<SecretKey, "k">;

/** The signature algorithm of a key or token. */
export type Algorithm = JwtKey["alg"];

/** A token configuration: the members that the engine reads. */
export interface TokenConfig {
  /** Unique in its zone. */
  readonly id: string;
  /** Locations of the token in a request; the first that has one counts. */
  readonly token_sources: readonly string[];
  /** The keys that verify its tokens. */
  readonly credentials: {
    /** Unique by `alg` and `kid` together. */
    readonly keys: readonly JwtKey[];
  };
  /** For people. */
  readonly title?: string;
}

/** The operations that a rule matches (`spec`). */
export interface Selector {
  /** Hosts whose operations match; none matches when missing or empty. */
  readonly include?: readonly { readonly host?: readonly string[] }[];
  /** Ids of operations that do not match. */
  readonly exclude?: readonly { readonly operation_ids?: readonly string[] }[];
}

/** A token validation rule: the members that the engine reads. */
export interface TokenRule {
  /** Unique in its zone. */
  readonly id: string;
  /** For people. */
  readonly title?: string;
  /** The action when the expression is false. */
  readonly action: "log" | "block";
  /** A disabled rule is never evaluated. */
  readonly enabled: boolean;
  /** The condition that a request must fulfill. */
  readonly expression: string;
  /** The operations that the rule matches. */
  readonly selector: Selector;
}

/** An endpoint of the API behind the edge. `endpoint` is a path template such as `/api/{var1}/users`. */
export interface Operation {
  /** Unique in its zone. */
  readonly operation_id: string;
  /** Method name, compared in upper case. */
  readonly method: string;
  /** Host name, compared without case and without port. */
  readonly host: string;
  /** Path template; a variable is a whole segment. */
  readonly endpoint: string;
}

/** Headers of a simulated request: an object, or pairs in the order sent. Only pairs can repeat a name in any order. */
export type RequestHeaders =
  | Readonly<Record<string, string | readonly string[]>>
  | readonly (readonly [name: string, value: string])[];

/** A simulated request. */
export interface SimulatedRequest {
  /** Method name, compared in upper case. */
  readonly method: string;
  /** Absolute http or https URL. */
  readonly url: string;
  /** Compared by name without case. */
  readonly headers?: RequestHeaders;
  /** The address of the client, for custom rules; unknown without it. */
  readonly ip?: string;
  /** The version of HTTP, for custom rules; `HTTP/1.1` by default. */
  readonly httpVersion?: string;
  /** The body, for custom rules: text in UTF-8, or bytes; unknown without it. */
  readonly body?: string | Uint8Array;
  /** Whether the client has passed a challenge: those of custom rules then do not fire. */
  readonly challengePassed?: boolean;
  /** Values of fields of custom rules by name, such as `{ "ip.src.country": "DE" }`; claims excepted. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Every outcome of a token check, in the order of the checks. */
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

/** The result of verifying one token against the keys of one configuration. */
export interface TokenCheck {
  /** The outcome. */
  readonly reason: Reason;
  /** The defect in one sentence, for people; absent when valid. Never contains the token. */
  readonly detail?: string;
  /** From the token's header, as far as it could be read. */
  readonly kid?: string;
  /** From the token's header, as far as it could be read. */
  readonly alg?: string;
  /**
   * The payload; only when the signature is valid, so also for an expired token. Deeply frozen when it is cached, and so
   * shared.
   */
  readonly claims?: Readonly<Record<string, unknown>>;
}
