/** Reports queried logos that no score can tell from others: discs, tiles, letters, and pictures of one color. `chosen` */

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

function noteOf(fault: string): Diagnostic {
  return note("plainLogo", `${fault}; ${advice}`);
}
