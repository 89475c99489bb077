/** Reports queried logos that no score can tell from others: discs, tiles, letters, text, and pictures of one color. `chosen` */

import type { Diagnostic } from "../../core/diagnostic.ts";
import { note } from "../../errors.ts";
import { plainShapeFloor } from "./tuning.ts";

/** The members of a descriptor that decide. */
interface DescribedLogo {
  readonly role: "query" | "scan";
  /** Whether the picture has no foreground. */
  readonly solid: boolean;
  /** The trimmed picture first; 0 to 1. */
  readonly views: readonly { readonly commonShapeSimilarity: number }[];
}

const advice = "search for its word mark, or for the symbol together with the name, instead.";

/**
 * The remarks about a queried logo; none for a distinctive logo and for a scan.
 *
 * A logo is plain when its trimmed picture is so similar to a common shape that every match of it costs score.
 */
export function plainLogoNotes({ role, solid, views }: DescribedLogo): readonly Diagnostic[] {
  if (role !== "query") return [];
  if (solid) return [noteOf("The logo has one color, so it equals every picture of that color")];
  const similarity = views[0]?.commonShapeSimilarity ?? 0;
  if (similarity <= plainShapeFloor) return [];
  const share = similarity.toFixed(2);
  return [
    noteOf(
      `The logo is a plain shape (${share} of 1 similar to a common disc, tile, letter or symbol), so it cannot be distinguished from others of that shape`,
    ),
  ];
}

/**
 * Best value in pictures of text from which a mark is letters. The rates of the note are those of 29 marks of one to three
 * letters, in fonts that are not in the atlas, with pages of running text in such fonts (docs/logos.md).
 */
const letterValue = 0.7;

/** The remark about a mark that is letters as in running text, by its best value in pictures of text. */
export function letterLogoNotes(textValue: number): readonly Diagnostic[] {
  if (textValue < letterValue) return [];
  return [
    note(
      "plainLogo",
      `The logo is like letters of running text (${textValue.toFixed(2)} of 1), so it is found only where it is nearly the same: 29 such marks reached a score of 0.85 on 0.2 % of pages of text without them, on 3 % of pages with them as a word, and where they were placed on 74 % of pages; search for the symbol, or for the symbol together with the name, instead.`,
    ),
  ];
}

function noteOf(fault: string): Diagnostic {
  return note("plainLogo", `${fault}; ${advice}`);
}
