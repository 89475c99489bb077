/** How long a transformed image may be kept: as its origin says, at least an hour (`observed`). */

/** Minimum, and the time of an origin that says nothing (chosen), in seconds. */
const minSeconds = 3_600;

/** A `Cache-Control`, and whether it is another one than the origin's. */
export interface CachePolicy {
  readonly value: string;
  readonly warnings: readonly string[];
}

/**
 * The `Cache-Control` of a transformed image.
 *
 * @param given that of the origin
 * @example
 * ```ts
 * cachePolicy("public, max-age=60").value; // => "public, max-age=3600"
 * ```
 */
export function cachePolicy(given: string | null | undefined): CachePolicy {
  const directives = (given ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const kept = directives.filter((directive) => !/^(no-store|no-cache|private|max-age)\b/i.test(directive));
  const isForbidden = directives.some((directive) => /^(no-store|no-cache|private)\b/i.test(directive));
  const stated = directives
    .map((directive) => /^max-age="?(\d{1,10})"?$/i.exec(directive)?.[1])
    .find((age) => age !== undefined);
  const seconds = isForbidden || stated === undefined ? minSeconds : Math.max(minSeconds, Number(stated));
  const isRestrictive = isForbidden || (stated !== undefined && Number(stated) < minSeconds);
  return {
    value: [...kept, `max-age=${seconds}`].join(", "),
    warnings: isRestrictive ? ["cache-control is too restrictive"] : [],
  };
}
