/** The values and alternatives of messages. */

/** Maximum length of a user's value in a message, in characters. */
const maxQuoted = 80;

/**
 * A user's value for a message: strings, numbers, booleans and null in backticks, on one line and shortened;
 * everything else in words.
 *
 * @example quote("a\nb") // "`a\\nb`"
 */
export function quote(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value))
    return value.length === 0 ? "an empty array" : `an array of ${counted(value.length, "element")}`;
  if (typeof value === "object" && value !== null) return "an object";
  if (Number.isNaN(value)) return "`NaN` (not a number)";
  const text =
    typeof value === "string" ? JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"') : String(value);
  return `\`${text.length > maxQuoted ? `${text.slice(0, maxQuoted)}...` : text}\``;
}

/** Maximum length of what both texts begin with before their difference, in code units. */
const maxSame = 20;

/**
 * A text and another in its place, for a message. Of long texts what both begin with is shortened, so that the difference
 * is shown.
 *
 * @example quoteChange("a", "b") // "`a` becomes `b`"
 */
export function quoteChange(before: string, after: string): string {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same++;
  const isLong = Math.max(before.length, after.length) > maxQuoted;
  const from = isLong ? same - maxSame : 0;
  const [left, right] = [before, after].map((text) =>
    quote(from <= 0 ? text : `...${text.slice(from).replace(/^[\udc00-\udfff]/, "")}`),
  );
  return `${left} becomes ${right}`;
}

/** A number with its noun for a message: `1 element`, `2 elements`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/**
 * Alternatives for a message, separated by commas and `or`.
 *
 * @example alternatives(["`a`", "`b`", "`c`"]) // "`a`, `b` or `c`"
 */
export function alternatives(items: readonly string[]): string {
  return [items.slice(0, -1).join(", "), ...items.slice(-1)].filter((part) => part !== "").join(" or ");
}
