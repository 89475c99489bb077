/**
 * Reads text to draw: that of the Images binding and of the array `draw`. Members and limits are `observed`, from the
 * provider's documentation and types; lines and their height are chosen.
 */
import { isJsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { counted, problem, quote } from "../../../errors.ts";
import { type Color, color } from "../transform/color.ts";
import { number, type ValueKind } from "../transform/values.ts";
import { fontName } from "./font.ts";
import { layOut, type TextPicture } from "./lay-out.ts";

/** How text is drawn. */
export interface TextOptions {
  /** The font of the provider; text is drawn with a font of this package instead. */
  readonly font: {
    /** Address of a TTF, OTF, WOFF or WOFF2 file. */
    readonly url: string;
  };
  /** Height of the font, in pixels, up to 4096. Default 12. */
  readonly size?: number;
  /** A color of CSS. Default black. */
  readonly color?: string;
}

/** Text that was read: its picture, and what has another effect than it says. */
export interface ReadText {
  readonly picture: TextPicture;
  /** Sentences without a stop. */
  readonly warnings: readonly string[];
}

/** Maximum number of characters (`observed`). */
const maxCharacters = 1_000;
/** Maximum side of the picture of a text, in pixels (`observed`). */
const maxSide = 4_096;
const defaultSize = 12;
const black: Color = { r: 0, g: 0, b: 0, alpha: 1 };

const size: ValueKind<number> = {
  ...number(0, maxSide),
  allowed: `a number above 0, up to ${maxSide}`,
  read: (value) => (value === 0 ? undefined : number(0, maxSide).read(value)),
};

/** The names of the options. */
export const textOptionNames: readonly string[] = ["font", "size", "color"] satisfies (keyof TextOptions)[];

/** Reads a text and its options; members that are null count as absent. Problems have code 9401, or 9413 for its picture's size. */
export function readText(content: unknown, options: unknown): Result<ReadText> {
  const invalid = (message: string) => failure(problem(9401, message));
  if (typeof content !== "string" || content === "" || lengthOf(content) > maxCharacters) {
    const found = typeof content === "string" ? counted(lengthOf(content), "character") : quote(content);
    return invalid(`The text must be a string of 1 to ${maxCharacters} characters; found ${found}.`);
  }
  if (!isJsonObject(options))
    return invalid(`The options of a text must be an object; found ${quote(options)}.`);
  const url = isJsonObject(options["font"]) ? options["font"]["url"] : undefined;
  if (!isWebAddress(url))
    return invalid(
      `\`font\` of a text must be \`{ url }\` with an http or https URL; found ${quote(options["font"])}.`,
    );
  const given = { size: options["size"] ?? defaultSize, color: options["color"] ?? undefined };
  const height = size.read(given.size);
  if (height === undefined)
    return invalid(`\`size\` of a text must be ${size.allowed}; found ${quote(given.size)}.`);
  const fill = given.color === undefined ? black : color.read(given.color);
  if (!fill) return invalid(`\`color\` of a text must be ${color.allowed}; found ${quote(given.color)}.`);
  const picture = layOut(content, height, fill);
  if (Math.max(picture.width, picture.height) > maxSide) {
    const found = `${picture.width} x ${picture.height}`;
    return failure(problem(9413, `A text must have at most ${maxSide} pixels on each side; found ${found}.`));
  }
  return success({ picture, warnings: warningsOf(picture) });
}

function isWebAddress(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Maximum number of characters that a warning names: it becomes a header (chosen). */
const maxNamed = 8;

function warningsOf({ missing }: TextPicture): string[] {
  const warnings = [`font is not fetched; the text is drawn in ${fontName}`];
  if (missing.length === 0) return warnings;
  const named = missing
    .slice(0, maxNamed)
    .map((code) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`)
    .join(", ");
  const rest = missing.length > maxNamed ? " and others" : "";
  return [...warnings, `${fontName} lacks ${named}${rest}, drawn as boxes`];
}
