/** Times of tokens in words. */

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** A time in seconds since 1970, relative to now and exact; times outside of the calendar stay a number. */
export function describeTime(
  seconds: number,
  nowMs: number,
): { readonly words: string; readonly exact: string } {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return { words: `at ${seconds}`, exact: "" };
  const distance = Math.round(seconds - nowMs / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(distance) >= length) ?? (["second", 1] as const);
  return {
    words: distance === 0 ? "now" : relative.format(Math.trunc(distance / size), unit),
    exact: date.toISOString().replace(".000Z", "Z"),
  };
}
