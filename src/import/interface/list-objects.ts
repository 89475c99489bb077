/** Lists the objects of a result: a list, a single object, or a list under one of the names of image hosting. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer } from "../../errors.ts";

/** An object of a result. */
export interface ListedObject {
  /** RFC 6901 pointer into the file. */
  readonly at: string;
  readonly object: JsonObject;
}

/** Elements that are not objects are left out. */
export function listObjects(at: string, result: unknown): readonly ListedObject[] {
  if (Array.isArray(result))
    return result.flatMap((object: unknown, i) =>
      isJsonObject(object) ? [{ at: at + pointer(i), object }] : [],
    );
  if (!isJsonObject(result)) return [];
  const { variants, keys, images } = result;
  // An object by id (observed), not a list.
  if (isJsonObject(variants))
    return Object.entries(variants).flatMap(([id, object]) =>
      // The id can be the name only (spec).
      isJsonObject(object) ? [{ at: `${at}/variants${pointer(id)}`, object: { id, ...object } }] : [],
    );
  if (Array.isArray(keys)) return listObjects(`${at}/keys`, keys);
  if (Array.isArray(images)) return listObjects(`${at}/images`, images);
  return [{ at, object: isJsonObject(result["variant"]) ? result["variant"] : result }];
}
