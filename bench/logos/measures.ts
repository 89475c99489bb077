/** Recall, false-alarm rates, and the scores that reach them. */

/** Scores of pairs: a logo with its own pictures (positives), and with all others (negatives). */
export interface Trials {
  /** By transformation. */
  readonly positives: ReadonlyMap<string, readonly number[]>;
  /** By transformation: the scores above 0, and the number of pairs. */
  readonly negatives: ReadonlyMap<string, { readonly scores: readonly number[]; readonly pairs: number }>;
}

/** All scores of a map of lists. */
export function pooled(lists: Iterable<readonly number[]>): number[] {
  return [...lists].flat();
}

/** Share of scores at or above a threshold. */
export function recall(scores: readonly number[], threshold: number): number {
  return scores.length === 0 ? Number.NaN : scores.filter((s) => s >= threshold).length / scores.length;
}

/** Share of negative pairs at or above a threshold. */
export function falseAlarms(trials: Trials, threshold: number, transformation?: string): number {
  let alarms = 0;
  let pairs = 0;
  for (const [name, list] of trials.negatives) {
    if (transformation !== undefined && name !== transformation) continue;
    alarms += list.scores.filter((s) => s >= threshold).length;
    pairs += list.pairs;
  }
  return pairs === 0 ? Number.NaN : alarms / pairs;
}

/** The minimum score that keeps the false-alarm rate, over all negatives, at or below a rate. */
export function scoreAtRate(trials: Trials, rate: number): number {
  const scores: number[] = [];
  let pairs = 0;
  for (const list of trials.negatives.values()) {
    for (const score of list.scores) scores.push(score);
    pairs += list.pairs;
  }
  scores.sort((a, b) => b - a);
  const first = scores[Math.floor(rate * pairs)] ?? 0;
  return first + 1e-9;
}
