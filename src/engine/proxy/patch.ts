/**
 * The part of JSON Patch (RFC 6902) that mends are written in: `add`, `remove` and `replace` of object members, and
 * `replace` of array elements. Inserting into and removing from arrays is left out, so that applying a patch a second
 * time changes nothing.
 */

/** One operation of a mend. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

type Container = Record<string, unknown> | unknown[];

/**
 * Applies a patch to a JSON value, which stays as it is. Removing what is not there is no error.
 *
 * @throws RangeError when an operation cannot be applied: its place does not exist, or it would shift array elements.
 * @example
 * ```ts
 * applyPatch({ dns: { type: "CNAME" }, foo: 1 }, [{ op: "remove", path: "/foo" }]); // => { dns: { type: "CNAME" } }
 * ```
 */
export function applyPatch(body: unknown, patch: readonly PatchOperation[]): unknown {
  return patch.reduce((value, operation) => applyAt(value, segmentsOf(operation.path), operation), body);
}

function segmentsOf(path: string): readonly string[] {
  if (!path.startsWith("/"))
    throw new RangeError(`Give the patch a path that begins with "/", not "${path}"`);
  return path
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function applyAt(value: unknown, [key, ...rest]: readonly string[], operation: PatchOperation): unknown {
  if (key === undefined) return operation.op === "remove" ? undefined : operation.value;
  if (!isContainer(value)) throw misplaced(operation);
  if (rest.length > 0) return descended(value, key, rest, operation);
  if (operation.op === "remove") return removed(value, key, operation);
  if ((operation.op === "replace" || Array.isArray(value)) && !holds(value, key)) throw misplaced(operation);
  if (operation.op === "add" && Array.isArray(value)) throw misplaced(operation);
  return withMember(value, key, operation.value);
}

function descended(
  value: Container,
  key: string,
  rest: readonly string[],
  operation: PatchOperation,
): unknown {
  if (holds(value, key)) return withMember(value, key, applyAt(memberOf(value, key), rest, operation));
  if (operation.op === "remove") return value;
  throw misplaced(operation);
}

function removed(value: Container, key: string, operation: PatchOperation): unknown {
  if (Array.isArray(value)) throw misplaced(operation);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function withMember(value: Container, key: string, member: unknown): Container {
  if (Array.isArray(value)) return value.with(Number(key), member);
  const names = Object.keys(value);
  const entries = names.map((name) => [name, name === key ? member : value[name]] as const);
  return Object.fromEntries(holds(value, key) ? entries : [...entries, [key, member]]);
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function holds(value: Container, key: string): boolean {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < value.length;
  return Object.hasOwn(value, key);
}

function memberOf(value: Container, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}

function misplaced({ op, path }: PatchOperation): RangeError {
  return new RangeError(
    `Apply the patch to the value it was made for: "${op}" cannot be done at "${path}" (objects: add, remove, replace; arrays: replace)`,
  );
}
