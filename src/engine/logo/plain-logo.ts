/** Reports queried logos that no score can tell from others: discs, tiles, letters, text, and pictures of one color. `chosen` */

import type { Diagnostic } from "../../core/diagnostic.ts";
import { note } from "../../errors.ts";
import type { DenseCalibration } from "./dense/detector.ts";
import { isPlainLogo, textValue } from "./dense/detector.ts";

const advice = "search for its word mark, or for the symbol together with the name, instead.";

/** The remarks about a described picture: that a queried logo has one color. */
export function solidLogoNotes({
  role,
  solid,
}: {
  readonly role: "query" | "scan";
  readonly solid: boolean;
}): readonly Diagnostic[] {
  if (role !== "query" || !solid) return [];
  return [noteOf("The logo has one color, so it equals every picture of that color")];
}

/** Value in the pictures of common things from which a logo is one of them. */
const commonValue = 0.7;

/**
 * Best value in pictures of text from which a mark is letters. The rates of the note are those of 29 marks of one to three
 * letters, in fonts that are not in the atlas, with pages of running text in such fonts (docs/logos.md).
 */
const letterValue = 0.7;

/** The remarks about a compiled logo, by what it reaches in pictures of common things and of text. */
export function compiledLogoNotes(calibration: DenseCalibration): readonly Diagnostic[] {
  const common = calibration.full;
  if (isPlainLogo(calibration) || common >= commonValue) {
    const share = Math.max(common, calibration.silhouette).toFixed(2);
    return [
      noteOf(
        `The logo is a plain shape (${share} of 1 similar to a common disc, tile, letter or symbol), so it cannot be distinguished from others of that shape`,
      ),
    ];
  }
  const letters = textValue(calibration);
  if (letters < letterValue) return [];
  return [
    note(
      "plainLogo",
      `The logo is like letters of running text (${letters.toFixed(2)} of 1), so it is found only where it is nearly the same: 29 such marks reached a score of 0.85 on 0.2 % of pages of text without them, on 3 % of pages with them as a word, and where they were placed on 74 % of pages; search for the symbol, or for the symbol together with the name, instead.`,
    ),
  ];
}

function noteOf(fault: string): Diagnostic {
  return note("plainLogo", `${fault}; ${advice}`);
}
