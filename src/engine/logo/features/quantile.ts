/** Selection of the value at a rank, without sorting. */

/** The value that sorting would put at index `rank`; reorders the values (Hoare's selection, middle as the pivot). */
export function valueAtRank(values: Float64Array, rank: number): number {
  let first = 0;
  let last = values.length - 1;
  while (first < last) {
    const pivot = values[(first + last) >> 1] ?? 0;
    let low = first;
    let high = last;
    while (low <= high) {
      while ((values[low] ?? pivot) < pivot) low++;
      while ((values[high] ?? pivot) > pivot) high--;
      if (low > high) break;
      const value = values[low] ?? 0;
      values[low++] = values[high] ?? 0;
      values[high--] = value;
    }
    if (rank <= high) last = high;
    else if (rank >= low) first = low;
    else break;
  }
  return values[rank] ?? 0;
}
