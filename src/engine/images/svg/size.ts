/** The size that an SVG asks for, in CSS pixels (CSS Images 3, 5.1: width and height, else the view box). */

/** Size of an SVG without one (CSS 2.2, 10.3.2). */
const fallback = { width: 300, height: 150 };
/** Maximum reported side, in pixels (chosen). */
const maxSide = 1_000_000;

/** Pixels of one unit; percentages and font-relative units have no fixed size. */
const units: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  pt: 96 / 72,
  pc: 16,
};

/** Reads the size from the root's attributes, in whole pixels, at least 1. */
export function readSvgSize(attribute: (name: string) => string | undefined): {
  width: number;
  height: number;
} {
  const width = readLength(attribute("width"));
  const height = readLength(attribute("height"));
  const box = readViewBox(attribute("viewBox"));
  if (width !== undefined && height !== undefined) return rounded(width, height);
  if (!box) return rounded(width ?? fallback.width, height ?? fallback.height);
  if (width !== undefined) return rounded(width, (width * box.height) / box.width);
  if (height !== undefined) return rounded((height * box.width) / box.height, height);
  return rounded(box.width, box.height);
}

function readLength(text: string | undefined): number | undefined {
  const [, digits, unit = ""] =
    /^\s*\+?(\d{0,15}\.?\d{1,15}(?:e[+-]?\d{1,3})?)([a-z]*)\s*$/i.exec(text ?? "") ?? [];
  const factor = units[unit.toLowerCase()];
  const length = digits === undefined || factor === undefined ? 0 : Number(digits) * factor;
  return length > 0 ? length : undefined;
}

function readViewBox(text: string | undefined): { width: number; height: number } | undefined {
  const numbers = (text ?? "")
    .trim()
    .split(/[\s,]+/, 5)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  const isValid = numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0;
  return isValid ? { width, height } : undefined;
}

function rounded(width: number, height: number): { width: number; height: number } {
  return { width: roundedSide(width), height: roundedSide(height) };
}

function roundedSide(side: number): number {
  return Math.max(1, Math.min(maxSide, Math.floor(side + 0.5)));
}
