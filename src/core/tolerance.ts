/** The factor of the maximum differences of pictures that look the same. */

/** Maximum factor (chosen): with it, nearly everything looks the same. */
export const maxTolerance = 20;

/** Whether a value is a factor. */
export function isTolerance(value: number): boolean {
  return value >= 0 && value <= maxTolerance;
}
