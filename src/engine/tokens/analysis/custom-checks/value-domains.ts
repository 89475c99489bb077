/** The values that parts of a request never have. */

import type { CustomValue } from "../../expression/custom/tree.ts";
import { customFields } from "../../expression/language/custom-fields.ts";

const withoutUpperCase = (text: string) => !/[A-Z]/.test(text);
const withoutLowerCase = (text: string) => !/[a-z]/.test(text);
const startsWithSlash = (text: string) => text.startsWith("/");

/** The strings that fields and the results of calls can be; any, of those that are not listed. */
const possibleTexts: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["http.request.method", withoutLowerCase],
  ["http.host", withoutUpperCase],
  ["http.request.uri", startsWithSlash],
  ["http.request.uri.path", startsWithSlash],
  ["http.request.uri.path.extension", withoutUpperCase],
  ["lower", withoutUpperCase],
  ["upper", withoutLowerCase],
]);

/** Whether a value can be a string of bytes. */
export function isPossibleText(value: CustomValue, text: string): boolean {
  const name =
    value.kind === "field"
      ? (customFields.get(value.name)?.base ?? "")
      : value.kind === "call"
        ? value.name
        : "";
  return possibleTexts.get(name)?.(text) ?? true;
}

/** The least integer that a value can be. */
export function leastInteger(value: CustomValue): bigint {
  return value.kind === "call" && value.name === "len" ? 0n : -(2n ** 63n);
}
