/**
 * The normal form of names and patterns for comparison: A-labels decoded, NFKC, case folded
 * (`chosen`; NFKC is Unicode Standard Annex 15, folding the Unicode Standard's section 3.13, A-labels RFC 5890).
 */
import { domainToUnicode } from "../../../core/idna/host.ts";

/** Capital letters, and all characters outside of ASCII. */
const needsFolding = /[^\0-@[-\x7f]/;
/** The full stop that RFC 3490 section 3.1 reads as a dot and NFKC does not change. */
const ideographicStop = /\u3002/g;

/**
 * Converts a string to the form that all comparisons use. Idempotent.
 *
 * @example foldText("PayPaｌ") // => "paypal"
 */
export function foldText(text: string): string {
  const folded = fold(text);
  if (!folded.includes("xn--")) return folded;
  return fold(folded.split(".").map(decodeLabel).join("."));
}

function fold(text: string): string {
  if (!needsFolding.test(text)) return text;
  return foldCase(text.normalize("NFKC")).normalize("NFKC").replace(ideographicStop, ".");
}

/** Decodes one label; returns a label that is not a valid A-label unchanged. */
function decodeLabel(label: string): string {
  return label.startsWith("xn--") ? domainToUnicode(label) || label : label;
}

/**
 * Full case folding through the upper case, letter by letter because lower-casing a word depends on its context
 * (final sigma). The dotless i folds to itself, which its upper case would not.
 */
function foldCase(text: string): string {
  let folded = "";
  for (const c of text) folded += c === "ı" ? c : c.toUpperCase().toLowerCase();
  return folded;
}
