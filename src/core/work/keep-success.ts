/** Values that are made once, on first use: the only place that keeps a promise for later callers. */

/** A value that is made by the first call, for all callers. */
export interface Kept<Value> {
  /** The value. Callers that come while it is made share the attempt; after a failed attempt, the next call tries again. */
  get(): Promise<Value>;
  /** The next call makes the value again. */
  forget(): void;
}

/** Keeps the value of `make`, and never its failure. */
export function keepSuccess<Value>(make: () => Promise<Value>): Kept<Value> {
  let kept: Promise<Value> | undefined;
  async function attempt(): Promise<Value> {
    return make();
  }
  function start(): Promise<Value> {
    const started = attempt().catch((error: unknown) => {
      if (kept === started) kept = undefined;
      throw error;
    });
    kept = started;
    return started;
  }
  return {
    get: () => kept ?? start(),
    forget: () => {
      kept = undefined;
    },
  };
}
