/** Public suffixes inside a name, as in `paypal.co.jp.example.com` and `paypal-co-jp.com` (`chosen`). */

import type { Span } from "../model.ts";
import { listedSuffix } from "./public-suffix.ts";

/** The longest suffix that is looked up, in labels. */
const maxLabels = 5;

/**
 * The public suffixes of two or more labels, or of a country (two letters), that are whole parts of a name, with a part
 * before them and something after them. Hyphens count as dots.
 *
 * @param points code points of the host
 * @param tokens its parts between separators
 * @param textEnd where its own public suffix begins
 */
export function embeddedSuffixesOf(
  points: readonly number[],
  tokens: readonly Span[],
  textEnd: number,
): readonly Span[] {
  const found: Span[] = [];
  for (const [i, { start, end }] of tokens.entries()) {
    if (start === end || end > textEnd || end === points.length) continue;
    const from = tokens[Math.max(0, i - maxLabels)]?.start ?? 0;
    const text = String.fromCodePoint(...points.slice(from, end)).replaceAll("-", ".");
    const labels = embeddedLabels(text);
    const first = tokens[i + 1 - labels];
    if (labels > 0 && i + 1 - labels > 0 && first) found.push({ start: first.start, end });
  }
  return found;
}

/** Answers about parts of names; feeds repeat the same ones. */
const answers = new Map<string, boolean>();
const maxAnswers = 50_000;

function remember(part: string, find: () => boolean): boolean {
  const known = answers.get(part);
  if (known !== undefined) return known;
  const found = find();
  if (answers.size >= maxAnswers) answers.clear();
  answers.set(part, found);
  return found;
}

/** Whether a part of an ASCII name may be the last one of an embedded suffix. */
export function mayEndSuffix(part: string): boolean {
  // Of some top-level domains only the names below them are listed.
  return part.length === 2 || remember(part, () => listedSuffix(`x.${part.toLowerCase()}`) !== "");
}

/** Whether ASCII labels are a public suffix. */
export function isSuffix(labels: string): boolean {
  return remember(labels, () => listedSuffix(labels.toLowerCase()) === labels.toLowerCase());
}

/** The number of labels of the suffix of a text; 0 for one that is neither a country's nor longer. */
function embeddedLabels(text: string): number {
  const suffix = listedSuffix(text);
  const labels = suffix.split(".").length;
  return labels > 1 || /^[a-z]{2}$/.test(suffix) ? labels : 0;
}
