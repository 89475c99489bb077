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

/**
 * Replaces the values of `rows` rows of `width` bytes, `stride` apart, by 1 above `level` and 0 up to it, and counts the
 * former: those of each row in a word at `rowCounts`, those of each column in the words at `columns`, to which they are added.
 * `tally` has `width` bytes, all 0 before and after.
 */
export function threshold(
  at: usize,
  stride: i32,
  width: i32,
  rows: i32,
  level: i32,
  rowCounts: usize,
  columns: usize,
  tally: usize,
): void {
  const limit = i8x16.splat(<i8>level);
  const one = i8x16.splat(1);
  const fast: usize = <usize>width & ~15;
  for (let y = 0, left = 255; y < rows; y++, at += stride, rowCounts += 4) {
    let count = 0;
    for (let x: usize = 0; x < fast; x += 16) {
      const above = i8x16.gt_u(v128.load(at + x), limit);
      const bits = v128.and(above, one);
      v128.store(at + x, bits);
      v128.store(tally + x, i8x16.add(v128.load(tally + x), bits));
      count += popcnt<i32>(i8x16.bitmask(above));
    }
    for (let x = fast; x < <usize>width; x++) {
      const bit: i32 = <i32>load<u8>(at + x) > level ? 1 : 0;
      store<u8>(at + x, <u8>bit);
      store<u8>(tally + x, <u8>(<i32>load<u8>(tally + x) + bit));
      count += bit;
    }
    store<u32>(rowCounts, count);
    if (--left > 0 && y + 1 < rows) continue;
    left = 255;
    for (let x: usize = 0; x < <usize>width; x++) {
      const word = columns + (x << 2);
      store<u32>(word, load<u32>(word) + <u32>load<u8>(tally + x));
      store<u8>(tally + x, 0);
    }
  }
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
 * `measure` for a row of pixels from (`x`, `y`) on and a plane of color: for red, green, blue and nothing four 64-bit floats each
 * of levels, slopes along x and slopes along y.
 */
export function measureSloped(
  from: usize,
  count: i32,
  x: f64,
  y: f64,
  plane: usize,
  floor: i32,
  to: usize,
  histogram: usize,
): void {
  const level = v128.load(plane);
  const levelBlue = v128.load(plane, 16);
  const slope = v128.load(plane, 32);
  const slopeBlue = v128.load(plane, 48);
  const down = f64x2.mul(v128.load(plane, 64), f64x2.splat(y));
  const downBlue = f64x2.mul(v128.load(plane, 80), f64x2.splat(y));
  for (const end = to + <usize>count; to < end; to++, from += 3, x += 1) {
    const words = wordsAt(from);
    const at = f64x2.splat(x);
    const redGreen = f64x2.abs(
      f64x2.sub(f64x2.convert_low_i32x4_u(words), f64x2.add(f64x2.add(level, f64x2.mul(slope, at)), down)),
    );
    const blue = f64x2.abs(
      f64x2.sub(high(words), f64x2.add(f64x2.add(levelBlue, f64x2.mul(slopeBlue, at)), downBlue)),
    );
    const largest = max(
      max(f64x2.extract_lane(redGreen, 0), f64x2.extract_lane(redGreen, 1)),
      f64x2.extract_lane(blue, 0),
    );
    const value = <i32>min(255.0, largest);
    store<u8>(to, <u8>(value > floor ? value : 0));
    if (value > floor) countIn(histogram, value);
  }
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

/**
 * Resamples rows `firstRow` to before `lastRow` of pixels of three bytes, `stride` apart and the first of them at `pixels`, to
 * `cells` x `cells` colors of 32-bit floats at `to`. Both filters have for each cell its first source pixel, its number of
 * weights (words), and room for `size` weights (32-bit floats). `row` is room for a row of cells. May read a byte more.
 */
export function resampleColors(
  pixels: usize,
  stride: i32,
  firstRow: i32,
  lastRow: i32,
  across: usize,
  acrossSize: i32,
  down: usize,
  downSize: i32,
  cells: i32,
  row: usize,
  to: usize,
): void {
  const words = <usize>cells << 2;
  const rowBytes = 3 * words;
  memory.fill(to, 0, rowBytes * <usize>cells);
  const downUsed = down + words;
  const downWeights = downUsed + words;
  let first: usize = 0;
  for (let y = firstRow; y < lastRow; y++, pixels += stride) {
    averageColors(pixels, across, acrossSize, cells, row);
    while (first < words && load<i32>(down + first) + load<i32>(downUsed + first) <= y) first += 4;
    for (let j = first; j < words; j += 4) {
      const k = y - load<i32>(down + j);
      if (k < 0) break;
      if (k >= load<i32>(downUsed + j)) continue;
      const weight = load<f32>(downWeights + j * downSize + (<usize>k << 2));
      addFloats(to + 3 * j * <usize>cells, row, <f64>weight, rowBytes);
    }
  }
}

/** Averages a row of pixels to cells of three 32-bit floats. */
// @ts-ignore: decorator
@inline
function averageColors(pixels: usize, filter: usize, size: i32, cells: i32, to: usize): void {
  const words = <usize>cells << 2;
  let weights = filter + 2 * words;
  for (const end = filter + words; filter < end; filter += 4, weights += size << 2, to += 12) {
    let redGreen = f64x2.splat(0);
    let blue = f64x2.splat(0);
    let weight = weights;
    let at = pixels + <usize>load<i32>(filter) * 3;
    for (const last = weight + (<usize>load<i32>(filter + words) << 2); weight < last; weight += 4, at += 3) {
      const share = f64x2.splat(<f64>load<f32>(weight));
      const color = wordsAt(at);
      redGreen = f64x2.add(redGreen, f64x2.mul(share, f64x2.convert_low_i32x4_u(color)));
      blue = f64x2.add(blue, f64x2.mul(share, high(color)));
    }
    v128.store64_lane(to, f32x4.demote_f64x2_zero(redGreen), 0);
    store<f32>(to, <f32>f64x2.extract_lane(blue, 0), 8);
  }
}

/** Adds `bytes` of 32-bit floats, each times `weight`, to others; computed with 64 bits. */
// @ts-ignore: decorator
@inline
function addFloats(sums: usize, row: usize, weight: f64, bytes: usize): void {
  const share = f64x2.splat(weight);
  for (const end = sums + bytes; sums < end; sums += 8, row += 8) {
    const values = f64x2.mul(share, f64x2.promote_low_f32x4(v128.load64_zero(row)));
    const sum = f64x2.add(f64x2.promote_low_f32x4(v128.load64_zero(sums)), values);
    v128.store64_lane(sums, f32x4.demote_f64x2_zero(sum), 0);
  }
}

/**
 * For each of `count` shapes, `stride` bytes apart: the product of its histogram of 576 bytes and that of the view, a word at
 * `to`; -1 where the hashes of 32 bytes before the histograms differ by more than `max` bits.
 */
export function nearShapes(view: usize, shapes: usize, stride: i32, count: i32, max: i32, to: usize): void {
  for (let n = 0; n < count; n++, shapes += stride, to += 4) {
    let bits: u64 = 0;
    for (let i: usize = 0; i < 32; i += 8) bits += popcnt(load<u64>(view + i) ^ load<u64>(shapes + i));
    if (<i32>bits > max) {
      store<i32>(to, -1);
      continue;
    }
    let sum = i32x4.splat(0);
    for (let i: usize = 32; i < 608; i += 16) {
      const a = v128.load(view + i);
      const b = v128.load(shapes + i);
      sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_low_i8x16_u(a, b)));
      sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_high_i8x16_u(a, b)));
    }
    store<i32>(
      to,
      i32x4.extract_lane(sum, 0) +
        i32x4.extract_lane(sum, 1) +
        i32x4.extract_lane(sum, 2) +
        i32x4.extract_lane(sum, 3),
    );
  }
}

/** Bytes of a pixel of a ring: x, y, red, green and blue, a 64-bit float each. */
const ringBytes: usize = 40;

/**
 * Writes for each of `count` pixels of a ring, as a 64-bit float, the largest channel distance from a plane, which has for red,
 * green, blue and nothing four 64-bit floats each of levels, slopes along x and slopes along y.
 */
export function ringDeviations(ring: usize, count: i32, plane: usize, to: usize): void {
  for (const end = ring + <usize>count * ringBytes; ring < end; ring += ringBytes, to += 8)
    store<f64>(to, deviation(ring, plane));
}

// @ts-ignore: decorator
@inline
function deviation(ring: usize, plane: usize): f64 {
  const x = v128.load64_splat(ring);
  const y = v128.load64_splat(ring, 8);
  const redGreen = f64x2.add(
    f64x2.add(v128.load(plane), f64x2.mul(v128.load(plane, 32), x)),
    f64x2.mul(v128.load(plane, 64), y),
  );
  const blue = load<f64>(plane, 16) + load<f64>(plane, 48) * load<f64>(ring) + load<f64>(plane, 80) * load<f64>(ring, 8);
  const distance = f64x2.abs(f64x2.sub(v128.load(ring, 16), redGreen));
  return max(
    max(f64x2.extract_lane(distance, 0), f64x2.extract_lane(distance, 1)),
    Math.abs(load<f64>(ring, 32) - blue),
  );
}

/** Marks which of `count` deviations are at most `limit`, a byte each; returns their number. */
export function acceptDeviations(deviations: usize, count: i32, limit: f64, accepted: usize): i32 {
  let n = 0;
  for (const end = accepted + <usize>count; accepted < end; accepted++, deviations += 8) {
    const fits = i32(load<f64>(deviations) <= limit);
    store<u8>(accepted, <u8>fits);
    n += fits;
  }
  return n;
}

/** Marks which of `count` pixels of a ring are at most `limit` from a plane; returns their number. */
export function acceptRing(ring: usize, count: i32, plane: usize, limit: f64, accepted: usize): i32 {
  let n = 0;
  for (const end = accepted + <usize>count; accepted < end; accepted++, ring += ringBytes) {
    const fits = i32(deviation(ring, plane) <= limit);
    store<u8>(accepted, <u8>fits);
    n += fits;
  }
  return n;
}

/** Sums the accepted pixels of a ring: stores their number, x, y, red, green and blue, a 64-bit float each. */
export function sumRing(ring: usize, count: i32, accepted: usize, to: usize): void {
  let n: f64 = 0;
  let position = f64x2.splat(0);
  let redGreen = f64x2.splat(0);
  let blue: f64 = 0;
  for (const end = accepted + <usize>count; accepted < end; accepted++, ring += ringBytes) {
    if (!load<u8>(accepted)) continue;
    n += 1;
    position = f64x2.add(position, v128.load(ring));
    redGreen = f64x2.add(redGreen, v128.load(ring, 16));
    blue += load<f64>(ring, 32);
  }
  store<f64>(to, n);
  v128.store(to, position, 8);
  v128.store(to, redGreen, 24);
  store<f64>(to, blue, 40);
}

/**
 * Sums the products of the accepted pixels of a ring about `means` of x, y, red, green and blue. Stores xx, xy, yy; x times
 * red, green and blue; and y times the same, a 64-bit float each.
 */
export function momentsOfRing(ring: usize, count: i32, accepted: usize, means: usize, to: usize): void {
  const meanPosition = v128.load(means);
  const meanRedGreen = v128.load(means, 16);
  const meanBlue = load<f64>(means, 32);
  let squares = f64x2.splat(0);
  let xy: f64 = 0;
  let acrossRedGreen = f64x2.splat(0);
  let downRedGreen = f64x2.splat(0);
  let acrossBlue: f64 = 0;
  let downBlue: f64 = 0;
  for (const end = accepted + <usize>count; accepted < end; accepted++, ring += ringBytes) {
    if (!load<u8>(accepted)) continue;
    const position = f64x2.sub(v128.load(ring), meanPosition);
    const x = f64x2.extract_lane(position, 0);
    const y = f64x2.extract_lane(position, 1);
    const redGreen = f64x2.sub(v128.load(ring, 16), meanRedGreen);
    const blue = load<f64>(ring, 32) - meanBlue;
    squares = f64x2.add(squares, f64x2.mul(position, position));
    xy += x * y;
    acrossRedGreen = f64x2.add(acrossRedGreen, f64x2.mul(f64x2.splat(x), redGreen));
    downRedGreen = f64x2.add(downRedGreen, f64x2.mul(f64x2.splat(y), redGreen));
    acrossBlue += x * blue;
    downBlue += y * blue;
  }
  store<f64>(to, f64x2.extract_lane(squares, 0));
  store<f64>(to, xy, 8);
  store<f64>(to, f64x2.extract_lane(squares, 1), 16);
  v128.store(to, acrossRedGreen, 24);
  store<f64>(to, acrossBlue, 40);
  v128.store(to, downRedGreen, 48);
  store<f64>(to, downBlue, 64);
}
