/** One pass over a memory: the lower bound of the time to scan it. Only for the benchmark; not shipped. */

/** Exclusive or of all 64-bit words in `count` blocks of 32 bytes. */
export function pass(from: usize, count: i32): i64 {
  let all: i64 = 0;
  const end = from + (<usize>count << 5);
  for (let at = from; at < end; at += 32) {
    all ^= load<i64>(at, 0) ^ load<i64>(at, 8) ^ load<i64>(at, 16) ^ load<i64>(at, 24);
  }
  return all;
}
