/** The time to live of an origin record. */

/** Minimum time to live of an origin record, in seconds (`observed`). */
export const minTtl = 600;
/** Maximum time to live of a DNS record, in seconds (RFC 2181, section 8; `chosen`). */
export const maxTtl = 2_147_483_647;

/** Whether a value is a time to live in seconds that an origin record can have. */
export function isTtl(value: unknown): boolean {
  return typeof value === "number" && value >= minTtl && value <= maxTtl;
}
