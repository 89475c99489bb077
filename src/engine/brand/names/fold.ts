/**
 * The normal form in which names and patterns are compared: A-labels decoded, NFKC, case folded
 * (`chosen`; NFKC is Unicode Standard Annex 15, folding the Unicode Standard's section 3.13, A-labels RFC 5890).
 */
import { domainToUnicode } from "node:url";

/** Capital letters, and everything that only the long way handles. */
const needsFolding = /[^\0-@[-\x7f]/;
/** The full stops that RFC 3490 section 3.1 reads as a dot and NFKC leaves alone. */
const ideographicStop = /\u3002/g;

/**
 * Brings a text to the form in which all comparing is done. Idempotent.
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

/** Decodes one label; one that is no valid A-label stays as it is. */
function decodeLabel(label: string): string {
  return label.startsWith("xn--") ? domainToUnicode(label) || label : label;
}

/**
 * Full case folding by way of the upper case, letter by letter because lower-casing a word would look at its
 * context (final sigma). The dotless i folds to itself, which its upper case would not.
 */
function foldCase(text: string): string {
  let folded = "";
  for (const c of text) folded += c === "ı" ? c : c.toUpperCase().toLowerCase();
  return folded;
}
