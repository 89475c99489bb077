/** Changes the letter case of strings that the service compares without regard to it. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { LetterCase, Member } from "../../schemas/member.ts";

const changes: { readonly [C in LetterCase]: (text: string) => string } = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
};

/** The same value with some strings in another letter case; values of other types are left for the validation. */
export function spell(value: JsonObject, members: Readonly<Record<string, Member>>): JsonObject {
  const spelled = Object.entries(members).flatMap(([name, member]) =>
    Object.entries(member.spelled).map(([place, letterCase]) => [`${name}${place}`, letterCase] as const),
  );
  return spelled.reduce<JsonObject>(
    (before, [place, letterCase]) => spellAt(before, place.split("/"), changes[letterCase]) as JsonObject,
    value,
  );
}

function spellAt(value: unknown, path: readonly string[], change: (text: string) => string): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === "string" ? change(value) : value;
  if (name === "*") return Array.isArray(value) ? value.map((one) => spellAt(one, rest, change)) : value;
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: spellAt(value[name], rest, change) };
}
