/** Recall, false alarms and their intervals over pairs of a logo and a picture. */

/** A rate with its interval. */
export interface Rate {
  readonly hits: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

/** Wilson's score interval at 95 %. */
export function wilson(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, low: Number.NaN, high: Number.NaN };
  const z = 1.959964;
  const share = hits / of;
  const middle = share + (z * z) / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return {
    hits,
    of,
    low: Math.max(0, (middle - spread) / scale),
    high: Math.min(1, (middle + spread) / scale),
  };
}

/** A share in percent with its interval. */
export function percent({ hits, of, low, high }: Rate): string {
  if (of === 0) return "-".padStart(20);
  const value = ((100 * hits) / of).toFixed(1).padStart(5);
  return `${value} (${(100 * low).toFixed(1).padStart(4)} - ${(100 * high).toFixed(1).padStart(5)})`;
}

/** A false-alarm rate with its interval. */
export function exponent({ hits, of, low, high }: Rate): string {
  return `${(hits / of).toExponential(1)} (${low.toExponential(1)} - ${high.toExponential(1)})`;
}
