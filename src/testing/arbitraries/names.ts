/** Names that a pattern is found in, and names that miss it by one edit. */
import type { Arbitrary } from "fast-check";
import type { StringMatch } from "../../engine/brand/model.ts";
import { normalizeHost } from "../../engine/brand/names/host.ts";
import { normalizePattern } from "../../engine/brand/query.ts";
import type { FastCheck } from "./fast-check.ts";

const suffixes = ["com", "info", "co.uk"] as const;

const alphabet = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** A way to change one character: its place as a share of the text, and what becomes of it. */
interface Edit {
  readonly kind: "insert" | "delete" | "replace";
  readonly place: number;
  readonly letter: string;
}

/** A name with the pattern in it, changed by no more edits than it allows. */
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
      // Where an edit leaves no host name, or one with another suffix, the plain pattern stands.
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
 * A name that is one edit further from the pattern than it allows: so many characters of it are replaced by one that
 * the pattern does not have, and nothing else of the name is in the pattern.
 *
 * @throws {RangeError} for a pattern that is found in every name, or has every letter and digit
 */
export function nearMiss(fc: FastCheck, { pattern, max_edit_distance }: StringMatch): Arbitrary<string> {
  const characters = readPattern(pattern);
  const foreign = alphabet.filter((letter) => !characters.includes(letter));
  // Without separators a matcher may compare too, so those do not count.
  const places = [...characters.keys()].filter((i) => !"-.".includes(characters[i]!));
  const needed = max_edit_distance + 1;
  if (foreign.length === 0)
    throw new RangeError(`\`${pattern}\` has every letter and digit; none is left to replace one by.`);
  if (places.length < needed) {
    throw new RangeError(`\`${pattern}\` within ${max_edit_distance} edits is found in every name.`);
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

/** The characters of a pattern in the form in which it is compared. @throws {RangeError} */
function readPattern(pattern: string): string[] {
  const normal = normalizePattern(pattern);
  if (nameOf(normal, "com") === undefined)
    throw new RangeError(
      `\`${pattern}\` cannot stand in a host name: it has characters that no name has, or is too long.`,
    );
  return [...normal];
}

/** The text before the suffix; undefined when that is no host name, or has another suffix. */
function nameOf(text: string, suffix: string): string | undefined {
  const host = normalizeHost(`${text}.${suffix}`);
  return host.ok && host.value.suffix === suffix && host.value.text !== "" ? `${text}.${suffix}` : undefined;
}
