/** Lists the objects of a result: a list, a single object, or a list in an object. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";
import { kindByShape } from "./shapes.ts";

/** An object of a result. */
export interface ListedObject {
  /** RFC 6901 pointer into the file. */
  readonly at: string;
  readonly object: JsonObject;
}

/** The members of results that are lists, also without elements. */
const listNames = ["variants", "keys", "images"] as const;

/** Elements that are not objects are left out. */
export function listObjects(at: string, result: unknown): readonly ListedObject[] {
  if (Array.isArray(result))
    return result.flatMap((object: unknown, i) =>
      isJsonObject(object) ? [{ at: at + pointer(i), object }] : [],
    );
  if (!isJsonObject(result)) return [];
  const { variant } = result;
  if (isJsonObject(variant)) return [{ at, object: variant }];
  const name = listNames.find((member) => typeof result[member] === "object" && result[member] !== null);
  if (name !== undefined) return elementsOf(at + pointer(name), result[name]);
  if (kindByShape(result) !== undefined) return [{ at, object: result }];
  const [only, ...more] = Object.entries(result);
  const byId = objectsById(at, result);
  const nested = only && more.length === 0 ? elementsOf(at + pointer(only[0]), only[1]) : [];
  return [byId, nested].find(areKnown) ?? [{ at, object: result }];
}

/** The elements of an array, or of an object that has them by their ids (observed). */
function elementsOf(at: string, list: unknown): readonly ListedObject[] {
  return isJsonObject(list) ? objectsById(at, list) : listObjects(at, list);
}

function objectsById(at: string, objects: JsonObject): readonly ListedObject[] {
  return Object.entries(objects).flatMap(([id, object]) =>
    // The id can be the name only (spec).
    isJsonObject(object) ? [{ at: at + pointer(id), object: { id, ...object } }] : [],
  );
}

function areKnown(listed: readonly ListedObject[]): boolean {
  return listed.length > 0 && listed.every(({ object }) => kindByShape(object) !== undefined);
}
