/** The rules of issuers' keys: why a key cannot be a key of a configuration, and what is filled in or changed. */
import type { Level, Rule, Rules } from "../../core/diagnostic.ts";

const tags = ["tokens", "keys"];

const rule = (level: Level, description: string, help: string): Rule => ({ level, description, help, tags });

const supported = "Let the issuer sign with RS256 to RS512, PS256 to PS512, ES256 or ES384.";
const compromised = "Replace the key at the issuer, and publish its public members only.";
const correct = "Correct the key at the issuer.";
const none = "Nothing needs to be done.";

/** The rules by id. */
export const keyRules = {
  not_a_key: rule("warning", "The element is neither a JWK nor a PEM public key or certificate.", correct),
  private_key: rule(
    "error",
    "The key has private members: it is compromised, and must be replaced.",
    compromised,
  ),
  symmetric_key: rule(
    "error",
    "The key is a shared secret (`oct`), which only HMAC algorithms use.",
    compromised,
  ),
  not_for_signatures: rule("note", "The `use`, `key_ops` or `alg` of the key is that of encryption.", none),
  unsupported_type: rule("warning", "Keys of its type, such as OKP (Ed25519), are not supported.", supported),
  unsupported_curve: rule("warning", "The curve of the key is not P-256 or P-384.", supported),
  unsupported_alg: rule(
    "warning",
    "The `alg` of the key is not a supported signature algorithm, or not one of its type.",
    supported,
  ),
  no_kid: rule("warning", "The key has no `kid`, by which tokens name their key.", correct),
  malformed_key: rule(
    "warning",
    "The numbers of the key are not those of a safe key, such as a modulus of less than 2,048 bits.",
    correct,
  ),
  duplicate_key: rule("note", "The same key is in the set already.", none),
  conflicting_key: rule(
    "error",
    "Another key has the same `kid` and `alg`: only the first can be found.",
    "Remove one of the keys, or change its `kid`.",
  ),
  unread_keys: rule(
    "error",
    "The set has more keys than are read.",
    "Remove keys that no valid token needs at the issuer.",
  ),
  completed_key: rule("note", "A member of the key was filled in or changed.", none),
  many_keys: rule(
    "note",
    "The set has more keys than a configuration can have, or than older text allows.",
    "Remove keys that no valid token needs.",
  ),
} as const satisfies Rules;

/** Id of a rule of issuers' keys. */
export type KeyRule = keyof typeof keyRules;

/** A key that a configuration cannot have. */
export interface RejectedKey {
  /** Id of the rule. */
  readonly rule: KeyRule;
  /** A clause with what was found and what is allowed. */
  readonly message: string;
}
