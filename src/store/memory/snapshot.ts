/** Frozen copies: a stored record can be returned without another copy. */

/** A deeply frozen copy of a JSON value, without its undefined members. */
export function frozenCopy<T>(value: T): T {
  // JSON has no negative zero.
  if (typeof value !== "object" || value === null) return value === 0 ? (0 as T) : value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) define(copy, key, frozenCopy(member));
  }
  return Object.freeze(copy) as T;
}

function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true });
}
