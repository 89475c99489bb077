/** Hostile inputs. */
import fc from "fast-check";

/** Strings that often break programs. */
export const nastyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "",
    " ",
    "\u0000",
    "\ud800",
    "../..",
    "%00",
    "null",
    "0",
    "-1",
    "1e999",
    "x".repeat(5_000),
  ),
);

/** Any JSON value; its member names include those of Object.prototype. */
export const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    nastyText,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(nastyText, tie("value"), { maxKeys: 4 }),
  ),
})).value as fc.Arbitrary<unknown>;

/** A valid value with one member at any depth replaced by another value or removed. */
export function damaged(valid: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(valid, []);
  return fc
    .tuple(fc.constantFrom(...places), fc.oneof(anyJson, fc.constant(undefined)))
    .map(([path, value]) => {
      return replaceAt(valid, path, value);
    });
}

type Path = readonly (string | number)[];

function placesOf(value: unknown, path: Path): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => placesOf(member, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const holder = copy as Record<string | number, unknown>;
  const next = replaceAt(holder[key], rest, by);
  if (next === undefined && !Array.isArray(copy)) delete holder[key];
  else holder[key] = next;
  return copy;
}
