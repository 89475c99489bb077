/**
 * The kernels of dense logo detection: planes, halving, gradient field, responses, sums over templates, correlation,
 * fitted boxes.
 *
 * Compiled by `npm run build:wasm`; the caller provides the memory and its layout
 * (`src/engine/logo/dense/page-layout.ts`). `plain-kernels.ts` and `plain-box.ts` in `src/engine/logo/dense/kernels` do
 * the same in TypeScript, with the same integers and the same order of operations on floats.
 */

/** A block of 16 pixels of one color: this bit, and its color in the lower bytes. */
const uniformBit: u32 = 0x80000000;
/** A block of gray pixels. */
const grayBit: u32 = 0x40000000;

/**
 * Splits rows of pixels of four bytes (red, green, blue, alpha) into three planes, repeats the pixels of both ends of a
 * row, and describes each block of 16 pixels by a word of `colors`, whose rows have one word before the first block.
 * Returns whether all pixels are opaque. Up to 15 pixels after a row are read, and written to the planes.
 */
export function split(
  from: usize,
  width: i32,
  rows: i32,
  red: usize,
  planeBytes: usize,
  stride: usize,
  colors: usize,
): i32 {
  let all = i8x16.splat(-1);
  let last: u32 = 255;
  const full = <usize>(width >> 4);
  const rest = width & 15;
  for (let y = 0; y < rows; y++) {
    let at = from;
    let to = red;
    let word = colors + 4;
    for (const end = to + (full << 4); to < end; to += 16) {
      const a = v128.load(at);
      const b = v128.load(at, 16);
      const c = v128.load(at, 32);
      const d = v128.load(at, 48);
      all = v128.and(all, v128.and(v128.and(a, b), v128.and(c, d)));
      const gray = splitBlock(a, b, c, d, to, planeBytes);
      const pixel = v128.shuffle<u32>(a, a, 0, 0, 0, 0);
      const differs = v128.or(
        v128.or(v128.xor(a, pixel), v128.xor(b, pixel)),
        v128.or(v128.xor(c, pixel), v128.xor(d, pixel)),
      );
      const color = v128.any_true(differs) ? 0 : (load<u32>(at) & 0xffffff) | uniformBit;
      store<u32>(word, color | gray);
      word += 4;
      at += 64;
    }
    if (rest) {
      splitBlock(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48), to, planeBytes);
      for (let i = 0; i < rest; i++) last &= load<u8>(at + (<usize>i << 2), 3);
      store<u32>(word, 0);
      word += 4;
    }
    repeatEnds(red, planeBytes, width);
    repeatBlocks(colors, word);
    from += <usize>width << 2;
    red += stride;
    colors += stride >> 2;
  }
  const opaque = i32x4.all_true(i32x4.eq(v128.or(all, i32x4.splat(0xffffff)), i32x4.splat(-1)));
  return i32(opaque) & i32(last == 255);
}

/** Splits 16 pixels; returns `grayBit` when all are gray, else 0. */
// @ts-ignore: decorator
@inline
function splitBlock(a: v128, b: v128, c: v128, d: v128, to: usize, planeBytes: usize): u32 {
  // Red and green of eight pixels, then blue of eight pixels.
  const p = v128.shuffle<u8>(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const q = v128.shuffle<u8>(c, d, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const r = v128.shuffle<u8>(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
  const s = v128.shuffle<u8>(c, d, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
  const red = v128.shuffle<u64>(p, q, 0, 2);
  const green = v128.shuffle<u64>(p, q, 1, 3);
  const blue = v128.shuffle<u64>(r, s, 0, 2);
  v128.store(to, red);
  v128.store(to + planeBytes, green);
  v128.store(to + 2 * planeBytes, blue);
  return v128.any_true(v128.or(v128.xor(red, green), v128.xor(red, blue))) ? 0 : grayBit;
}

/** Repeats the pixels of both ends of a row of three planes. */
// @ts-ignore: decorator
@inline
function repeatEnds(red: usize, planeBytes: usize, width: i32): void {
  for (let channel = 0; channel < 3; channel++, red += planeBytes) {
    const end = red + <usize>width;
    store<u8>(red - 1, load<u8>(red));
    store<u8>(end, load<u8>(end - 1));
  }
}

/** Repeats the first and the last word of a row of blocks. */
// @ts-ignore: decorator
@inline
function repeatBlocks(colors: usize, end: usize): void {
  store<u32>(colors, load<u32>(colors, 4));
  store<u32>(end, load<u32>(end - 4));
}

/** Halves three planes and their blocks: `rows` of `width` pixels, which are counted after halving. */
export function halve(
  red: usize,
  planeBytes: usize,
  stride: usize,
  to: usize,
  toPlaneBytes: usize,
  toStride: usize,
  width: i32,
  rows: i32,
  colors: usize,
  toColors: usize,
): void {
  const blocks = <usize>((width + 15) >> 4);
  const wordBytes = stride >> 2;
  for (let y = 0; y < rows; y++) {
    for (let channel: usize = 0; channel < 3; channel++) {
      const upper = red + channel * planeBytes;
      halveRow(upper, upper + stride, width, to + channel * toPlaneBytes);
    }
    repeatEnds(to, toPlaneBytes, width);
    let from = colors + 4;
    let word = toColors + 4;
    for (const end = word + (blocks << 2); word < end; word += 4, from += 8) {
      const a = load<u32>(from);
      const b = load<u32>(from, 4);
      const c = load<u32>(from + wordBytes);
      const d = load<u32>(from + wordBytes, 4);
      const same = a == b && a == c && a == d && (a & uniformBit) != 0;
      store<u32>(word, same ? a : a & b & c & d & grayBit);
    }
    repeatBlocks(toColors, word);
    red += stride << 1;
    to += toStride;
    colors += wordBytes << 1;
    toColors += toStride >> 2;
  }
}

/** Averages 2 x 2 values of two rows; writes `count` values, rounded up to a multiple of 16. */
function halveRow(upper: usize, lower: usize, count: i32, to: usize): void {
  const two = i16x8.splat(2);
  for (let i: usize = 0, n = <usize>count; i < n; i += 16) {
    const p = i16x8.add(
      i16x8.extadd_pairwise_i8x16_u(v128.load(upper)),
      i16x8.extadd_pairwise_i8x16_u(v128.load(lower)),
    );
    const q = i16x8.add(
      i16x8.extadd_pairwise_i8x16_u(v128.load(upper, 16)),
      i16x8.extadd_pairwise_i8x16_u(v128.load(lower, 16)),
    );
    const a = i16x8.shr_u(i16x8.add(p, two), 2);
    const b = i16x8.shr_u(i16x8.add(q, two), 2);
    v128.store(to + i, i8x16.narrow_i16x8_u(a, b));
    upper += 32;
    lower += 32;
  }
}

let gx: v128 = i32x4.splat(0);
let gy: v128 = i32x4.splat(0);

/** The Sobel gradients of eight values of one plane. */
// @ts-ignore: decorator
@inline
function sobel(at: usize, stride: usize): void {
  const a = v128.load8x8_u(at - stride - 1);
  const b = v128.load8x8_u(at - stride);
  const c = v128.load8x8_u(at - stride + 1);
  const d = v128.load8x8_u(at - 1);
  const f = v128.load8x8_u(at + 1);
  const g = v128.load8x8_u(at + stride - 1);
  const h = v128.load8x8_u(at + stride);
  const i = v128.load8x8_u(at + stride + 1);
  const ca = i16x8.sub(c, a);
  const ig = i16x8.sub(i, g);
  gx = i16x8.add(i16x8.add(ca, ig), i16x8.shl(i16x8.sub(f, d), 1));
  gy = i16x8.add(i16x8.sub(i16x8.add(g, i), i16x8.add(a, c)), i16x8.shl(i16x8.sub(h, b), 1));
}

/** A block of which the field was written. */
const writtenMark: u32 = 1;
/** A block that has bins. */
const binsMark: u32 = 2;

/**
 * Rows of the gradient field and its bins. A block whose neighborhood has one color has no field, and is written only
 * where an earlier page had one. `edges` has a byte of marks for each block.
 */
export function fields(
  red: usize,
  planeBytes: usize,
  stride: usize,
  width: i32,
  rows: i32,
  soft: f32,
  minSquare: i32,
  field: usize,
  bins: usize,
  colors: usize,
  edges: usize,
): void {
  const softness = f32x4.splat(soft);
  const minimum = i16x8.splat(<i16>minSquare);
  const blocks = (width + 15) >> 4;
  const wordBytes = stride >> 2;
  for (let y = 0; y < rows; y++) {
    for (let b = 0; b < blocks; b += 4) {
      const word = colors + (<usize>b << 2);
      const center = v128.load(word, 4);
      let same = i32x4.splat(-1);
      let common = same;
      for (let row: usize = 0, at = word - wordBytes; row < 3; row++, at += wordBytes) {
        const left = v128.load(at);
        const middle = v128.load(at, 4);
        const right = v128.load(at, 8);
        common = v128.and(common, v128.and(left, v128.and(middle, right)));
        same = v128.and(same, v128.and(i32x4.eq(center, left), i32x4.eq(center, middle)));
        same = v128.and(same, i32x4.eq(center, right));
      }
      const flat = i32x4.bitmask(v128.and(same, center));
      const gray = i32x4.bitmask(i32x4.shl(common, 1));
      const marks = edges + <usize>b;
      const end = min(4, blocks - b);
      if (flat == 15 && load<u32>(marks) == 0) continue;
      for (let n = 0; n < end; n++) {
        const offset = <usize>((b + n) << 4);
        const mark = marks + <usize>n;
        if ((flat >> n) & 1) {
          if (load<u8>(mark)) clearBlock(field + (offset << 1), bins + offset);
          store<u8>(mark, 0);
          continue;
        }
        let hasBins = false;
        for (let i = offset; i < offset + 16; i += 8) {
          sobel(red + i, stride);
          let x = gx;
          let y = gy;
          if (!((gray >> n) & 1)) {
            let size = i16x8.add(i16x8.abs(x), i16x8.abs(y));
            sobel(red + planeBytes + i, stride);
            let other = i16x8.add(i16x8.abs(gx), i16x8.abs(gy));
            let larger = i16x8.gt_s(other, size);
            x = v128.bitselect(gx, x, larger);
            y = v128.bitselect(gy, y, larger);
            size = i16x8.max_s(other, size);
            sobel(red + 2 * planeBytes + i, stride);
            other = i16x8.add(i16x8.abs(gx), i16x8.abs(gy));
            larger = i16x8.gt_s(other, size);
            x = v128.bitselect(gx, x, larger);
            y = v128.bitselect(gy, y, larger);
          }
          if (!v128.any_true(v128.or(x, y))) {
            v128.store(field + (i << 1), i32x4.splat(0));
            store<u64>(bins + i, 0);
            continue;
          }
          const minusY = i16x8.neg(y);
          const low = vectors(
            v128.shuffle<u16>(x, y, 0, 8, 1, 9, 2, 10, 3, 11),
            v128.shuffle<u16>(x, minusY, 0, 8, 1, 9, 2, 10, 3, 11),
            v128.shuffle<u16>(y, x, 0, 8, 1, 9, 2, 10, 3, 11),
            softness,
          );
          const lowV = vectorV;
          const high = vectors(
            v128.shuffle<u16>(x, y, 4, 12, 5, 13, 6, 14, 7, 15),
            v128.shuffle<u16>(x, minusY, 4, 12, 5, 13, 6, 14, 7, 15),
            v128.shuffle<u16>(y, x, 4, 12, 5, 13, 6, 14, 7, 15),
            softness,
          );
          const u = i16x8.narrow_i32x4_s(low, high);
          const v = i16x8.narrow_i32x4_s(lowV, vectorV);
          const pair = i8x16.narrow_i16x8_s(u, v);
          v128.store(
            field + (i << 1),
            v128.shuffle<u8>(pair, pair, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15),
          );
          const bits = binsOf(u, v, minimum);
          const packed = i64x2.extract_lane(i8x16.narrow_i16x8_u(bits, bits), 0);
          store<u64>(bins + i, packed);
          hasBins = hasBins || packed != 0;
        }
        store<u8>(mark, hasBins ? writtenMark | binsMark : writtenMark);
      }
    }
    if (width & 15) clearEnd(field, bins, width, edges + <usize>(blocks - 1));
    red += stride;
    field += stride << 1;
    bins += stride;
    colors += wordBytes;
    edges += stride >> 4;
  }
}

// @ts-ignore: decorator
@inline
function clearBlock(field: usize, bins: usize): void {
  const zero = i32x4.splat(0);
  v128.store(field, zero);
  v128.store(field, zero, 16);
  v128.store(bins, zero);
}

/** Clears the field and the bins after the end of a row, in its last block. */
function clearEnd(field: usize, bins: usize, width: i32, mark: usize): void {
  const first = bins + <usize>(width & ~15);
  for (let i = <usize>width, end = <usize>((width + 15) & ~15); i < end; i++) {
    store<u16>(field + (i << 1), 0);
    store<u8>(bins + i, 0);
  }
  if (load<u8>(mark)) store<u8>(mark, v128.any_true(v128.load(first)) ? writtenMark | binsMark : writtenMark);
}

let vectorV: v128 = i32x4.splat(0);

/**
 * The field of four gradients, which are given as pairs (x, y), (x, -y) and (y, x): 127 m (cos 2t, sin 2t) with
 * m = g / (g + soft). Returns the first, stores the second.
 */
// @ts-ignore: decorator
@inline
function vectors(xy: v128, conjugate: v128, swapped: v128, softness: v128): v128 {
  const g = f32x4.sqrt(f32x4.convert_i32x4_s(i32x4.dot_i16x8_s(xy, xy)));
  const size = f32x4.max(f32x4.mul(g, f32x4.add(g, softness)), f32x4.splat(1));
  const k = f32x4.div(f32x4.splat(127), size);
  vectorV = quantized(i32x4.dot_i16x8_s(xy, swapped), k);
  return quantized(i32x4.dot_i16x8_s(xy, conjugate), k);
}

/** Four products, of which none is beyond 127, rounded; halves are rounded up. */
// @ts-ignore: decorator
@inline
function quantized(value: v128, k: v128): v128 {
  const shifted = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(value), k), f32x4.splat(128.5));
  // The lower bits of an integer plus 2^23 are the integer: cheaper than a conversion that saturates.
  const bits = f32x4.add(f32x4.trunc(shifted), f32x4.splat(8388608));
  return i32x4.sub(bits, i32x4.splat(0x4b000080));
}

/** The bin of each vector as one of eight bits; no bit below the minimum. */
// @ts-ignore: decorator
@inline
function binsOf(u: v128, v: v128, minimum: v128): v128 {
  const across = i16x8.abs(u);
  const down = i16x8.abs(v);
  const strong = i16x8.ge_s(i16x8.add(i16x8.mul(u, u), i16x8.mul(v, v)), minimum);
  const zero = i16x8.splat(0);
  const left = i16x8.lt_s(u, zero);
  const up = i16x8.lt_s(v, zero);
  const five = i16x8.splat(5);
  const flat = i16x8.lt_s(i16x8.mul(down, five), i16x8.shl(across, 1));
  const steep = i16x8.lt_s(i16x8.mul(across, five), i16x8.shl(down, 1));
  const horizontal = v128.bitselect(i16x8.splat(16), i16x8.splat(1), left);
  const vertical = v128.bitselect(i16x8.splat(64), i16x8.splat(4), up);
  const lower = v128.bitselect(i16x8.splat(8), i16x8.splat(2), left);
  const upper = v128.bitselect(i16x8.splat(32), i16x8.splat(128), left);
  let bits = v128.bitselect(upper, lower, up);
  bits = v128.bitselect(vertical, bits, steep);
  bits = v128.bitselect(horizontal, bits, flat);
  return v128.and(bits, strong);
}

/**
 * The responses of rows `first` to below `end` at every fourth pixel (with unions of 5 x 5 bins) or every second pixel
 * (3 x 3). A plane of bin o, row phase r and column phase c is number (o step + r) step + c after `to`.
 *
 * Only blocks of 64 pixels near edges are computed; the others are 0, and are written only where `filled` has a mark of
 * an earlier page. `row` is room for a byte of each 16 pixels, with a zero before. `occupied` receives a byte for each
 * group of 16 cells: 1 where the rows around the middle of the cells have bins.
 */
export function respond(
  bins: usize,
  stride: usize,
  first: i32,
  end: i32,
  step: i32,
  edges: usize,
  filled: usize,
  row: usize,
  to: usize,
  planeBytes: usize,
  occupied: usize,
): void {
  const near = step == 2;
  const shift: usize = near ? 1 : 2;
  const columns = stride >> shift;
  const binBytes = planeBytes << (2 * shift);
  const markBytes = stride >> 4;
  const blocks = stride >> 6;
  const groups = columns >> 4;
  for (let y = <usize>first, last = <usize>end; y < last; y++) {
    const mark = edges + y * markBytes;
    for (let i: usize = 0; i < markBytes; i += 16) {
      const at = mark + i;
      let all = v128.or(v128.or(v128.load(at - markBytes), v128.load(at)), v128.load(at + markBytes));
      if (!near) {
        all = v128.or(all, v128.or(v128.load(at - 2 * markBytes), v128.load(at + 2 * markBytes)));
      }
      v128.store(row + i, v128.and(all, i8x16.splat(<i8>binsMark)));
    }
    store<u8>(row + markBytes, 0);
    const phase = y & (<usize>step - 1);
    const cellRow = y >> shift;
    const out = to + (phase << shift) * planeBytes + cellRow * columns;
    const from = bins + y * stride;
    const done = filled + y * blocks;
    for (let k: usize = 0; k < blocks; k++) {
      const marks = row + (k << 2);
      const cells = out + ((k << 6) >> shift);
      if (load<u32>(marks) | load<u8>(marks - 1) | load<u8>(marks, 4)) {
        store<u8>(done + k, 1);
        if (near) respondNear(from + (k << 6), stride, cells, binBytes, planeBytes);
        else respondFar(from + (k << 6), stride, cells, binBytes, planeBytes);
      } else if (load<u8>(done + k)) {
        store<u8>(done + k, 0);
        clearCells(cells, <usize>step, binBytes, planeBytes);
      }
    }
    if (phase != <usize>step >> 1) continue;
    const flags = occupied + cellRow * groups;
    for (let g: usize = 0; g < groups; g++) {
      const some = near ? <u32>load<u16>(row + (g << 1)) : load<u32>(row + (g << 2));
      store<u8>(flags + g, some ? 1 : 0);
    }
  }
}

/** Clears the responses of 64 pixels. */
function clearCells(to: usize, step: usize, binBytes: usize, phaseBytes: usize): void {
  const zero = i32x4.splat(0);
  for (let o = 0; o < 8; o++, to += binBytes) {
    for (let phase: usize = 0, at = to; phase < step; phase++, at += phaseBytes) {
      v128.store(at, zero);
      if (step == 2) v128.store(at, zero, 16);
    }
  }
}

/** The union of 16 pixels of five rows. */
// @ts-ignore: decorator
@inline
function rowsFive(at: usize, stride: usize): v128 {
  const up = at - stride;
  const down = at + stride;
  return v128.or(
    v128.or(v128.or(v128.load(up - stride), v128.load(up)), v128.load(at)),
    v128.or(v128.load(down), v128.load(down + stride)),
  );
}

/** The union of 16 pixels of three rows. */
// @ts-ignore: decorator
@inline
function rowsThree(at: usize, stride: usize): v128 {
  return v128.or(v128.or(v128.load(at - stride), v128.load(at)), v128.load(at + stride));
}

/** The union of each byte with the one before and the one after. */
// @ts-ignore: decorator
@inline
function spread(before: v128, at: v128, after: v128): v128 {
  return v128.or(
    v128.or(v128.shuffle<u8>(before, at, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30), at),
    v128.shuffle<u8>(at, after, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
  );
}

/** The union of each byte with the two before and the two after. */
// @ts-ignore: decorator
@inline
function spreadTwo(before: v128, at: v128, after: v128): v128 {
  return v128.or(
    spread(before, at, after),
    v128.or(
      v128.shuffle<u8>(before, at, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29),
      v128.shuffle<u8>(at, after, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17),
    ),
  );
}

/** The responses of 64 pixels of a row at every fourth pixel. */
function respondFar(at: usize, stride: usize, to: usize, binBytes: usize, phaseBytes: usize): void {
  const before = rowsFive(at - 16, stride);
  const v0 = rowsFive(at, stride);
  const v1 = rowsFive(at + 16, stride);
  const v2 = rowsFive(at + 32, stride);
  const v3 = rowsFive(at + 48, stride);
  const after = rowsFive(at + 64, stride);
  const a = spreadTwo(before, v0, v1);
  const b = spreadTwo(v0, v1, v2);
  const c = spreadTwo(v1, v2, v3);
  const d = spreadTwo(v2, v3, after);
  const p = v128.shuffle<u8>(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const q = v128.shuffle<u8>(c, d, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const r = v128.shuffle<u8>(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
  const s = v128.shuffle<u8>(c, d, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
  respondCells(v128.shuffle<u64>(p, q, 0, 2), to, binBytes);
  respondCells(v128.shuffle<u64>(p, q, 1, 3), to + phaseBytes, binBytes);
  respondCells(v128.shuffle<u64>(r, s, 0, 2), to + phaseBytes * 2, binBytes);
  respondCells(v128.shuffle<u64>(r, s, 1, 3), to + phaseBytes * 3, binBytes);
}

/** The responses of 64 pixels of a row at every second pixel. */
function respondNear(at: usize, stride: usize, to: usize, binBytes: usize, phaseBytes: usize): void {
  for (let i = 0; i < 2; i++, at += 32, to += 16) {
    const v0 = rowsThree(at, stride);
    const v1 = rowsThree(at + 16, stride);
    const a = spread(rowsThree(at - 16, stride), v0, v1);
    const b = spread(v0, v1, rowsThree(at + 32, stride));
    const even = v128.shuffle<u8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const odd = v128.shuffle<u8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    respondCells(even, to, binBytes);
    respondCells(odd, to + phaseBytes, binBytes);
  }
}

/**
 * The responses of 16 unions: 4 for a set bin, 2 for a neighbor of one, less a tenth of the sum over bins (2 for a set
 * bin, 1 for a neighbor), rounded, which is 1 from a sum of 6 and 2 from a sum of 15.
 *
 * Half of a response, before it is reduced, is two bits: 2 for a set bin, 1 for a neighbor. `low` has those of bins 0 to
 * 3, `high` those of bins 4 to 7.
 */
// @ts-ignore: decorator
@inline
function respondCells(bits: v128, to: usize, binBytes: usize): void {
  if (!v128.any_true(bits)) {
    const zero = i32x4.splat(0);
    for (let o: usize = 0; o < 8; o++) v128.store(to + o * binBytes, zero);
    return;
  }
  const nibble = i8x16.splat(15);
  const pair = i8x16.splat(0x55);
  const first = v128.and(bits, nibble);
  const second = v128.and(i16x8.shr_u(bits, 4), nibble);
  // Set bins at odd bits, neighbors at even bits, within a half and of the other half.
  let low = v128.or(
    i8x16.swizzle(i8x16(0, 6, 25, 31, 100, 102, 125, 127, -112, -106, -103, -97, -12, -10, -3, -1), first),
    i8x16.swizzle(i8x16(0, 64, 0, 64, 0, 64, 0, 64, 1, 65, 1, 65, 1, 65, 1, 65), second),
  );
  let high = v128.or(
    i8x16.swizzle(i8x16(0, 6, 25, 31, 100, 102, 125, 127, -112, -106, -103, -97, -12, -10, -3, -1), second),
    i8x16.swizzle(i8x16(0, 64, 0, 64, 0, 64, 0, 64, 1, 65, 1, 65, 1, 65, 1, 65), first),
  );
  low = v128.andnot(low, v128.and(i16x8.shr_u(low, 1), pair));
  high = v128.andnot(high, v128.and(i16x8.shr_u(high, 1), pair));
  const quarter = i8x16.splat(0x33);
  const sums = i8x16.add(
    i8x16.add(v128.and(low, quarter), v128.and(i16x8.shr_u(low, 2), quarter)),
    i8x16.add(v128.and(high, quarter), v128.and(i16x8.shr_u(high, 2), quarter)),
  );
  const sum = i8x16.add(v128.and(sums, nibble), v128.and(i16x8.shr_u(sums, 4), nibble));
  const minus = i8x16.add(i8x16.gt_s(sum, i8x16.splat(5)), i8x16.gt_s(sum, i8x16.splat(14)));
  const less = i8x16.neg(minus);
  const six = i8x16.splat(6);
  v128.store(to, i8x16.sub_sat_u(v128.and(i16x8.shl(low, 1), six), less));
  to += binBytes;
  v128.store(to, i8x16.sub_sat_u(v128.and(i16x8.shr_u(low, 1), six), less));
  to += binBytes;
  v128.store(to, i8x16.sub_sat_u(v128.and(i16x8.shr_u(low, 3), six), less));
  to += binBytes;
  v128.store(to, i8x16.sub_sat_u(v128.and(i16x8.shr_u(low, 5), six), less));
  to += binBytes;
  v128.store(to, i8x16.sub_sat_u(v128.and(i16x8.shl(high, 1), six), less));
  to += binBytes;
  v128.store(to, i8x16.sub_sat_u(v128.and(i16x8.shr_u(high, 1), six), less));
  to += binBytes;
  v128.store(to, i8x16.sub_sat_u(v128.and(i16x8.shr_u(high, 3), six), less));
  to += binBytes;
  v128.store(to, i8x16.sub_sat_u(v128.and(i16x8.shr_u(high, 5), six), less));
}

/**
 * Sums the responses of templates at groups of 16 cells, and records the groups whose largest sum exceeds the
 * template's threshold. The threshold rises so that few more than `keep` groups are recorded; there is room for at least
 * 3 `keep` records.
 *
 * A template is `templateBytes` long: number of features, threshold, number of records, room for records, address of
 * the records, records above the threshold, number of groups from which all features are in the planes (others are left
 * out); at 32 the offsets of its features from a cell (each 4 bytes), at 544 the counts of records by sum. A
 * record is the address of a group less that of the first cell, and the sum. `groups` has the offset of each group.
 */
export function sumGroups(
  groups: usize,
  groupCount: i32,
  templates: usize,
  templateCount: i32,
  templateBytes: usize,
  keep: i32,
): void {
  for (let t = 0; t < templateCount; t++, templates += templateBytes) {
    const features = templates + 32 + (<usize>load<i32>(templates) << 2);
    let limit = u8x16_splat(load<i32>(templates, 4));
    let g = groups;
    let end = groups + (<usize>groupCount << 2);
    const inside = load<u32>(templates, 24) << 4;
    while (end > groups && load<u32>(end - 4) >= inside) end -= 4;
    const fours = groups + ((end - groups) & ~15);
    for (; g < fours; g += 16) {
      const at0 = <usize>load<u32>(g);
      const at1 = <usize>load<u32>(g, 4);
      const at2 = <usize>load<u32>(g, 8);
      const at3 = <usize>load<u32>(g, 12);
      let s0 = i32x4.splat(0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      let f = templates + 32;
      let exceeds = true;
      while (f < features) {
        const end = min(f + 32, features);
        for (; f < end; f += 4) {
          const offset = <usize>load<u32>(f);
          s0 = i8x16.add(s0, v128.load(offset + at0));
          s1 = i8x16.add(s1, v128.load(offset + at1));
          s2 = i8x16.add(s2, v128.load(offset + at2));
          s3 = i8x16.add(s3, v128.load(offset + at3));
        }
        const all = i8x16.max_u(i8x16.max_u(s0, s1), i8x16.max_u(s2, s3));
        exceeds = canExceed(all, features - f, limit);
        if (!exceeds) break;
      }
      if (!exceeds) continue;
      record(templates, at0, s0, keep);
      record(templates, at1, s1, keep);
      record(templates, at2, s2, keep);
      record(templates, at3, s3, keep);
      limit = u8x16_splat(load<i32>(templates, 4));
    }
    for (; g < end; g += 4) {
      const at = <usize>load<u32>(g);
      let sum = i32x4.splat(0);
      for (let f = templates + 32; f < features; f += 4) {
        sum = i8x16.add(sum, v128.load(<usize>load<u32>(f) + at));
      }
      record(templates, at, sum, keep);
    }
  }
}

/** Whether a sum can still exceed the threshold: a response is at most 4, as many as a feature has bytes. */
// @ts-ignore: decorator
@inline
function canExceed(sums: v128, rest: usize, limit: v128): bool {
  return v128.any_true(i8x16.gt_u(i8x16.add_sat_u(sums, i8x16.splat(<i8>rest)), limit));
}

// @ts-ignore: decorator
@inline
function u8x16_splat(value: i32): v128 {
  return i8x16.splat(<i8>value);
}

/**
 * Drops the records below a threshold, which has risen since, and returns the number of the others: those at it are at
 * most `keep`, and those above it fewer than twice as many.
 */
function dropRecords(template: usize, limit: i32): i32 {
  const records = <usize>load<u32>(template, 16);
  let to = records;
  for (let from = records, end = records + (<usize>load<i32>(template, 8) << 3); from < end; from += 8) {
    if (load<i32>(from, 4) < limit) continue;
    store<u64>(to, load<u64>(from));
    to += 8;
  }
  return <i32>((to - records) >> 3);
}

/** Records the largest sum of a group and its first cell, if it exceeds the threshold. */
function record(template: usize, at: usize, sums: v128, keep: i32): void {
  let max = i8x16.max_u(sums, v128.shuffle<u64>(sums, sums, 1, 0));
  max = i8x16.max_u(max, v128.shuffle<u32>(max, max, 1, 0, 3, 2));
  max = i8x16.max_u(max, v128.shuffle<u16>(max, max, 1, 0, 3, 2, 5, 4, 7, 6));
  max = i8x16.max_u(max, v128.shuffle<u8>(max, max, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
  const best = i32(i8x16.extract_lane_u(max, 0));
  const limit = load<i32>(template, 4);
  if (best <= limit) return;
  const equal = template + 544 + (<usize>best << 2);
  // Of equal sums the first `keep` count.
  if (load<i32>(equal) >= keep) return;
  let count = load<i32>(template, 8);
  if (count >= load<i32>(template, 12)) count = dropRecords(template, limit);
  const lane = ctz(i8x16.bitmask(i8x16.eq(sums, max)));
  const to = <usize>load<u32>(template, 16) + (<usize>count << 3);
  store<u32>(to, <u32>at + lane);
  store<u32>(to, <u32>best, 4);
  store<i32>(template, count + 1, 8);
  store<i32>(equal, load<i32>(equal) + 1);
  const counts = template + 544;
  // The records above the threshold; the threshold rises while those above the next sum suffice.
  let above = load<i32>(template, 20) + 1;
  let next = limit;
  while (above - load<i32>(counts + (<usize>(next + 1) << 2)) >= keep) {
    next++;
    above -= load<i32>(counts + (<usize>next << 2));
  }
  store<i32>(template, above, 20);
  store<i32>(template, next, 4);
}


/**
 * Bounds of the responses of a level, which all templates share. A plane of bounds has `rows` + 16 bytes for each of
 * `groups` columns of 16 cells, a multiple of 4: the value of column g at row r is the largest response, of `step`
 * phases along a row, at the cells 16 g + 4 q to 16 g + 4 q + 19 from the first cell of row r. Planes are ordered by
 * bin, then by row phase, then by q of 0 to 3. `quads` has room for 4 `groups` + 16 bytes.
 */
export function boundCells(
  cells: usize,
  columns: usize,
  rows: i32,
  step: i32,
  quads: usize,
  to: usize,
  groups: i32,
): void {
  const planeBytes = columns * <usize>rows;
  const rowBytes = <usize>rows + 16;
  const boundBytes = rowBytes * <usize>groups;
  const end = quads + (<usize>groups << 2);
  for (let plane = 0; plane < 8 * step; plane++) {
    for (let row: usize = 0; row < <usize>rows; row++) {
      for (let quad = quads, at = cells + row * columns; quad <= end; quad += 16, at += 64) {
        let a = v128.load(at);
        let b = v128.load(at, 16);
        let c = v128.load(at, 32);
        let d = v128.load(at, 48);
        for (let p = 1, phase = at + planeBytes; p < step; p++, phase += planeBytes) {
          a = i8x16.max_u(a, v128.load(phase));
          b = i8x16.max_u(b, v128.load(phase, 16));
          c = i8x16.max_u(c, v128.load(phase, 32));
          d = i8x16.max_u(d, v128.load(phase, 48));
        }
        const p = quadsOf(a, b);
        const q = quadsOf(c, d);
        v128.store(quad, v128.shuffle<u64>(p, q, 0, 2));
      }
      for (let quad = quads, out = to + row; quad < end; quad += 16) {
        const bounds = largestOfFive(quad);
        storeBounds(bounds, out, boundBytes);
        storeBounds(v128.shuffle<u32>(bounds, bounds, 1, 2, 3, 0), out + rowBytes, boundBytes);
        storeBounds(v128.shuffle<u32>(bounds, bounds, 2, 3, 0, 1), out + rowBytes * 2, boundBytes);
        storeBounds(v128.shuffle<u32>(bounds, bounds, 3, 0, 1, 2), out + rowBytes * 3, boundBytes);
        out += rowBytes * 4;
      }
    }
    cells += planeBytes * <usize>step;
    to += boundBytes << 2;
  }
}

/** Stores the first four values, one in each plane. */
// @ts-ignore: decorator
@inline
function storeBounds(bounds: v128, to: usize, boundBytes: usize): void {
  v128.store_lane<u8>(to, bounds, 0);
  v128.store_lane<u8>(to + boundBytes, bounds, 1);
  v128.store_lane<u8>(to + boundBytes * 2, bounds, 2);
  v128.store_lane<u8>(to + boundBytes * 3, bounds, 3);
}

/** The largest of each four of 32 values, in the low half. */
// @ts-ignore: decorator
@inline
function quadsOf(a: v128, b: v128): v128 {
  const even = v128.shuffle<u8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const odd = v128.shuffle<u8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  const pairs = i8x16.max_u(even, odd);
  const low = v128.shuffle<u8>(pairs, pairs, 0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14);
  const high = v128.shuffle<u8>(pairs, pairs, 1, 3, 5, 7, 9, 11, 13, 15, 1, 3, 5, 7, 9, 11, 13, 15);
  return i8x16.max_u(low, high);
}

/** The largest of the five values from each of 16. */
// @ts-ignore: decorator
@inline
function largestOfFive(at: usize): v128 {
  const four = i8x16.max_u(
    i8x16.max_u(v128.load(at), v128.load(at, 1)),
    i8x16.max_u(v128.load(at, 2), v128.load(at, 3)),
  );
  return i8x16.max_u(four, v128.load(at, 4));
}

/**
 * `sumGroups` for the active groups of 16 rows of cells, which leaves out groups that the bounds exclude. A run is 16
 * groups below each other, of 16 bytes: their offset in a plane of bounds, their column, and one bit for each that is
 * active; their number is a multiple of 4. `first` is the first cell of the rows, `masks` has 8 bytes for each row, all
 * 0. At 1088 a template also has the address of the bound of each feature at the first group.
 */
export function sumBounded(
  runs: usize,
  runCount: i32,
  first: i32,
  columns: i32,
  masks: usize,
  templates: usize,
  templateCount: i32,
  templateBytes: usize,
  keep: i32,
): void {
  const end = runs + (<usize>runCount << 4);
  for (let t = 0; t < templateCount; t++, templates += templateBytes) {
    let rows: u32 = 0;
    for (let run = runs; run < end; run += 64) {
      let reached = reachable(templates, run);
      if (reached == 0) continue;
      for (let r = run; r < run + 64; r += 16, reached >>= 16) {
        let groups = load<u32>(r, 8) & <u32>reached;
        rows |= groups;
        const column = <u64>1 << <u64>load<u32>(r, 4);
        for (; groups != 0; groups &= groups - 1) {
          const mask = masks + (<usize>ctz(groups) << 3);
          store<u64>(mask, load<u64>(mask) | column);
        }
      }
    }
    for (; rows != 0; rows &= rows - 1) {
      const row = ctz(rows);
      const mask = masks + (<usize>row << 3);
      const cells = first + row * columns;
      for (let groups = load<u64>(mask); groups != 0; groups &= groups - 1) {
        sumGroup(templates, <usize>(cells + (<i32>ctz(groups) << 4)), keep);
      }
      store<u64>(mask, 0);
    }
  }
}

/** Which groups of four runs have a bound of the sum above the threshold, 16 bits for each run. */
// @ts-ignore: decorator
@inline
function reachable(template: usize, runs: usize): u64 {
  const bounds = template + 1088;
  const features = bounds + (<usize>load<i32>(template) << 2);
  const limit = u8x16_splat(load<i32>(template, 4));
  const at0 = <usize>load<u32>(runs);
  const at1 = <usize>load<u32>(runs, 16);
  const at2 = <usize>load<u32>(runs, 32);
  const at3 = <usize>load<u32>(runs, 48);
  let s0 = i32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let f = bounds;
  while (f < features) {
    const end = min(f + 32, features);
    for (; f < end; f += 4) {
      const at = <usize>load<u32>(f);
      s0 = i8x16.add(s0, v128.load(at + at0));
      s1 = i8x16.add(s1, v128.load(at + at1));
      s2 = i8x16.add(s2, v128.load(at + at2));
      s3 = i8x16.add(s3, v128.load(at + at3));
    }
    const all = i8x16.max_u(i8x16.max_u(s0, s1), i8x16.max_u(s2, s3));
    if (!canExceed(all, features - f, limit)) return 0;
  }
  const a = <u64>i8x16.bitmask(i8x16.gt_u(s0, limit));
  const b = <u64>i8x16.bitmask(i8x16.gt_u(s1, limit));
  const c = <u64>i8x16.bitmask(i8x16.gt_u(s2, limit));
  const d = <u64>i8x16.bitmask(i8x16.gt_u(s3, limit));
  return a | (b << 16) | (c << 32) | (d << 48);
}

/** Sums a template at one group, and records it. */
function sumGroup(template: usize, at: usize, keep: i32): void {
  if (at >= <usize>load<u32>(template, 24) << 4) return;
  let f = template + 32;
  const features = f + (<usize>load<i32>(template) << 2);
  const limit = u8x16_splat(load<i32>(template, 4));
  let sum = i32x4.splat(0);
  while (f < features) {
    for (const end = min(f + 32, features); f < end; f += 4) {
      sum = i8x16.add(sum, v128.load(<usize>load<u32>(f) + at));
    }
    if (!canExceed(sum, features - f, limit)) return;
  }
  record(template, at, sum, keep);
}

/**
 * The best of 16 positions (4 x 4 pixels from `at`) by the cosine of a template's points and the field. A point is an
 * offset from the position in bytes, and its vector as two 16-bit integers. Stores the cosine (64-bit float) and the
 * number of the position (32-bit integer) at `to`.
 */
export function correlate(
  points: usize,
  count: i32,
  at: usize,
  rowBytes: usize,
  energy: f64,
  to: usize,
): void {
  const second = rowBytes;
  const third = 2 * rowBytes;
  const fourth = 3 * rowBytes;
  let dots0 = i32x4.splat(0);
  let dots1 = i32x4.splat(0);
  let dots2 = i32x4.splat(0);
  let dots3 = i32x4.splat(0);
  let squares0 = i32x4.splat(0);
  let squares1 = i32x4.splat(0);
  let squares2 = i32x4.splat(0);
  let squares3 = i32x4.splat(0);
  for (const end = points + (<usize>count << 3); points < end; points += 8) {
    const from = at + <usize>load<i32>(points);
    const vector = v128.load32_splat(points, 4);
    const field0 = v128.load8x8_s(from);
    const field1 = v128.load8x8_s(from + second);
    const field2 = v128.load8x8_s(from + third);
    const field3 = v128.load8x8_s(from + fourth);
    dots0 = i32x4.add(dots0, i32x4.dot_i16x8_s(field0, vector));
    dots1 = i32x4.add(dots1, i32x4.dot_i16x8_s(field1, vector));
    dots2 = i32x4.add(dots2, i32x4.dot_i16x8_s(field2, vector));
    dots3 = i32x4.add(dots3, i32x4.dot_i16x8_s(field3, vector));
    squares0 = i32x4.add(squares0, i32x4.dot_i16x8_s(field0, field0));
    squares1 = i32x4.add(squares1, i32x4.dot_i16x8_s(field1, field1));
    squares2 = i32x4.add(squares2, i32x4.dot_i16x8_s(field2, field2));
    squares3 = i32x4.add(squares3, i32x4.dot_i16x8_s(field3, field3));
  }
  store<f64>(to, -1);
  store<i32>(to, 0, 8);
  keepBest(dots0, squares0, energy, 0, to);
  keepBest(dots1, squares1, energy, 4, to);
  keepBest(dots2, squares2, energy, 8, to);
  keepBest(dots3, squares3, energy, 12, to);
}

/** Replaces the stored cosine and place by the first larger one of four places, the first of which is `place`. */
function keepBest(dots: v128, squares: v128, energy: f64, place: i32, to: usize): void {
  keepBetter(cosines(dots, squares, energy), place, to);
  dots = v128.shuffle<u64>(dots, dots, 1, 1);
  squares = v128.shuffle<u64>(squares, squares, 1, 1);
  keepBetter(cosines(dots, squares, energy), place + 2, to);
}

/** The same for two cosines. */
// @ts-ignore: decorator
@inline
function keepBetter(pair: v128, place: i32, to: usize): void {
  for (let i = 0; i < 2; i++) {
    const value = i == 0 ? f64x2.extract_lane(pair, 0) : f64x2.extract_lane(pair, 1);
    if (value <= load<f64>(to)) continue;
    store<f64>(to, value);
    store<i32>(to, place + i, 8);
  }
}

/** Two cosines; weak fields count as if they had a twentieth of the template's energy more. */
// @ts-ignore: decorator
@inline
function cosines(dots: v128, squares: v128, energy: f64): v128 {
  const theirs = f64x2.add(f64x2.convert_low_i32x4_s(squares), f64x2.splat(energy * 0.05));
  return f64x2.div(
    f64x2.convert_low_i32x4_s(dots),
    f64x2.sqrt(f64x2.mul(f64x2.splat(energy), theirs)),
  );
}

let field: usize = 0;
let fieldStride: i32 = 0;
let left: f64 = 0;
let top: f64 = 0;
let right: f64 = 0;
let bottom: f64 = 0;

/** Sets the field that boxes are placed on: a picture with `padding` pixels around it. */
export function placeOn(at: usize, stride: i32, width: i32, height: i32, padding: i32): void {
  field = at;
  fieldStride = stride;
  left = <f64>padding;
  top = <f64>padding;
  right = <f64>(padding + width);
  bottom = <f64>(padding + height);
}

/** The sum of the squares of the vectors of points, which are integers; also finds the corners of the points. */
// @ts-ignore: decorator
@inline
function measurePoints(points: usize, count: i32): f64 {
  let total: f64 = 0;
  least = most = v128.load(points);
  for (const end = points + (<usize>count << 5); points < end; points += 32) {
    const vector = v128.load(points, 16);
    total += sumOf(f64x2.mul(vector, vector));
    least = f64x2.min(least, v128.load(points));
    most = f64x2.max(most, v128.load(points));
  }
  return total;
}

let least: v128 = f64x2.splat(0);
let most: v128 = f64x2.splat(0);

/**
 * The cosine of points in a box whose corner is (x, y), less what is outside of the picture. A point has four 64-bit
 * floats: x, y, u, v. `total` is the sum of the squares of u and v.
 */
function cosineAt(
  points: usize,
  count: i32,
  total: f64,
  energy: f64,
  x: f64,
  y: f64,
  across: f64,
  down: f64,
): f64 {
  let dot: f64 = 0;
  let squares: f64 = 0;
  let visible = total;
  // Locals, because a variable of the module is read from memory each time.
  const origin = field;
  const rowBytes = fieldStride << 1;
  const first = f64x2(left, top);
  const behind = f64x2(right, bottom);
  const corner = f64x2(x, y);
  const scale = f64x2(across, down);
  const end = points + (<usize>count << 5);
  if (isInside(placeOf(least, corner, scale), placeOf(most, corner, scale), first, behind)) {
    for (; points < end; points += 32) {
      const vector = v128.load(points, 16);
      const page = fieldAt(placeOf(v128.load(points), corner, scale), origin, rowBytes);
      dot += sumOf(f64x2.mul(vector, page));
      squares += sumOf(f64x2.mul(page, page));
    }
  } else {
    for (; points < end; points += 32) {
      const vector = v128.load(points, 16);
      const place = placeOf(v128.load(points), corner, scale);
      if (!isInside(place, place, first, behind)) {
        visible -= sumOf(f64x2.mul(vector, vector));
        continue;
      }
      const page = fieldAt(place, origin, rowBytes);
      dot += sumOf(f64x2.mul(vector, page));
      squares += sumOf(f64x2.mul(page, page));
    }
  }
  if (visible < 0.4 * energy) return 0;
  const cosine = dot / Math.sqrt(visible * (squares + 0.05 * visible));
  return cosine * Math.sqrt(Math.sqrt(visible / energy));
}

// @ts-ignore: decorator
@inline
function placeOf(point: v128, corner: v128, scale: v128): v128 {
  return f64x2.sub(f64x2.add(corner, f64x2.mul(point, scale)), f64x2.splat(0.5));
}

// @ts-ignore: decorator
@inline
function isInside(low: v128, high: v128, first: v128, behind: v128): bool {
  return i64x2.all_true(v128.and(f64x2.ge(low, first), f64x2.lt(high, behind)));
}

/** The vector of the field at a place, between four pixels. */
// @ts-ignore: decorator
@inline
function fieldAt(place: v128, origin: usize, rowBytes: i32): v128 {
  const cell = i32x4.trunc_sat_f64x2_s_zero(place);
  const rest = f64x2.sub(place, f64x2.convert_low_i32x4_s(cell));
  const at = origin + <usize>(i32x4.extract_lane(cell, 1) * rowBytes + (i32x4.extract_lane(cell, 0) << 1));
  // Two neighbors of a row, and the two below: their differences along the row are integers.
  const four = i16x8.extend_low_i8x16_s(v128.load32_lane(at + rowBytes, v128.load32_zero(at), 1));
  const steps = i16x8.sub(i64x2.shr_u(four, 32), four);
  const share = v128.shuffle<u64>(rest, rest, 0, 0);
  const upper = blend(i32x4.extend_low_i16x8_s(four), i32x4.extend_low_i16x8_s(steps), share);
  const lower = blend(i32x4.extend_high_i16x8_s(four), i32x4.extend_high_i16x8_s(steps), share);
  return f64x2.add(upper, f64x2.mul(v128.shuffle<u64>(rest, rest, 1, 1), f64x2.sub(lower, upper)));
}

/**
 * Fits a box of so many columns and rows, whose corner is (x, y), by steps of position and size that raise the cosine of
 * its points; each scale stays from `min` to `max`. Stores x, y, both scales and the cosine at `to`, each a 64-bit float.
 */
export function fitBox(
  points: usize,
  count: i32,
  energy: f64,
  x: f64,
  y: f64,
  columns: f64,
  rows: f64,
  min: f64,
  max: f64,
  to: usize,
): void {
  let across: f64 = 1;
  let down: f64 = 1;
  const total = measurePoints(points, count);
  let value = cosineAt(points, count, total, energy, x, y, across, down);
  for (let size: f64 = 1; size >= 0.5; size *= 0.5) {
    const scale = 0.06 * size;
    // Both axes, the position along each, the size along each.
    for (let step = 0; step < 5; step++) {
      for (let sign: f64 = 1; sign >= -1; sign -= 2) {
        const wide = step == 0 || step == 3 ? sign * scale : 0;
        const tall = step == 0 || step == 4 ? sign * scale : 0;
        const moveX = step == 1 ? sign * size : 0;
        const moveY = step == 2 ? sign * size : 0;
        let moved = false;
        for (let n = 0; n < 3; n++) {
          const nextX = x + moveX - (columns * wide) / 2;
          const nextY = y + moveY - (rows * tall) / 2;
          const nextAcross = across + wide;
          const nextDown = down + tall;
          if (nextAcross < min || nextAcross > max || nextDown < min || nextDown > max) break;
          const reached = cosineAt(points, count, total, energy, nextX, nextY, nextAcross, nextDown);
          if (reached <= value) break;
          x = nextX;
          y = nextY;
          across = nextAcross;
          down = nextDown;
          value = reached;
          moved = true;
        }
        if (moved) break;
      }
    }
  }
  store<f64>(to, x);
  store<f64>(to, y, 8);
  store<f64>(to, across, 16);
  store<f64>(to, down, 24);
  store<f64>(to, value, 32);
}

/**
 * Compares every pixel of a template, two signed bytes each, with a box of the field. Stores at `to`, as 64-bit floats,
 * for each of `side` x `side` blocks the product of both, then for each block the square of the template, then that of
 * the field; then the square of the template that is outside of the picture, and the three sums of the inside.
 */
export function compareField(
  template: usize,
  columns: i32,
  rows: i32,
  side: i32,
  x: f64,
  y: f64,
  across: f64,
  down: f64,
  to: usize,
): void {
  const blocksBytes = <usize>(side * side) << 3;
  memory.fill(to, 0, 3 * blocksBytes);
  const rowBytes = <usize>fieldStride << 1;
  let hidden: f64 = 0;
  let innerDot: f64 = 0;
  let innerOurs: f64 = 0;
  let innerTheirs: f64 = 0;
  for (let row = 0; row < rows; row++) {
    const atY = y + (<f64>row + 0.5) * down - 0.5;
    const isInside = atY >= top && atY < bottom;
    const isInner = Math.abs(<f64>(2 * row + 1 - rows)) < 0.7 * <f64>rows;
    const upperRow = isInside ? <i32>atY : 0;
    const dy = atY - <f64>upperRow;
    const line = field + (<usize>(upperRow * fieldStride) << 1);
    let sums = to + (<usize>(((row * side) / rows) * side) << 3);
    let column = 0;
    for (let b = 0; b < side; b++, sums += 8) {
      let dots = load<f64>(sums);
      let ours = load<f64>(sums + blocksBytes);
      let theirs = load<f64>(sums + 2 * blocksBytes);
      // The first column of the next block.
      const end = ((b + 1) * columns + side - 1) / side;
      for (; column < end; column++, template += 2) {
        const vector = f64x2(<f64>load<i8>(template), <f64>load<i8>(template, 1));
        const square = sumOf(f64x2.mul(vector, vector));
        const atX = x + (<f64>column + 0.5) * across - 0.5;
        if (!(isInside && atX >= left && atX < right)) {
          hidden += square;
          continue;
        }
        const leftColumn = <i32>atX;
        const dx = atX - <f64>leftColumn;
        const at = line + (<usize>leftColumn << 1);
        const four = i16x8.extend_low_i8x16_s(v128.load32_lane(at + rowBytes, v128.load32_zero(at), 1));
        const upper = i32x4.extend_low_i16x8_s(four);
        const lower = i32x4.extend_high_i16x8_s(four);
        let page = f64x2.mul(f64x2.splat((1 - dx) * (1 - dy)), f64x2.convert_low_i32x4_s(upper));
        page = f64x2.add(page, f64x2.mul(f64x2.splat(dx * (1 - dy)), secondOf(upper)));
        page = f64x2.add(page, f64x2.mul(f64x2.splat((1 - dx) * dy), f64x2.convert_low_i32x4_s(lower)));
        page = f64x2.add(page, f64x2.mul(f64x2.splat(dx * dy), secondOf(lower)));
        const dot = sumOf(f64x2.mul(vector, page));
        const other = sumOf(f64x2.mul(page, page));
        dots += dot;
        ours += square;
        theirs += other;
        if (!isInner || Math.abs(<f64>(2 * column + 1 - columns)) >= 0.7 * <f64>columns) continue;
        innerDot += dot;
        innerOurs += square;
        innerTheirs += other;
      }
      store<f64>(sums, dots);
      store<f64>(sums + blocksBytes, ours);
      store<f64>(sums + 2 * blocksBytes, theirs);
    }
  }
  to += 3 * blocksBytes;
  store<f64>(to, hidden);
  store<f64>(to, innerDot, 8);
  store<f64>(to, innerOurs, 16);
  store<f64>(to, innerTheirs, 24);
}

/** The second of two vectors of integers. */
// @ts-ignore: decorator
@inline
function secondOf(pair: v128): v128 {
  return f64x2.convert_low_i32x4_s(v128.shuffle<u64>(pair, pair, 1, 1));
}

/** A vector between two neighbors: the first, and a share of the step to the second; the first two integers of each. */
// @ts-ignore: decorator
@inline
function blend(first: v128, step: v128, share: v128): v128 {
  return f64x2.add(
    f64x2.convert_low_i32x4_s(first),
    f64x2.mul(share, f64x2.convert_low_i32x4_s(step)),
  );
}

// @ts-ignore: decorator
@inline
function sumOf(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}
