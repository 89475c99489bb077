/** Shortens text in its middle, so that its end, in which long names differ, is kept. */

const ellipsis = "...";

/** The text, in at most a number of code units. @param max from 5 */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = max - ellipsis.length;
  const start = text.slice(0, Math.ceil(kept / 2)).replace(/[\ud800-\udbff]$/, "");
  const end = text.slice(text.length - Math.floor(kept / 2)).replace(/^[\udc00-\udfff]/, "");
  return `${start}${ellipsis}${end}`;
}
