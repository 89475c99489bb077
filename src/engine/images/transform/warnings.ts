/** Warnings of options: what is not simulated, and what has another effect than its name says. */
import { type TransformOptionName, type TransformOptions, transformOptions } from "./options.ts";
import { maxDensity } from "./steps.ts";

/** Fits that are plain scaling without one of the sides (`observed` for `cover`). */
const needBothSides: ReadonlySet<string> = new Set(["cover", "crop", "aspect-crop", "pad", "squeeze"]);

/** The options without effect, or with another one: sentences without a stop. */
export function warningsOfOptions(options: TransformOptions): readonly string[] {
  const { fit, width, height, gravity, upscale, dpr = 1 } = options;
  const warnings: string[] = [];
  for (const name of Object.keys(options) as TransformOptionName[])
    if (transformOptions[name].fidelity === "none") warnings.push(`${name} is not simulated`);
  if (gravity === "face") warnings.push("gravity=face is not simulated");
  if (upscale === "generate") warnings.push("upscale=generate is not simulated");
  if (dpr > maxDensity) warnings.push("dpr > 3 should never be used");
  const hasOneSide = (width === undefined) !== (height === undefined);
  if (fit && hasOneSide && needBothSides.has(fit))
    warnings.push(`${fit} fit mode needs both width and height`);
  return warnings;
}
