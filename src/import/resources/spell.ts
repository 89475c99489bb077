/** Changes the letter case of strings that the service compares without regard to it. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { LetterCase, Member } from "../../schemas/member.ts";

/** The spelling of a text; one without a known one keeps its own. */
function spellingOf(text: string, letterCase: LetterCase): string {
  if (letterCase === "lower") return text.toLowerCase();
  if (letterCase === "upper") return text.toUpperCase();
  return letterCase.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text;
}

/** The same value with some strings in another letter case; values of other types are left for the validation. */
export function spell(value: JsonObject, members: Readonly<Record<string, Member>>): JsonObject {
  let spelled: unknown = value;
  for (const [name, member] of Object.entries(members))
    for (const [place, letterCase] of Object.entries(member.spelled))
      spelled = spellAt(spelled, `${name}${place}`.split("/"), (text) => spellingOf(text, letterCase));
  return spelled as JsonObject;
}

function spellAt(value: unknown, path: readonly string[], change: (text: string) => string): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === "string" ? change(value) : value;
  if (name === "*")
    return Array.isArray(value) ? value.map((element) => spellAt(element, rest, change)) : value;
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: spellAt(value[name], rest, change) };
}
