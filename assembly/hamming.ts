/**
 * Scan of 256-bit hashes for those within a Hamming distance of one query.
 *
 * Compiled by `node --import tsx scripts/build-wasm-hamming.ts`; the memory belongs to the caller. Its plain
 * twin is `scanPlain` in `src/engine/brand/logo/hamming.ts`.
 */

/**
 * Writes the numbers of the hashes that lie within `limit` bits of the query to `out`, in order, and gives how many.
 * `first` is the number of the hash at `hashes`. `out` needs room for `count` + 1 numbers.
 */
export function scan(hashes: usize, count: i32, query: usize, limit: i64, first: i32, out: usize): i32 {
  const a = load<i64>(query, 0);
  const b = load<i64>(query, 8);
  const c = load<i64>(query, 16);
  const d = load<i64>(query, 24);
  let to = out;
  const end = hashes + ((<usize>count) << 5);
  let number = first;
  for (let at = hashes; at < end; at += 32) {
    const bits =
      popcnt<i64>(load<i64>(at, 0) ^ a) +
      popcnt<i64>(load<i64>(at, 8) ^ b) +
      popcnt<i64>(load<i64>(at, 16) ^ c) +
      popcnt<i64>(load<i64>(at, 24) ^ d);
    // Written always, kept only when near: cheaper than a branch.
    store<i32>(to, number);
    to += (<usize>i32(bits <= limit)) << 2;
    number++;
  }
  return <i32>((to - out) >> 2);
}
