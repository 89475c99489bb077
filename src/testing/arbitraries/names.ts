/** Random names that match a pattern, and names that miss it by one edit. */
import type { Arbitrary } from "fast-check";
import type { StringMatch } from "../../engine/brand/model.ts";
import { normalizeHost } from "../../engine/brand/names/host.ts";
import { normalizePattern } from "../../engine/brand/query.ts";
import type { FastCheck } from "./fast-check.ts";

const suffixes = ["com", "info", "co.uk"] as const;

const alphabet = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** A change of one character. `place` is taken modulo the length of the string. */
interface Edit {
  readonly kind: "insert" | "delete" | "replace";
  readonly place: number;
  readonly letter: string;
}

/** A name that contains the pattern with at most as many edits as it allows. */
export function matchingName(fc: FastCheck, { pattern, max_edit_distance }: StringMatch): Arbitrary<string> {
  const characters = readPattern(pattern);
  const edit: Arbitrary<Edit> = fc.record({
    kind: fc.constantFrom("insert", "delete", "replace"),
    place: fc.nat(characters.length + max_edit_distance),
    letter: fc.constantFrom(...alphabet),
  });
  const around = fc.constantFrom("", "secure-", "www.", "my");
  const behind = fc.constantFrom("", "-login", "24", ".account");
  return fc
    .tuple(fc.array(edit, { maxLength: max_edit_distance }), around, behind, fc.constantFrom(...suffixes))
    .map(([edits, before, after, suffix]) => {
      const changed = edits.reduce(applyEdit, characters).join("");
      // If an edit makes the host name invalid or changes its suffix, the pattern is used unchanged.
      const name = nameOf(before + changed + after, suffix);
      return name ?? `${before}${characters.join("")}${after}.${suffix}`;
    });
}

function applyEdit(characters: readonly string[], { kind, place, letter }: Edit): string[] {
  const at = place % (characters.length + 1);
  if (kind === "insert") return characters.toSpliced(at, 0, letter);
  return characters.toSpliced(at, 1, ...(kind === "replace" ? [letter] : []));
}

/**
 * A name whose distance from the pattern is one more than it allows: that many characters are replaced by one that the
 * pattern does not have, and the rest of the name has no letter of the pattern.
 *
 * @throws {RangeError} for a pattern that matches every name, or has all letters and digits
 */
export function nearMiss(fc: FastCheck, { pattern, max_edit_distance }: StringMatch): Arbitrary<string> {
  const characters = readPattern(pattern);
  const foreign = alphabet.filter((letter) => !characters.includes(letter));
  // A matcher can ignore separators, so they are not replaced.
  const places = [...characters.keys()].filter((i) => !"-.".includes(characters[i] ?? ""));
  const needed = max_edit_distance + 1;
  if (foreign.length === 0)
    throw new RangeError(`The pattern must leave a letter or digit unused; found \`${pattern}\`.`);
  if (places.length < needed) {
    throw new RangeError(
      `The pattern must have more than ${max_edit_distance} letters, or it matches every name; found \`${pattern}\`.`,
    );
  }
  const letter = fc.constantFrom(...foreign);
  const around = fc.array(letter, { maxLength: 6 }).map((list) => list.join(""));
  const replaced = fc.shuffledSubarray(places, { minLength: needed, maxLength: needed });
  return fc
    .tuple(replaced, letter, around, around, fc.constantFrom(...suffixes))
    .map(([at, other, before, after, suffix]) => {
      const changed = characters.map((character, i) => (at.includes(i) ? other : character));
      return `${before}${changed.join("")}${after}.${suffix}`;
    });
}

/** The characters of a normalized pattern. @throws {RangeError} */
function readPattern(pattern: string): string[] {
  const normal = normalizePattern(pattern);
  if (nameOf(normal, "com") === undefined)
    throw new RangeError(`The pattern must be a possible part of a host name; found \`${pattern}\`.`);
  return [...normal];
}

/** The name with this suffix; undefined when it is not a host name or has another suffix. */
function nameOf(text: string, suffix: string): string | undefined {
  const host = normalizeHost(`${text}.${suffix}`);
  return host.ok && host.value.suffix === suffix && host.value.text !== "" ? `${text}.${suffix}` : undefined;
}
