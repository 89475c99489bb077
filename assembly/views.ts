/**
 * The kernels of describing pictures: rotation, and distances from a background.
 *
 * Compiled by `npm run build:wasm`; the caller provides the memory. `rotate.ts` and
 * `foreground.ts` in `src/engine/logo/regions` do the same in TypeScript, with the same operations in the same order.
 * Pixels have three bytes: red, green, blue.
 */

/**
 * Writes `count` pixels of a rotated row. Pixel i is the mean of the four pixels around (across[i] + x + offsetX,
 * acrossY[i] + y + offsetY), all of which the picture has; `across` and `acrossY` are 64-bit floats.
 */
export function rotateRow(
  picture: usize,
  stride: i32,
  across: usize,
  acrossY: usize,
  x: f64,
  y: f64,
  offsetX: f64,
  offsetY: f64,
  count: i32,
  to: usize,
): void {
  const half = f64x2.splat(0.5);
  for (const end = to + <usize>count * 3; to < end; to += 3) {
    const fromX = load<f64>(across) + x + offsetX;
    const fromY = load<f64>(acrossY) + y + offsetY;
    across += 8;
    acrossY += 8;
    const column = <i32>fromX;
    const row = <i32>fromY;
    const at = picture + row * stride + column * 3;
    // Most pixels of a logo equal their neighbors: the mean of equal values is that value.
    const color = load<u32>(at);
    const others = (color ^ load<u32>(at + 3)) | (color ^ load<u32>(at + stride)) | (color ^ load<u32>(at + stride + 3));
    if ((others & 0xffffff) == 0) {
      store<u16>(to, <u16>color);
      store<u8>(to, <u8>(color >> 16), 2);
      continue;
    }
    const left = <f64>column;
    const top = <f64>row;
    const right = fromX - left;
    const bottom = fromY - top;
    const a = f64x2.splat((1 - fromX + left) * (1 - fromY + top));
    const b = f64x2.splat(right * (1 - fromY + top));
    const c = f64x2.splat((1 - fromX + left) * bottom);
    const d = f64x2.splat(right * bottom);
    const p = wordsAt(at);
    const q = wordsAt(at + 3);
    const r = wordsAt(at + stride);
    const s = wordsAt(at + stride + 3);
    const redGreen = f64x2.add(
      f64x2.add(
        f64x2.add(
          f64x2.add(half, f64x2.mul(a, f64x2.convert_low_i32x4_u(p))),
          f64x2.mul(b, f64x2.convert_low_i32x4_u(q)),
        ),
        f64x2.mul(c, f64x2.convert_low_i32x4_u(r)),
      ),
      f64x2.mul(d, f64x2.convert_low_i32x4_u(s)),
    );
    const blue = f64x2.add(
      f64x2.add(
        f64x2.add(f64x2.add(half, f64x2.mul(a, high(p))), f64x2.mul(b, high(q))),
        f64x2.mul(c, high(r)),
      ),
      f64x2.mul(d, high(s)),
    );
    store<u8>(to, <u8>(<i32>f64x2.extract_lane(redGreen, 0)));
    store<u8>(to, <u8>(<i32>f64x2.extract_lane(redGreen, 1)), 1);
    store<u8>(to, <u8>(<i32>f64x2.extract_lane(blue, 0)), 2);
  }
}

/** Four bytes as words. */
// @ts-ignore: decorator
@inline
function wordsAt(at: usize): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)));
}

// @ts-ignore: decorator
@inline
function high(words: v128): v128 {
  return f64x2.convert_low_i32x4_u(v128.shuffle<u64>(words, words, 1, 0));
}

/**
 * Writes the largest channel distance of `count` pixels from a color, 0 for those up to `floor`, and counts the others
 * in a histogram of 256 words. `color` has two times 48 bytes: for 16 pixels, the level from which a channel's distance
 * grows downward, and the one from which it grows upward.
 */
export function measure(from: usize, count: i32, color: usize, floor: i32, to: usize, histogram: usize): void {
  const low0 = v128.load(color);
  const low1 = v128.load(color, 16);
  const low2 = v128.load(color, 32);
  const high0 = v128.load(color, 48);
  const high1 = v128.load(color, 64);
  const high2 = v128.load(color, 80);
  const least = i8x16.splat(<i8>floor);
  const fast = to + (<usize>count & ~15);
  const end = to + <usize>count;
  for (; to < fast; to += 16) {
    const a = distance(v128.load(from), low0, high0);
    const b = distance(v128.load(from, 16), low1, high1);
    const c = distance(v128.load(from, 32), low2, high2);
    from += 48;
    const ab = v128.shuffle<u8>(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    const red = v128.shuffle<u8>(ab, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
    const bc = v128.shuffle<u8>(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
    const green = v128.shuffle<u8>(bc, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
    const ca = v128.shuffle<u8>(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
    const blue = v128.shuffle<u8>(ca, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
    const largest = i8x16.max_u(i8x16.max_u(red, green), blue);
    const kept = v128.and(largest, i8x16.gt_u(largest, least));
    v128.store(to, kept);
    if (!v128.any_true(kept)) continue;
    for (let i: usize = 0; i < 16; i++) {
      const value = <i32>load<u8>(to + i);
      if (value != 0) countIn(histogram, value);
    }
  }
  for (; to < end; to++) {
    let largest = 0;
    for (let channel: usize = 0; channel < 3; channel++) {
      const value = <i32>load<u8>(from + channel);
      largest = max(largest, <i32>load<u8>(color + channel) - value);
      largest = max(largest, value - <i32>load<u8>(color + channel, 48));
    }
    from += 3;
    store<u8>(to, <u8>(largest > floor ? largest : 0));
    if (largest > floor) countIn(histogram, largest);
  }
}

// @ts-ignore: decorator
@inline
function distance(values: v128, low: v128, up: v128): v128 {
  return v128.or(i8x16.sub_sat_u(low, values), i8x16.sub_sat_u(values, up));
}

// @ts-ignore: decorator
@inline
function countIn(histogram: usize, value: i32): void {
  const at = histogram + (<usize>value << 2);
  store<u32>(at, load<u32>(at) + 1);
}
