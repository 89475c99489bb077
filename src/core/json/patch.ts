/**
 * The part of JSON Patch (RFC 6902) that fixes use: `replace` of object members and array elements, and `move` of an
 * object member to another name of the same object. Nothing is removed, and applying a patch a second time changes
 * nothing.
 */

import { arrayOf, aString, objectWith, requireArgument, unionBy } from "../arguments.ts";
import { pointerSegments } from "../json-pointer.ts";

/** One operation of a patch. */
export type PatchOperation =
  | {
      /** Sets a member or element that exists. */
      readonly op: "replace";
      /** RFC 6901 pointer of the value. */
      readonly path: string;
      /** The new value. */
      readonly value: unknown;
    }
  | {
      /** Renames a member, which keeps its place and value. */
      readonly op: "move";
      /** RFC 6901 pointer of the member. */
      readonly from: string;
      /** The same pointer with another name, which the object does not have. */
      readonly path: string;
    };

type Container = Record<string, unknown> | unknown[];

const aPatch = arrayOf(
  unionBy("op", {
    replace: objectWith({ path: aString }),
    move: objectWith({ from: aString, path: aString }),
  }),
);

/**
 * Returns a copy of a JSON value with a patch applied. Moving a missing member changes nothing.
 *
 * @throws RangeError when an operation cannot be applied: its target does not exist, or a member would be lost.
 * @example
 * ```ts
 * applyPatch({ tsl: "off", dns: {} }, [{ op: "move", from: "/tsl", path: "/tls" }]); // => { tls: "off", dns: {} }
 * ```
 */
export function applyPatch(body: unknown, patch: readonly PatchOperation[]): unknown {
  requireArgument("patch", patch, aPatch);
  return patch.reduce(applyOperation, body);
}

function applyOperation(body: unknown, operation: PatchOperation): unknown {
  const path = segmentsOf(operation.path);
  if (operation.op === "replace") return changeAt(body, path, operation, () => operation.value);
  const from = segmentsOf(operation.from);
  const [parent, name, newName] = [from.slice(0, -1), from.at(-1), path.at(-1)];
  if (name === undefined || newName === undefined || parent.join("/") !== path.slice(0, -1).join("/"))
    throw inapplicable(operation);
  return changeAt(body, parent, operation, (object) => renamed(object, name, newName, operation));
}

function segmentsOf(path: string): readonly string[] {
  if (!path.startsWith("/")) throw new RangeError(`The path of a patch must begin with "/"; found "${path}"`);
  return pointerSegments(path);
}

function changeAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  operation: PatchOperation,
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (!isContainer(value) || !hasMember(value, key)) throw inapplicable(operation);
  const member = changeAt(memberOf(value, key), rest, operation, change);
  if (Array.isArray(value)) return value.with(Number(key), member);
  return withEntries(value, ([name, old]) => [name, name === key ? member : old]);
}

function renamed(value: unknown, from: string, to: string, operation: PatchOperation): unknown {
  if (!isContainer(value) || Array.isArray(value)) throw inapplicable(operation);
  if (!hasMember(value, from)) return value;
  if (hasMember(value, to)) throw inapplicable(operation);
  return withEntries(value, ([name, member]) => [name === from ? to : name, member]);
}

type Entry = readonly [name: string, value: unknown];

function withEntries(value: Record<string, unknown>, change: (entry: Entry) => Entry): Container {
  return Object.fromEntries(Object.entries(value).map(change));
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
    `The operation "${op}" is not possible at "${path}" of this value; apply the patch to the value that it was created for ("replace" needs a value that exists; "move" gives a member another name in its object)`,
  );
}
