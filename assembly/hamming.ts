/**
 * Scans 256-bit hashes for those within a Hamming distance of a query.
 *
 * Compiled by `npm run build:wasm`; the caller provides the memory. `plainScan` in
 * `src/engine/logo/index/hamming.ts` does the same in JavaScript.
 */

/**
 * Writes the row numbers of the hashes within `limit` bits of the query to `out`, in order, and returns how many there
 * are. `first` is the row number of the hash at `hashes`. `out` needs room for `count` numbers.
 */
export function scan(hashes: usize, count: i32, query: usize, limit: i64, first: i32, out: usize): i32 {
  const a = load<i64>(query, 0);
  const b = load<i64>(query, 8);
  const c = load<i64>(query, 16);
  const d = load<i64>(query, 24);
  const far = limit + 1;
  const end = hashes + ((<usize>count) << 5);
  const fours = hashes + (((<usize>count) & ~3) << 5);
  let to = out;
  let at = hashes;
  // Four at a time, with one branch: usually none of the differences is negative, and the rest of the loop is skipped.
  for (; at < fours; at += 128) {
    const p = differing(at, a, b, c, d) - far;
    const q = differing(at + 32, a, b, c, d) - far;
    const r = differing(at + 64, a, b, c, d) - far;
    const s = differing(at + 96, a, b, c, d) - far;
    if ((p | q | r | s) >= 0) continue;
    const number = first + <i32>((at - hashes) >> 5);
    if (p < 0) to = put(to, number);
    if (q < 0) to = put(to, number + 1);
    if (r < 0) to = put(to, number + 2);
    if (s < 0) to = put(to, number + 3);
  }
  for (; at < end; at += 32) {
    if (differing(at, a, b, c, d) < far) to = put(to, first + <i32>((at - hashes) >> 5));
  }
  return <i32>((to - out) >> 2);
}

// @ts-ignore: decorator
@inline
function differing(at: usize, a: i64, b: i64, c: i64, d: i64): i64 {
  return (
    popcnt<i64>(load<i64>(at, 0) ^ a) +
    popcnt<i64>(load<i64>(at, 8) ^ b) +
    popcnt<i64>(load<i64>(at, 16) ^ c) +
    popcnt<i64>(load<i64>(at, 24) ^ d)
  );
}

// @ts-ignore: decorator
@inline
function put(to: usize, number: i32): usize {
  store<i32>(to, number);
  return to + 4;
}
