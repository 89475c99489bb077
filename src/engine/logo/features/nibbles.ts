/**
 * Features in four bits a value, scaled to the largest value of each feature. Cosines do not depend on the scale, and a
 * descriptor is half as large. Method `chosen`.
 */

/** Largest unsigned value. */
const maxValue = 15;
/** Largest absolute signed value. */
const maxSigned = 7;

/** Values of 0 to 255 as 0 to 15, the largest as 15, two a byte. The length is even. */
export function packBytes(values: Uint8Array): Uint8Array {
  const gain = maxValue / Math.max(1, largestOf(values));
  return packed(values.length, (i) => Math.round((values[i] ?? 0) * gain));
}

/** Values of -128 to 127 as -7 to 7, the largest absolute value as 7, two a byte. The length is even. */
export function packSigned(values: Int8Array): Uint8Array {
  const gain = maxSigned / Math.max(1, largestOf(values));
  return packed(values.length, (i) => Math.round((values[i] ?? 0) * gain) & maxValue);
}

function largestOf(values: Uint8Array | Int8Array): number {
  let max = 0;
  for (let i = 0; i < values.length; i++) max = Math.max(max, Math.abs(values[i] ?? 0));
  return max;
}

function packed(length: number, nibbleAt: (i: number) => number): Uint8Array {
  const bytes = new Uint8Array(length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = nibbleAt(2 * i) | (nibbleAt(2 * i + 1) << 4);
  return bytes;
}

/** The values of 0 to 15 of packed bytes. */
export function unpackBytes(bytes: Uint8Array): Uint8Array {
  const values = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const pair = bytes[i] ?? 0;
    values[2 * i] = pair & maxValue;
    values[2 * i + 1] = pair >> 4;
  }
  return values;
}

/** The values of -7 to 7 of packed bytes. */
export function unpackSigned(bytes: Uint8Array): Int8Array {
  const values = new Int8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const pair = bytes[i] ?? 0;
    values[2 * i] = (pair << 28) >> 28;
    values[2 * i + 1] = (pair << 24) >> 28;
  }
  return values;
}
