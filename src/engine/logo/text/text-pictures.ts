/**
 * Pictures of running text, letters that stand alone and words in the faces of the atlas, and of interface icons, dark on
 * light and light on dark. A queried logo is searched in them, and what it reaches there counts less everywhere.
 */

import type { Raster } from "../decode/picture.ts";
import { type Face, type Glyph, glyphFaces, iconFaces, isCapitals, isLatin } from "./glyph-atlas.ts";
import { emptySheet, rasterOf, setApart, setWord } from "./set-text.ts";

/** Common words with most of the common pairs of letters; the pictures have different ones of them. */
const words =
  "the and for you name home more email password sign in welcome menu number member help about search free from have your what when which there over only people first would make like back know year well even want because give find here thing page line study book job word business kind head house power hour game often up to by we do go us on it is me my no so as of or Log Max Mix Box Fax Tax Visa Exit View Join King Quiz Zone Java Ultra Video Year About Bank Cloud Drive Market Online Kitchen".split(
    " ",
  );
/** Words of a picture that may have room. */
const wordsOfPicture = 15;
/** Sizes of letters as multiples of the atlas. Small letters are smaller than capitals of the same size. */
const scales = { capital: 1.4, small: 1.8, other: 1.3, icon: 1.25 } as const;
/** Icons of a picture. */
const iconsOfPicture = 120;

const isSmall = ({ code }: Glyph) => code >= 0x61 && code <= 0x7a;

/** Faces of a picture of bold and black capitals. */
const capitalFaces = 3;

/** The faces of each picture: two with Latin letters, those of other alphabets, or three of capitals. */
function sheetFaces(): readonly (readonly Face[])[] {
  const latin = glyphFaces().filter(isLatin);
  const capitals = glyphFaces().filter(isCapitals);
  const others = glyphFaces().filter((face) => !isLatin(face) && !isCapitals(face));
  const pairs = Array.from({ length: latin.length >> 1 }, (_, i) => latin.slice(2 * i, 2 * i + 2));
  const bold = Array.from({ length: capitals.length / capitalFaces }, (_, i) =>
    capitals.slice(capitalFaces * i, capitalFaces * (i + 1)),
  );
  return [...pairs, others.slice(0, -1), others.slice(-1), ...bold];
}

/** Draws each of the pictures; always the same. */
export function textDrawings(): readonly (() => Raster)[] {
  return [...sheetFaces().map((faces, i) => () => drawPicture(faces, i)), ...iconDrawings()];
}

function iconDrawings(): readonly (() => Raster)[] {
  const sheets = iconFaces().flatMap((face) => {
    const icons = [...face.values()];
    const count = Math.ceil(icons.length / iconsOfPicture);
    return Array.from({ length: count }, (_, n) => icons.filter((_icon, i) => i % count === n));
  });
  return sheets.map((icons, i) => () => {
    const sheet = emptySheet();
    setApart(sheet, icons, scales.icon);
    return rasterOf(sheet, i % 2 === 1);
  });
}

function drawPicture(faces: readonly Face[], index: number): Raster {
  const sheet = emptySheet();
  const [first, second] = faces;
  if (first && second && isLatin(first)) {
    setApart(
      sheet,
      [...first.values()].filter((glyph) => !isSmall(glyph)),
      scales.capital,
    );
    setApart(sheet, [...second.values()].filter(isSmall), scales.small);
    for (let n = 0; n < wordsOfPicture; n++)
      setWord(sheet, first, words[(index * wordsOfPicture + n) % words.length] ?? "", scales.capital);
  } else {
    const scale = first && isCapitals(first) ? scales.capital : scales.other;
    for (const face of faces) setApart(sheet, face.values(), scale);
  }
  return rasterOf(sheet, index % 3 === 2);
}
