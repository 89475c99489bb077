/** Compares the keys of a configuration with those that its issuer publishes now. */
import { type Diagnostic, diagnostic, type Rules } from "../../core/diagnostic.ts";
import { defaultMaxKeys } from "../../engine/tokens/jwt/keys/key-set.ts";
import type { JwtKey } from "../../engine/tokens/model.ts";
import { pointer, quote } from "../../errors.ts";
import { hasSameMaterial, type IssuerKeys, type PlacedKey, placedKeys } from "./keys-from-jwks.ts";
import type { KeyRule } from "./rejected-key.ts";

const tags = ["tokens", "keys"];

/** The checks. */
export const keyChecks = {
  missing_key: {
    tags,
    level: "error",
    description:
      "The issuer has a key that the configuration lacks: tokens fail as soon as the issuer signs with it.",
    help: "Add the key to the configuration.",
  },
  changed_key: {
    tags,
    level: "error",
    description: "The issuer and the configuration have different keys with the same `kid` and `alg`.",
    help: "Replace the key of the configuration by that of the issuer.",
  },
  published_secret: {
    tags,
    level: "error",
    description: "The issuer publishes a private or symmetric key, with which everyone can sign tokens.",
    help: "Replace the key at the issuer, and publish its public members only.",
  },
  too_many_keys: {
    tags,
    level: "error",
    description: "With all keys of the issuer the configuration would have more than it can have.",
    help: "Remove keys that no valid token needs, at the issuer or in the configuration.",
  },
  stale_key: {
    tags,
    level: "warning",
    description: "The configuration has a key that the issuer no longer publishes.",
    help: "Remove the key when the last token that it signed has expired.",
  },
  unusable_key: {
    tags,
    level: "warning",
    description:
      "The issuer has a signing key that a configuration cannot have: its tokens are always invalid.",
    help: "Let the issuer sign with RS256 to RS512, PS256 to PS512, ES256 or ES384.",
  },
  invalid_key: {
    tags,
    level: "warning",
    description: "The configuration has a key that cannot verify a token.",
    help: "Remove the key, or replace it by one of the issuer.",
  },
} as const satisfies Rules;

/** The name of a check. */
export type KeyCheck = keyof typeof keyChecks;

const keysAt = "/credentials/keys";

/** @param subject the `kid` and `alg` of the key, as far as they are known */
function keyFinding(
  check: KeyCheck,
  message: string,
  at: string,
  subject: Diagnostic["subject"] = {},
): Diagnostic<KeyCheck> {
  return diagnostic(keyChecks, check, message, { pointer: at, subject });
}

/**
 * The findings: first those about keys of the issuer, in its order, then those about keys of the configuration.
 *
 * @param credentials the `credentials` of a configuration, unchecked
 */
export function compareKeys(credentials: unknown, issuer: IssuerKeys): readonly Diagnostic<KeyCheck>[] {
  const own = placedKeys(credentials, { sharedSecrets: "accept" });
  const missing = issuer.keys.flatMap((key) => compareKey(key, own.accepted));
  return [
    ...missing,
    ...issuer.dropped.flatMap(unusable),
    ...tooMany(own.accepted.length, missing.filter(({ rule }) => rule === "missing_key").length),
    ...own.accepted
      .filter(({ key }) => isPublic(key) && !issuer.keys.some((issued) => isSamePair(issued, key)))
      .map(stale),
    ...own.dropped.map(invalid),
  ];
}

/** An issuer publishes no shared secret. */
function isPublic({ kty }: JwtKey): boolean {
  return kty !== "oct";
}

function isSamePair(a: JwtKey, b: JwtKey): boolean {
  return a.kid === b.kid && a.alg === b.alg;
}

function compareKey(key: JwtKey, own: readonly PlacedKey[]): Diagnostic<KeyCheck>[] {
  const { kid, alg } = key;
  const same = own.find((placed) => isSamePair(placed.key, key));
  if (same && hasSameMaterial(same.key, key)) return [];
  if (same) {
    const message = `The issuer has another key with the kid ${quote(kid)} and alg \`${alg}\`: no token of it is valid.`;
    return [keyFinding("changed_key", message, `/credentials${same.pointer}`, { kid, alg })];
  }
  const other = own.find((placed) => placed.key.kid === kid);
  const found = other ? `, only one with this kid and alg \`${other.key.alg}\`` : "";
  const message = `The configuration has no key with the kid ${quote(kid)} and alg \`${alg}\`${found}: tokens that the issuer signs with it are invalid.`;
  return [keyFinding("missing_key", message, keysAt, { kid, alg })];
}

/** The reasons for which a key that could sign tokens cannot verify them. Encryption keys and copies are no findings. */
const findingOf: Readonly<Partial<Record<KeyRule, KeyCheck>>> = {
  private_key: "published_secret",
  symmetric_key: "published_secret",
  unsupported_type: "unusable_key",
  unsupported_curve: "unusable_key",
  unsupported_alg: "unusable_key",
  malformed_key: "unusable_key",
  no_kid: "unusable_key",
  conflicting_key: "unusable_key",
  not_a_key: "unusable_key",
  unread_keys: "unusable_key",
};

function unusable({ rule, message, subject, pointer: at = "" }: Diagnostic<KeyRule>): Diagnostic<KeyCheck>[] {
  const check = findingOf[rule];
  if (check === undefined) return [];
  const kid = subject?.["kid"];
  const name = kid === undefined ? (at === "" ? "" : ` at ${quote(at)}`) : ` ${quote(kid)}`;
  const text = `The configuration cannot have the issuer's key${name} (${rule}): ${message}`;
  return [keyFinding(check, text, keysAt, subject)];
}

function tooMany(own: number, missing: number): Diagnostic<KeyCheck>[] {
  const count = own + missing;
  if (count <= defaultMaxKeys) return [];
  const message = `A configuration must have at most ${defaultMaxKeys} keys; with those of the issuer it would have ${count}.`;
  return [keyFinding("too_many_keys", message, keysAt)];
}

function stale({ key: { kid, alg }, pointer: at }: PlacedKey): Diagnostic<KeyCheck> {
  const message = `The issuer does not publish the key with the kid ${quote(kid)} and alg \`${alg}\`.`;
  return keyFinding("stale_key", message, `/credentials${at}`, { kid, alg });
}

function invalid({ subject, pointer: at = "", message }: Diagnostic<KeyRule>): Diagnostic<KeyCheck> {
  const place = at.startsWith(pointer("keys")) ? `/credentials${at}` : "/credentials";
  return keyFinding("invalid_key", message, place, subject);
}
