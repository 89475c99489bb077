/**
 * The kernels of dense logo detection: halving, gradient field, responses, sums over templates, correlation.
 *
 * Compiled by `node --import tsx scripts/build-wasm-dense.ts`; the caller provides the memory and its layout
 * (`src/engine/logo/dense/page-layout.ts`). `src/engine/logo/dense/kernels/plain-kernels.ts` does the same in TypeScript, with
 * the same integers and the same order of operations on 32-bit floats.
 */

/**
 * Splits pixels of four bytes (red, green, blue, alpha) into three planes; `count` is a multiple of 16. Returns whether
 * all pixels are opaque.
 */
export function split(from: usize, count: i32, red: usize, green: usize, blue: usize): i32 {
  let all = i8x16.splat(-1);
  for (let i: usize = 0, n = <usize>count; i < n; i += 16) {
    const a = v128.load(from, 0);
    const b = v128.load(from, 16);
    const c = v128.load(from, 32);
    const d = v128.load(from, 48);
    from += 64;
    all = v128.and(all, v128.and(v128.and(a, b), v128.and(c, d)));
    // Red and green of eight pixels, then blue of eight pixels.
    const p = v128.shuffle<u8>(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const q = v128.shuffle<u8>(c, d, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const r = v128.shuffle<u8>(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
    const s = v128.shuffle<u8>(c, d, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
    v128.store(red + i, v128.shuffle<u64>(p, q, 0, 2));
    v128.store(green + i, v128.shuffle<u64>(p, q, 1, 3));
    v128.store(blue + i, v128.shuffle<u64>(r, s, 0, 2));
  }
  return i32(i32x4.all_true(i32x4.eq(v128.or(all, i32x4.splat(0xffffff)), i32x4.splat(-1))));
}

/** Averages 2 x 2 values of two rows; writes `count` values, rounded up to a multiple of 16. */
export function halveRow(upper: usize, lower: usize, count: i32, to: usize): void {
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

/** One row of the gradient field and its bins, eight pixels at a time: `count` rounded up to a multiple of 8. */
export function fieldRow(
  red: usize,
  green: usize,
  blue: usize,
  stride: usize,
  count: i32,
  soft: f32,
  minSquare: i32,
  field: usize,
  bins: usize,
): void {
  const softness = f32x4.splat(soft);
  const minimum = i16x8.splat(<i16>minSquare);
  const zero = i32x4.splat(0);
  for (let i: usize = 0, n = <usize>count; i < n; i += 8) {
    sobel(red + i, stride);
    let x = gx;
    let y = gy;
    let size = i16x8.add(i16x8.abs(x), i16x8.abs(y));
    sobel(green + i, stride);
    let other = i16x8.add(i16x8.abs(gx), i16x8.abs(gy));
    let larger = i16x8.gt_s(other, size);
    x = v128.bitselect(gx, x, larger);
    y = v128.bitselect(gy, y, larger);
    size = i16x8.max_s(other, size);
    sobel(blue + i, stride);
    other = i16x8.add(i16x8.abs(gx), i16x8.abs(gy));
    larger = i16x8.gt_s(other, size);
    x = v128.bitselect(gx, x, larger);
    y = v128.bitselect(gy, y, larger);
    size = i16x8.max_s(other, size);
    if (!v128.any_true(size)) {
      v128.store(field + (i << 1), zero);
      store<u64>(bins + i, 0);
      continue;
    }
    const low = vectors(i32x4.extend_low_i16x8_s(x), i32x4.extend_low_i16x8_s(y), softness);
    const lowV = vectorV;
    const high = vectors(i32x4.extend_high_i16x8_s(x), i32x4.extend_high_i16x8_s(y), softness);
    const u = i16x8.narrow_i32x4_s(low, high);
    const v = i16x8.narrow_i32x4_s(lowV, vectorV);
    const pair = i8x16.narrow_i16x8_s(u, v);
    v128.store(
      field + (i << 1),
      v128.shuffle<u8>(pair, pair, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15),
    );
    const bits = binsOf(u, v, minimum);
    store<u64>(bins + i, i64x2.extract_lane(i8x16.narrow_i16x8_u(bits, bits), 0));
  }
}

let vectorV: v128 = i32x4.splat(0);

/** The field of four gradients: 127 m (cos 2t, sin 2t) with m = g / (g + soft). Returns the first, stores the second. */
// @ts-ignore: decorator
@inline
function vectors(x: v128, y: v128, softness: v128): v128 {
  const xx = i32x4.mul(x, x);
  const yy = i32x4.mul(y, y);
  const g = f32x4.sqrt(f32x4.convert_i32x4_s(i32x4.add(xx, yy)));
  const size = f32x4.max(f32x4.mul(g, f32x4.add(g, softness)), f32x4.splat(1));
  const k = f32x4.div(f32x4.splat(127), size);
  const shift = f32x4.splat(128.5);
  const base = i32x4.splat(128);
  const u = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(xx, yy)), k), shift);
  const v = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(i32x4.shl(i32x4.mul(x, y), 1)), k), shift);
  vectorV = i32x4.sub(i32x4.trunc_sat_f32x4_s(v), base);
  return i32x4.sub(i32x4.trunc_sat_f32x4_s(u), base);
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

/** The union of the bins of five (or, with `near`, three) rows. */
export function unionRows(bins: usize, stride: usize, count: i32, near: i32, to: usize): void {
  const twice = stride << 1;
  for (let i: usize = 0, n = <usize>count; i < n; i += 16) {
    const at = bins + i;
    let all = v128.or(v128.or(v128.load(at - stride), v128.load(at)), v128.load(at + stride));
    if (!near) all = v128.or(all, v128.or(v128.load(at - twice), v128.load(at + twice)));
    v128.store(to + i, all);
  }
}

// @ts-ignore: decorator
@inline
function unionFive(at: usize): v128 {
  return v128.or(
    v128.or(v128.or(v128.load(at - 2), v128.load(at - 1)), v128.load(at)),
    v128.or(v128.load(at + 1), v128.load(at + 2)),
  );
}

// @ts-ignore: decorator
@inline
function unionThree(at: usize): v128 {
  return v128.or(v128.or(v128.load(at - 1), v128.load(at)), v128.load(at + 1));
}

/**
 * The responses of one row of united bins at every fourth pixel: `count` pixels, a multiple of 64. The response of bin
 * o at phase p is written to `to + o * binBytes + p * phaseBytes`.
 */
export function respondRow(row: usize, count: i32, to: usize, binBytes: usize, phaseBytes: usize): void {
  for (let i: usize = 0, n = <usize>count; i < n; i += 64) {
    const a = unionFive(row + i);
    const b = unionFive(row + i + 16);
    const c = unionFive(row + i + 32);
    const d = unionFive(row + i + 48);
    const p = v128.shuffle<u8>(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const q = v128.shuffle<u8>(c, d, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
    const r = v128.shuffle<u8>(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
    const s = v128.shuffle<u8>(c, d, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
    const out = to + (i >> 2);
    respond(v128.shuffle<u64>(p, q, 0, 2), out, binBytes);
    respond(v128.shuffle<u64>(p, q, 1, 3), out + phaseBytes, binBytes);
    respond(v128.shuffle<u64>(r, s, 0, 2), out + phaseBytes * 2, binBytes);
    respond(v128.shuffle<u64>(r, s, 1, 3), out + phaseBytes * 3, binBytes);
  }
}

/** The same with unions of three at every second pixel; `count` is a multiple of 32. */
export function respondRowNear(row: usize, count: i32, to: usize, binBytes: usize, phaseBytes: usize): void {
  for (let i: usize = 0, n = <usize>count; i < n; i += 32) {
    const a = unionThree(row + i);
    const b = unionThree(row + i + 16);
    const out = to + (i >> 1);
    respond(v128.shuffle<u8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), out, binBytes);
    respond(
      v128.shuffle<u8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31),
      out + phaseBytes,
      binBytes,
    );
  }
}

/**
 * The responses of 16 unions: 4 for a set bin, 2 for a neighbor of one, less a tenth of the sum over bins (2 for a set
 * bin, 1 for a neighbor), rounded.
 */
// @ts-ignore: decorator
@inline
function respond(bits: v128, to: usize, binBytes: usize): void {
  if (!v128.any_true(bits)) {
    const zero = i32x4.splat(0);
    for (let o: usize = 0; o < 8; o++) v128.store(to + o * binBytes, zero);
    return;
  }
  const one = i8x16.splat(1);
  const high = i8x16.splat(-128);
  const left = v128.or(i8x16.shl(bits, 1), v128.and(i8x16.shr_u(bits, 7), one));
  const right = v128.or(i8x16.shr_u(bits, 1), v128.and(i8x16.shl(bits, 7), high));
  const near = v128.andnot(v128.or(left, right), bits);
  const sum = i8x16.add(i8x16.shl(i8x16.popcnt(bits), 1), i8x16.popcnt(near));
  const index = i8x16.min_u(sum, i8x16.splat(15));
  const full = i8x16.swizzle(i8x16(4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2), index);
  const half = i8x16.swizzle(i8x16(2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0), index);
  for (let o = 0; o < 8; o++) {
    const bit = i8x16.splat(<i8>((<i32>1) << o));
    const isSet = i8x16.eq(v128.and(bits, bit), bit);
    const isNear = i8x16.eq(v128.and(near, bit), bit);
    v128.store(to, v128.or(v128.and(full, isSet), v128.and(half, isNear)));
    to += binBytes;
  }
}

/**
 * Sums the responses of templates at groups of 16 cells, and records the groups whose largest sum exceeds the
 * template's threshold. The threshold rises so that few more than `keep` groups are recorded.
 *
 * A template is `templateBytes` long: number of features, threshold, number of records, room for records, address of
 * the records, then the offsets of its features from a cell (each 4 bytes), at 544 the counts of records by sum. A
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
    const fours = groups + ((<usize>(groupCount & ~3)) << 2);
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
        // A response is at most 4, as is the rest of the features in bytes: no sum can still exceed the threshold.
        const all = i8x16.max_u(i8x16.max_u(s0, s1), i8x16.max_u(s2, s3));
        exceeds = v128.any_true(i8x16.gt_u(all, i8x16.sub_sat_u(limit, i8x16.splat(<i8>(features - f)))));
        if (!exceeds) break;
      }
      if (!exceeds) continue;
      record(templates, at0, s0, keep);
      record(templates, at1, s1, keep);
      record(templates, at2, s2, keep);
      record(templates, at3, s3, keep);
      limit = u8x16_splat(load<i32>(templates, 4));
    }
    const end = groups + (<usize>groupCount << 2);
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

// @ts-ignore: decorator
@inline
function u8x16_splat(value: i32): v128 {
  return i8x16.splat(<i8>value);
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
  const count = load<i32>(template, 8);
  if (count >= load<i32>(template, 12)) return;
  const lane = ctz(i8x16.bitmask(i8x16.eq(sums, max)));
  const to = <usize>load<u32>(template, 16) + (<usize>count << 3);
  store<u32>(to, <u32>at + lane);
  store<u32>(to, <u32>best, 4);
  store<i32>(template, count + 1, 8);
  const counts = template + 544;
  store<i32>(counts + (<usize>best << 2), load<i32>(counts + (<usize>best << 2)) + 1);
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
  let best: f64 = -1;
  let place = 0;
  const end = points + (<usize>count << 3);
  for (let y = 0; y < 4; y++) {
    let dots = i32x4.splat(0);
    let squares = i32x4.splat(0);
    for (let p = points; p < end; p += 8) {
      const field = v128.load8x8_s(at + <usize>load<i32>(p));
      dots = i32x4.add(dots, i32x4.dot_i16x8_s(field, v128.load32_splat(p, 4)));
      squares = i32x4.add(squares, i32x4.dot_i16x8_s(field, field));
    }
    let value = cosine(i32x4.extract_lane(dots, 0), i32x4.extract_lane(squares, 0), energy);
    if (value > best) {
      best = value;
      place = y * 4;
    }
    value = cosine(i32x4.extract_lane(dots, 1), i32x4.extract_lane(squares, 1), energy);
    if (value > best) {
      best = value;
      place = y * 4 + 1;
    }
    value = cosine(i32x4.extract_lane(dots, 2), i32x4.extract_lane(squares, 2), energy);
    if (value > best) {
      best = value;
      place = y * 4 + 2;
    }
    value = cosine(i32x4.extract_lane(dots, 3), i32x4.extract_lane(squares, 3), energy);
    if (value > best) {
      best = value;
      place = y * 4 + 3;
    }
    at += rowBytes;
  }
  store<f64>(to, best);
  store<i32>(to, place, 8);
}

/** The cosine; weak fields count as if they had a twentieth of the template's energy more. */
// @ts-ignore: decorator
@inline
function cosine(dot: i32, square: i32, energy: f64): f64 {
  return <f64>dot / Math.sqrt(energy * (<f64>square + energy * 0.05));
}

/**
 * The sums of a cosine of points between the pixels of a field, in the order of the points. A point has four 64-bit
 * floats: x, y, u, v. Point (x, y) is at (left + x across - 0.5, top + y down - 0.5); it counts when that is in the
 * picture, which is `padding` pixels from the edges of its planes. Stores the products of vectors, the squares of the
 * field's vectors and those of the points' at `to`, each a 64-bit float.
 */
export function cosineSums(
  points: usize,
  count: i32,
  field: usize,
  stride: i32,
  width: i32,
  height: i32,
  padding: i32,
  left: f64,
  top: f64,
  across: f64,
  down: f64,
  to: usize,
): void {
  let dot: f64 = 0;
  let squares: f64 = 0;
  let visible: f64 = 0;
  const low = <f64>padding;
  const right = <f64>(padding + width);
  const bottom = <f64>(padding + height);
  const rowBytes = <usize>stride << 1;
  for (const end = points + (<usize>count << 5); points < end; points += 32) {
    const x = left + load<f64>(points) * across - 0.5;
    const y = top + load<f64>(points, 8) * down - 0.5;
    if (!(x >= low && y >= low && x < right && y < bottom)) continue;
    const column = <i32>x;
    const row = <i32>y;
    const at = field + ((<usize>row * stride + column) << 1);
    const upper = blend(v128.load32_zero(at), f64x2.splat(x - <f64>column));
    const lower = blend(v128.load32_zero(at + rowBytes), f64x2.splat(x - <f64>column));
    const page = f64x2.add(upper, f64x2.mul(f64x2.splat(y - <f64>row), f64x2.sub(lower, upper)));
    const vector = v128.load(points, 16);
    dot += sumOf(f64x2.mul(vector, page));
    squares += sumOf(f64x2.mul(page, page));
    visible += sumOf(f64x2.mul(vector, vector));
  }
  store<f64>(to, dot);
  store<f64>(to, squares, 8);
  store<f64>(to, visible, 16);
}

/** A vector between two neighbors of four bytes. */
// @ts-ignore: decorator
@inline
function blend(pair: v128, share: v128): v128 {
  const words = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(pair));
  const first = f64x2.convert_low_i32x4_s(words);
  const second = f64x2.convert_low_i32x4_s(v128.shuffle<u64>(words, words, 1, 0));
  return f64x2.add(first, f64x2.mul(share, f64x2.sub(second, first)));
}

// @ts-ignore: decorator
@inline
function sumOf(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}
