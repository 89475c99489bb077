/** The output formats of `edgeproof brand logo`: a row for each picture and logo that match, best first. */

import type { Diagnostic } from "../../../core/diagnostic.ts";
import type { LogoHit, PixelBox } from "../../../engine/logo/box.ts";
import { formatJson, type Output } from "../../command.ts";
import type { logoFormats } from "../../declarations/brand.ts";
import { printTable } from "../table.ts";
import { csvLine } from "./csv.ts";

/** A logo in a picture. */
export interface LogoMatchRow extends LogoHit {
  /** The picture. */
  readonly file: string;
  /** The name of the brand. */
  readonly brand: string;
  /** The file of the brand's logo that was found. */
  readonly logo: string;
  /** Remarks about that logo. */
  readonly notes: readonly Diagnostic[];
}

/** How the rows are printed. */
interface LogoFormat {
  readonly name: (typeof logoFormats)[number];
  /** Whether rows of a table name the logo, and its brand. */
  readonly shows: { readonly logos: boolean; readonly brands: boolean };
}

/** The text of all matches. */
export function printLogoMatches(
  output: Output,
  rows: readonly LogoMatchRow[],
  { name, shows }: LogoFormat,
): string {
  if (name === "json") return formatJson(rows.map(jsonRow));
  if (name === "csv") return [csvHead, ...rows.map(csvRow)].map(csvLine).join("");
  const columns = ["score", ...(shows.brands ? ["brand"] : []), ...(shows.logos ? ["logo"] : []), "picture"];
  const cells = rows.map(({ score, brand, logo, file }) => [
    score.toFixed(3),
    ...(shows.brands ? [brand] : []),
    ...(shows.logos ? [logo] : []),
    file,
  ]);
  return printTable(output, columns, cells, { unshortened: ["picture"] });
}

function jsonRow({ file, score, brand, logo, kind, box, notes }: LogoMatchRow): object {
  return { file, score, brand, logo, kind, ...(box && { box }), ...(notes.length > 0 && { notes }) };
}

const boxMembers = ["x", "y", "width", "height"] as const satisfies readonly (keyof PixelBox)[];
const csvHead = ["score", "brand", "logo", "picture", "kind", ...boxMembers];

function csvRow({ file, score, brand, logo, kind, box }: LogoMatchRow): readonly string[] {
  return [
    String(score),
    brand,
    logo,
    file,
    kind,
    ...boxMembers.map((member) => (box ? String(box[member]) : "")),
  ];
}
