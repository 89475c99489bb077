/** Calls an observer of the user: it cannot disturb the work that it observes. */

/** Calls a function without waiting for its result; what it throws or rejects with is ignored. */
export function notify<T>(observer: ((value: T) => unknown) | undefined, create: () => T): void {
  if (observer === undefined) return;
  try {
    const result = observer(create());
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // The observer cannot report its own error anywhere.
  }
}
