/** The parts of an image that are cut off before it is resized, and the border that is added after (`observed`). */
import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";
import { type Color, color } from "./color.ts";
import { decimal, type ValueKind } from "./values.ts";

/** Maximum of a length, in pixels (chosen). */
const maxPixels = 12_000;

/** A length: pixels from 1, or a share of the side below 1; 0 is nothing. */
export type Length = number;

/** Lengths to cut off sides, and the width and height to keep, in any combination. */
export type TrimBox = { readonly [Name in (typeof boxNames)[number]]?: Length };

const boxNames = ["top", "right", "bottom", "left", "width", "height"] as const;

/** A border of one color that is searched and cut off. */
export interface TrimBorder {
  /** Its color; that of the pixel at the left top by default. */
  readonly color?: Color;
  /** Maximum difference of a channel, 0 to 255. */
  readonly tolerance: number;
  /** Pixels of the border that stay. */
  readonly keep: number;
}

/** A part of the image to cut off. */
export type Trim = { readonly box: TrimBox } | { readonly border: TrimBorder };

/** Default of `trim.border.tolerance` (chosen). */
const defaultTolerance = 10;

function isLength(value: unknown): value is Length {
  if (typeof value !== "number" || value < 0 || value > maxPixels) return false;
  return value < 1 || Number.isInteger(value);
}

function lengthsOf<const Name extends string>(
  value: JsonObject,
  names: readonly Name[],
): Record<Name, Length> | undefined {
  const lengths = names.map((name) => [name, value[name] ?? 0] as const);
  if (!lengths.every(([, length]) => isLength(length))) return undefined;
  return Object.fromEntries(lengths) as Record<Name, Length>;
}

function hasOnly(value: JsonObject, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

function readTrimBox(value: JsonObject): TrimBox | undefined {
  if (!hasOnly(value, boxNames)) return undefined;
  const given = boxNames.filter((name) => (value[name] ?? undefined) !== undefined);
  const lengths = lengthsOf(value, given);
  return lengths && value["width"] !== 0 && value["height"] !== 0 ? lengths : undefined;
}

function readTrimBorder(value: unknown): TrimBorder | undefined {
  if (value === true) return { tolerance: defaultTolerance, keep: 0 };
  if (!isJsonObject(value) || !hasOnly(value, ["color", "tolerance", "keep"])) return undefined;
  const { tolerance = defaultTolerance, keep = 0 } = value;
  const found = value["color"] === undefined ? undefined : color.read(value["color"]);
  if (value["color"] !== undefined && found === undefined) return undefined;
  if (typeof tolerance !== "number" || !(tolerance >= 0 && tolerance <= 255)) return undefined;
  if (!Number.isInteger(keep) || !isLength(keep)) return undefined;
  return { ...(found && { color: found }), tolerance, keep };
}

function readTrim(value: unknown): Trim | undefined {
  if (value === "border") return { border: { tolerance: defaultTolerance, keep: 0 } };
  if (!isJsonObject(value) || Object.keys(value).length === 0) return undefined;
  const { border: given, ...lengths } = value;
  if (given !== undefined && given !== null && given !== false) {
    const border = Object.keys(lengths).length === 0 ? readTrimBorder(given) : undefined;
    return border && { border };
  }
  const box = readTrimBox(lengths);
  return box && { box };
}

/** Four lengths, a box or `border`. */
export const trim: ValueKind<Trim> = {
  allowed:
    "`top;right;bottom;left`, members `top`, `right`, `bottom`, `left`, `width`, `height`, or `border`; pixels, or shares below 1",
  read: readTrim,
  readText: (text) => {
    if (text === "border") return readTrim(text);
    const [top, right, bottom, left, ...more] = text.split(";").map(decimal);
    if (more.length > 0 || left === undefined) return undefined;
    return readTrim({ top, right, bottom, left });
  },
};

/** A border that is added. */
export interface Border {
  readonly color: Color;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

function readBorder(value: unknown): Border | undefined {
  if (!isJsonObject(value)) return undefined;
  const { color: given = "white", width, ...sides } = value;
  const found = color.read(given);
  const names = ["top", "right", "bottom", "left"] as const;
  const all = width === undefined ? sides : { top: width, right: width, bottom: width, left: width };
  if (!found || (width !== undefined && Object.keys(sides).length > 0) || !hasOnly(all, names))
    return undefined;
  const lengths = lengthsOf(all, names);
  if (!lengths || !Object.values(lengths).every(Number.isInteger)) return undefined;
  return { color: found, ...lengths };
}

/** A color with one width, or one of each side. */
export const border: ValueKind<Border> = {
  allowed: "a color with `width`, or with `top`, `right`, `bottom` and `left`, in pixels",
  read: readBorder,
  readText: () => undefined,
};
