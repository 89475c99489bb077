/**
 * The kernels of decoding pictures: averages of rows of pixels, and opaque colors.
 *
 * Compiled by `npm run build:wasm`; the caller provides the memory. `src/engine/logo/decode` and
 * `dense/kernels/resample-rows.ts` do the same in TypeScript, with the same operations in the same order.
 */

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
 * Averages a row of pixels with alpha to `cells` cells of four 32-bit floats. Cell i has the pixels from `first[i]` on with the
 * weights, 32-bit floats, from `start[i]` to before `start[i + 1]`. Colors are multiplied by alpha.
 */
export function averageRow(
  pixels: usize,
  first: usize,
  start: usize,
  weights: usize,
  cells: i32,
  to: usize,
): void {
  let weight = weights + (<usize>load<u32>(start) << 2);
  for (let i = 0; i < cells; i++, first += 4, to += 16) {
    start += 4;
    const end = weights + (<usize>load<u32>(start) << 2);
    let redGreen = f64x2.splat(0);
    let blueAlpha = f64x2.splat(0);
    for (let at = pixels + (<usize>load<u32>(first) << 2); weight < end; weight += 4, at += 4) {
      const words = wordsAt(at);
      const share = f64x2.splat(<f64>load<f32>(weight) * <f64>load<u8>(at, 3));
      redGreen = f64x2.add(redGreen, f64x2.mul(share, f64x2.convert_low_i32x4_u(words)));
      blueAlpha = f64x2.add(blueAlpha, f64x2.mul(share, f64x2.replace_lane(high(words), 1, 1)));
    }
    v128.store64_lane(to, f32x4.demote_f64x2_zero(redGreen), 0);
    v128.store64_lane(to, f32x4.demote_f64x2_zero(blueAlpha), 0, 8);
  }
}

/**
 * Averages a row of pixels of four 32-bit floats to `cells` cells of the same. Cell i has the pixels from `first[i]` on with the
 * weights, 64-bit floats, from `start[i]` to before `start[i + 1]`.
 */
export function averageFloats(
  row: usize,
  first: usize,
  start: usize,
  weights: usize,
  cells: i32,
  to: usize,
): void {
  let weight = weights + (<usize>load<u32>(start) << 3);
  for (let i = 0; i < cells; i++, first += 4, to += 16) {
    start += 4;
    const end = weights + (<usize>load<u32>(start) << 3);
    let redGreen = f64x2.splat(0);
    let blueAlpha = f64x2.splat(0);
    for (let at = row + (<usize>load<u32>(first) << 4); weight < end; weight += 8, at += 16) {
      const share = v128.load64_splat(weight);
      redGreen = f64x2.add(redGreen, f64x2.mul(share, f64x2.promote_low_f32x4(v128.load64_zero(at))));
      blueAlpha = f64x2.add(blueAlpha, f64x2.mul(share, f64x2.promote_low_f32x4(v128.load64_zero(at, 8))));
    }
    v128.store64_lane(to, f32x4.demote_f64x2_zero(redGreen), 0);
    v128.store64_lane(to, f32x4.demote_f64x2_zero(blueAlpha), 0, 8);
  }
}

/** Writes `count` sums of 64 bits, an even number, as 32-bit floats. */
export function writeFloats(sums: usize, count: i32, to: usize): void {
  for (const end = to + (<usize>count << 2); to < end; to += 8, sums += 16)
    v128.store64_lane(to, f32x4.demote_f64x2_zero(v128.load(sums)), 0);
}

/** Adds `cells` times four 32-bit floats, each times `weight`, to sums of 64 bits. */
export function addRow(sums: usize, row: usize, weight: f64, cells: i32): void {
  const share = f64x2.splat(weight);
  for (const end = row + (<usize>cells << 4); row < end; row += 8, sums += 16) {
    const values = f64x2.promote_low_f32x4(v128.load64_zero(row));
    v128.store(sums, f64x2.add(v128.load(sums), f64x2.mul(share, values)));
  }
}

/** Writes `cells` pixels of sums, whose colors are multiplied by alpha; 0 where the alpha is. */
export function writeRow(sums: usize, cells: i32, to: usize): void {
  for (const end = to + (<usize>cells << 2); to < end; to += 4, sums += 32) {
    const blueAlpha = v128.load(sums, 16);
    const alpha = f64x2.extract_lane(blueAlpha, 1);
    if (!(alpha > 0)) {
      store<u32>(to, 0);
      continue;
    }
    const by = f64x2.splat(alpha);
    const redGreen = f64x2.div(v128.load(sums), by);
    store<u8>(to, <u8>rounded(f64x2.extract_lane(redGreen, 0)));
    store<u8>(to, <u8>rounded(f64x2.extract_lane(redGreen, 1)), 1);
    store<u8>(to, <u8>rounded(f64x2.extract_lane(blueAlpha, 0) / alpha), 2);
    store<u8>(to, <u8>rounded(alpha), 3);
  }
}

/** The nearest integer of a number from 0 to 255, and the larger one between two. */
// @ts-ignore: decorator
@inline
function rounded(value: f64): i32 {
  const below = <i32>value;
  return value - <f64>below >= 0.5 ? below + 1 : below;
}

/** Writes the colors of `count` opaque pixels of four bytes; returns 0 when one of them is not opaque. May write 4 bytes more. */
export function opaqueColors(from: usize, count: i32, to: usize): i32 {
  let all = i8x16.splat(-1);
  const fast = from + (<usize>(count & ~3) << 2);
  const end = from + (<usize>count << 2);
  for (; from < fast; from += 16, to += 12) {
    const pixels = v128.load(from);
    all = v128.and(all, pixels);
    v128.store(to, v128.swizzle(pixels, i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 16, 16, 16)));
  }
  for (; from < end; from += 4, to += 3) {
    const pixel = load<u32>(from);
    all = v128.and(all, i32x4.splat(pixel));
    store<u16>(to, <u16>pixel);
    store<u8>(to, <u8>(pixel >> 16), 2);
  }
  const opaque = i32x4.splat(0xff000000);
  return i32x4.all_true(i32x4.eq(v128.and(all, opaque), opaque)) ? 1 : 0;
}

/**
 * Writes `count` pixels of three bytes at half the size: the means of 2 x 2 pixels of two rows, rounded. May read 8 bytes more
 * of each row, and write 2 more.
 */
export function halveColors(upper: usize, lower: usize, count: i32, to: usize): void {
  const two = i16x8.splat(2);
  const fast = to + <usize>(count & ~1) * 3;
  const end = to + <usize>count * 3;
  for (; to < fast; to += 6, upper += 12, lower += 12) {
    const a = v128.load(upper);
    const b = v128.load(lower);
    const low = i16x8.add(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b));
    const up = i16x8.add(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b));
    const left = v128.shuffle<u16>(low, up, 0, 1, 2, 6, 7, 8, 0, 0);
    const right = v128.shuffle<u16>(low, up, 3, 4, 5, 9, 10, 11, 0, 0);
    const means = i16x8.shr_u(i16x8.add(i16x8.add(left, right), two), 2);
    v128.store64_lane(to, i8x16.narrow_i16x8_u(means, means), 0);
  }
  for (; to < end; to += 3, upper += 6, lower += 6) {
    for (let channel: usize = 0; channel < 3; channel++) {
      const sum =
        <u32>load<u8>(upper + channel) +
        <u32>load<u8>(upper + channel, 3) +
        <u32>load<u8>(lower + channel) +
        <u32>load<u8>(lower + channel, 3);
      store<u8>(to + channel, <u8>((sum + 2) >> 2));
    }
  }
}
