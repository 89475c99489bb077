// Edit distance of a pattern and a whole text: Myers' (1999) with Hyyro's (2003) term for swaps, the letters of the text as rows.

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
