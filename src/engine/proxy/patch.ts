/**
 * The part of JSON Patch (RFC 6902) that fixes use: `add`, `remove` and `replace` of object members, and `replace` of
 * array elements. Inserting into and removing from arrays is not supported, so that applying a patch a second time
 * changes nothing.
 */

/** One operation of a patch. */
export type PatchOperation =
  | {
      /** Sets a member; `replace` needs one that exists. */
      readonly op: "add" | "replace";
      /** RFC 6901 pointer of the member. */
      readonly path: string;
      /** The new value. */
      readonly value: unknown;
    }
  | {
      /** Removes a member. */
      readonly op: "remove";
      /** RFC 6901 pointer of the member. */
      readonly path: string;
    };

type Container = Record<string, unknown> | unknown[];

/**
 * Returns a copy of a JSON value with a patch applied. Removing a missing member changes nothing.
 *
 * @throws RangeError when an operation cannot be applied: its target does not exist, or array elements would move.
 * @example
 * ```ts
 * applyPatch({ dns: { type: "CNAME" }, foo: 1 }, [{ op: "remove", path: "/foo" }]); // => { dns: { type: "CNAME" } }
 * ```
 */
export function applyPatch(body: unknown, patch: readonly PatchOperation[]): unknown {
  return patch.reduce((value, operation) => applyAt(value, segmentsOf(operation.path), operation), body);
}

function segmentsOf(path: string): readonly string[] {
  if (!path.startsWith("/")) throw new RangeError(`The path of a patch must begin with "/"; found "${path}"`);
  return path
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function applyAt(value: unknown, [key, ...rest]: readonly string[], operation: PatchOperation): unknown {
  if (key === undefined) return operation.op === "remove" ? undefined : operation.value;
  if (!isContainer(value)) throw inapplicable(operation);
  if (rest.length > 0) return patchedMember(value, key, rest, operation);
  if (operation.op === "remove") return withoutMember(value, key, operation);
  if ((operation.op === "replace" || Array.isArray(value)) && !hasMember(value, key))
    throw inapplicable(operation);
  if (operation.op === "add" && Array.isArray(value)) throw inapplicable(operation);
  return withMember(value, key, operation.value);
}

function patchedMember(
  value: Container,
  key: string,
  rest: readonly string[],
  operation: PatchOperation,
): unknown {
  if (hasMember(value, key)) return withMember(value, key, applyAt(memberOf(value, key), rest, operation));
  if (operation.op === "remove") return value;
  throw inapplicable(operation);
}

function withoutMember(value: Container, key: string, operation: PatchOperation): unknown {
  if (Array.isArray(value)) throw inapplicable(operation);
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function withMember(value: Container, key: string, member: unknown): Container {
  if (Array.isArray(value)) return value.with(Number(key), member);
  const names = Object.keys(value);
  const entries = names.map((name) => [name, name === key ? member : value[name]] as const);
  return Object.fromEntries(hasMember(value, key) ? entries : [...entries, [key, member]]);
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function hasMember(value: Container, key: string): boolean {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < value.length;
  return Object.hasOwn(value, key);
}

function memberOf(value: Container, key: string): unknown {
  return Array.isArray(value) ? value[Number(key)] : value[key];
}

function inapplicable({ op, path }: PatchOperation): RangeError {
  return new RangeError(
    `The operation "${op}" is not possible at "${path}" of this value; apply the patch to the value that it was created for (objects allow add, remove and replace; arrays allow replace)`,
  );
}
