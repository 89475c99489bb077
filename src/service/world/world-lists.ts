/** Recognizes the value of a world file. */
import { isJsonObject } from "../../core/json-value.ts";

/** Whether a value has one of the two lists of a world, which a value of another format does not have. */
export function hasWorldLists(value: unknown): boolean {
  return isJsonObject(value) && (Array.isArray(value["zones"]) || Array.isArray(value["accounts"]));
}
