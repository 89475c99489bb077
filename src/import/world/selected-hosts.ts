/** The hosts that a rule selects, and the operations that it excludes. The types of its members are not checked yet. */
import { isJsonObject } from "../../core/json-value.ts";
import type { ResourceOf } from "../reading.ts";

/** In lower case, in the order of the selector. */
export function hostsOf({ value: { selector } }: ResourceOf<"token_rule">): readonly string[] {
  return stringsOf(selector?.include, "host").map((host) => host.toLowerCase());
}

/** Ids in the order of the selector. */
export function excludedOperations({ value: { selector } }: ResourceOf<"token_rule">): readonly string[] {
  return stringsOf(selector?.exclude, "operation_ids");
}

function stringsOf(list: unknown, member: string): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((element: unknown) => {
    const strings = isJsonObject(element) ? element[member] : undefined;
    return Array.isArray(strings) ? strings.filter((text) => typeof text === "string") : [];
  });
}
