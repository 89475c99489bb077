/** A promise that a test resolves: an event to wait for, in the place of a time. */

export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

export function deferred(): Deferred {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

/** Lets everything run that is ready, several times over. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resume) => setImmediate(resume));
}
