/** Gravity: the part of an image that a crop keeps, a side, a point or what a search finds (`observed`). */
import { isJsonObject } from "../../../core/json-value.ts";
import { decimal, type ValueKind } from "./values.ts";

/** How a point becomes a position: relative to what is left over, or to the middle of the box (`observed`). */
export const pointModes = ["remainder", "box-center"] as const;

/** A point, from 0 (left, top) to 1 (right, bottom). */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly mode: (typeof pointModes)[number];
}

/** The point of each side (`observed`). */
const sides = {
  left: { x: 0, y: 0.5 },
  right: { x: 1, y: 0.5 },
  top: { x: 0.5, y: 0 },
  bottom: { x: 0.5, y: 1 },
  center: { x: 0.5, y: 0.5 },
} as const;

/** Searches for the part to keep; `face` is not simulated. */
const searches = ["auto", "entropy", "face"] as const;

/** A point or a search. */
export type Gravity = Point | (typeof searches)[number];

function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function readWord(text: string): Gravity | undefined {
  if (Object.hasOwn(sides, text)) return { ...sides[text as keyof typeof sides], mode: "remainder" };
  return searches.find((word) => word === text);
}

function readPoint(value: unknown): Point | undefined {
  if (!isJsonObject(value)) return undefined;
  const { x = 0.5, y = 0.5, mode = "remainder" } = value;
  const found = pointModes.find((known) => known === mode);
  return isShare(x) && isShare(y) && found !== undefined ? { x, y, mode: found } : undefined;
}

function readText(text: string): Gravity | undefined {
  const [x, y, ...more] = text.split("x").map(decimal);
  if (isShare(x) && isShare(y) && more.length === 0) return { x, y, mode: "remainder" };
  return readWord(text);
}

/** A side, a point or a search. */
export const gravity: ValueKind<Gravity> = {
  allowed: `one of ${[...Object.keys(sides), ...searches].join(", ")}, or a point \`XxY\` of numbers from 0 to 1`,
  read: (value) => (typeof value === "string" ? readText(value) : readPoint(value)),
  readText,
};
