/**
 * Remembers tokens whose signature was right, so that a token that comes again is not verified again.
 *
 * Only those: whoever holds no private key can write nothing here, so a flood of bad tokens neither evicts a good
 * one nor takes memory; it costs what verifying it costs. The time is looked at on each use, and a cache belongs
 * to one compiled key set, so changed credentials begin with an empty one.
 *
 * Two generations instead of a linked list: a hit in the young one writes nothing, a hit in the old one carries
 * the entry over, and when the young one is full the old one is forgotten. A token stands under a number made
 * of the end of its signature, because hashing all of a fresh string, or even cutting a piece off, costs more than
 * comparing it once (`chosen`, measured). Of two tokens with the same end the later one is kept; that costs time only.
 *
 * What is kept is shared by all who ask for it, so it is frozen with all in it.
 */

import { copyText } from "./base64url.ts";
import { freezeDeep } from "./json-object.ts";
import type { SignedToken } from "./signed-token.ts";

/** Characters of a token's end under which it stands, and bits of each: 30 bits, a small integer to the engine. */
const tailLength = 5;
const tailBits = 6;

/** Bytes that an entry is charged with for each character of its token: text and parsed claims (`chosen`). */
const bytesPerCharacter = 8;

export interface VerifiedTokenCacheLimits {
  /** Most tokens; 0 turns the cache off. */
  readonly entries: number;
  /** Most memory, as charged; a token that alone takes more than half is not kept. */
  readonly bytes: number;
}

export interface VerifiedTokenCache {
  get(token: string): SignedToken | undefined;
  set(token: string, signed: SignedToken): void;
  /** Tokens that are kept now. */
  readonly size: number;
}

interface CachedToken {
  readonly tail: number;
  readonly token: string;
  readonly signed: SignedToken;
}

/** Makes an empty cache; the limits are non-negative numbers. */
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
      const text = copyText(token);
      keep({ tail: tailOf(text), token: text, signed });
    },
    get size() {
      return young.size + old.size;
    },
  };
}

const noCache: VerifiedTokenCache = { get: () => undefined, set: () => undefined, size: 0 };

/** The number of any text; base64url characters have seven bits, so the sixth and seventh of neighbours mix. */
function tailOf(token: string): number {
  let tail = 0;
  for (let at = token.length - tailLength; at < token.length; at++) {
    tail = (tail << tailBits) ^ token.charCodeAt(at);
  }
  return tail;
}
