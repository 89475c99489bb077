/** Two values of one kind, such as those of the left and the right zone of a comparison. */
export type Pair<T> = readonly [left: T, right: T];

/** Maps both values. */
export function mapPair<T, U>([left, right]: Pair<T>, map: (value: T, index: 0 | 1) => U): [U, U] {
  return [map(left, 0), map(right, 1)];
}
