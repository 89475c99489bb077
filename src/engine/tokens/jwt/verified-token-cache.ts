/**
 * Caches tokens with a valid signature, so that a repeated token is not verified again.
 *
 * Invalid tokens are not cached: without a private key nothing can be written here, so a flood of invalid tokens
 * neither evicts a valid one nor uses memory. Times are checked on each use, and a cache belongs to one compiled key
 * set, so changed credentials start with an empty one.
 *
 * Two generations instead of a linked list: a hit in the young one writes nothing, a hit in the old one moves the
 * entry to the young one, and when the young one is full the old one is discarded. The map key is a number computed
 * from the end of the signature, because hashing a whole new string, or even slicing it, costs more than comparing it
 * once (`chosen`, measured). Of two tokens with the same end the later one is kept; that costs time only.
 *
 * Results are shared by all callers, so they are deeply frozen.
 */

import { copyLatin1 } from "#bytes";
import { freezeDeep } from "./json-object.ts";
import type { SignedToken } from "./signed-token.ts";

/** Characters of the token's end in its map key, and bits of each: 30 bits, a small integer in V8. */
const tailLength = 5;
const tailBits = 6;

/** Estimated bytes of an entry for each character of its token: the string and the parsed claims (`chosen`). */
const bytesPerCharacter = 8;

/** Limits of a cache. */
export interface VerifiedTokenCacheLimits {
  /** Maximum number of tokens; 0 turns the cache off. */
  readonly entries: number;
  /** Maximum estimated memory in bytes; a token that needs more than half of it is not kept. */
  readonly bytes: number;
}

/** A cache of tokens with a valid signature. */
export interface VerifiedTokenCache {
  get(token: string): SignedToken | undefined;
  set(token: string, signed: SignedToken): void;
  /** Number of tokens in the cache. */
  readonly size: number;
}

interface CachedToken {
  readonly tail: number;
  readonly token: string;
  readonly signed: SignedToken;
}

/** Creates an empty cache; the limits are non-negative numbers. */
export function createVerifiedTokenCache({ entries, bytes }: VerifiedTokenCacheLimits): VerifiedTokenCache {
  if (entries === 0) return noCache;
  const generationSize = Math.max(1, Math.floor(entries / 2));
  const generationBytes = bytes / 2;
  let young = new Map<number, CachedToken>();
  let old = new Map<number, CachedToken>();
  let youngBytes = 0;

  function keep(entry: CachedToken): void {
    const cost = entry.token.length * bytesPerCharacter;
    if (young.size >= generationSize || youngBytes + cost > generationBytes) {
      old = entries > 1 ? young : new Map();
      young = new Map();
      youngBytes = 0;
    }
    young.set(entry.tail, entry);
    youngBytes += cost;
  }

  return {
    get(token) {
      const tail = tailOf(token);
      const entry = young.get(tail);
      if (entry !== undefined) return entry.token === token ? entry.signed : undefined;
      const aged = old.get(tail);
      if (aged === undefined || aged.token !== token) return undefined;
      keep(aged);
      return aged.signed;
    },
    set(token, signed) {
      if (token.length * bytesPerCharacter > generationBytes) return;
      freezeDeep(signed.valid);
      const text = copyLatin1(token);
      keep({ tail: tailOf(text), token: text, signed });
    },
    get size() {
      return young.size + old.size;
    },
  };
}

const noCache: VerifiedTokenCache = { get: () => undefined, set: () => undefined, size: 0 };

/** The map key of a token; base64url characters have seven bits, so those of neighboring characters overlap. */
function tailOf(token: string): number {
  let tail = 0;
  for (let at = token.length - tailLength; at < token.length; at++) {
    tail = (tail << tailBits) ^ token.charCodeAt(at);
  }
  return tail;
}
