// Edit distance of a pattern and a text: Myers' (1999) with Hyyro's (2003) term for swaps, the letters of the text as rows.

/**
 * Distance of a pattern, whose classes are at `at` to `end`, and a whole text of 1 to 64 letters: `rowTable` has the rows of the
 * text that hold each class, 64 bits each.
 */
export function wholeDistance(at: usize, end: usize, rowTable: usize, rows: u32, hasSwaps: bool): u32 {
  let plus: u64 = ~0;
  let minus: u64 = 0;
  let before: u64 = ~0;
  let equalBefore: u64 = 0;
  let score = <i32>rows;
  const last: u64 = <u64>1 << (rows - 1);
  for (let i = at; i < end; i++) {
    // Class 0 of the text equals nothing, and no pattern holds it.
    const equal = load<u64>(rowTable + (<usize>load<u8>(i) << 3));
    let flat = (((equal & plus) + plus) ^ plus) | equal | minus;
    if (hasSwaps) {
      flat |= ((~before & equal) << 1) & equalBefore;
      before = flat;
      equalBefore = equal;
    }
    const up = minus | ~(flat | plus);
    const down = plus & flat;
    score += <i32>((up & last) != 0) - <i32>((down & last) != 0);
    const upShifted = (up << 1) | 1;
    plus = (down << 1) | ~(flat | upShifted);
    minus = upShifted & flat;
  }
  return <u32>score;
}

/** Whether a pattern is within a limit of some substring of a text; the arguments are those of `wholeDistance`. */
export function isPartWithin(at: usize, end: usize, rowTable: usize, rows: u32, limit: i32, hasSwaps: bool): bool {
  let plus: u64 = 0;
  let minus: u64 = 0;
  let before: u64 = ~0;
  let equalBefore: u64 = 0;
  for (let i = at; i < end; i++) {
    const equal = load<u64>(rowTable + (<usize>load<u8>(i) << 3));
    let flat = (((equal & plus) + plus) ^ plus) | equal | minus;
    if (hasSwaps) {
      flat |= ((~before & equal) << 1) & equalBefore;
      before = flat;
      equalBefore = equal;
    }
    const up = minus | ~(flat | plus);
    const down = plus & flat;
    const upShifted = (up << 1) | 1;
    plus = (down << 1) | ~(flat | upShifted);
    minus = upShifted & flat;
  }
  let value = <i32>(end - at);
  if (value <= limit) return true;
  for (let i: u32 = 0; i < rows; i++) {
    value += <i32>((plus >> i) & 1) - <i32>((minus >> i) & 1);
    if (value <= limit) return true;
  }
  return false;
}
