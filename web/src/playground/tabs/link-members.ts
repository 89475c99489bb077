/** Reads the members of a state that anyone may have made: each has the type that is allowed, or the state is rejected. */

/** A member of an object of its own; undefined for any other value. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The named members, each a string. @throws {RangeError} */
export function stringsOf<N extends string>(value: unknown, ...names: readonly N[]) {
  return membersOf(value, names, isString, "a string");
}

/** The named members, each true or false. @throws {RangeError} */
export function booleansOf<N extends string>(value: unknown, ...names: readonly N[]) {
  return membersOf(value, names, isBoolean, "true or false");
}

function membersOf<N extends string, T>(
  value: unknown,
  names: readonly N[],
  isValid: (member: unknown) => member is T,
  allowed: string,
): Readonly<Record<N, T>> {
  const found = names.map((name) => {
    const member = memberOf(value, name);
    if (!isValid(member)) throw damaged(name, allowed);
    return [name, member] as const;
  });
  return Object.fromEntries(found) as Record<N, T>;
}

/** The named member; nothing when it is missing. @throws {RangeError} when it is another value */
export function optional<N extends string, T>(
  value: unknown,
  name: N,
  isValid: (member: unknown) => member is T,
  allowed: string,
): { readonly [K in N]?: T } {
  const member = memberOf(value, name);
  if (member === undefined) return {};
  if (!isValid(member)) throw damaged(name, allowed);
  return { [name]: member } as { readonly [K in N]?: T };
}

/** Whether a member is a string. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

function damaged(name: string, allowed: string): RangeError {
  return new RangeError(`The state is damaged: \`${name}\` must be ${allowed}.`);
}

/** Whether a member is true or false. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** Whether a value has members. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
