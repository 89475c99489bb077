/**
 * A lock that many readers or one writer hold, granted in the order of requests. A semaphore (`core/semaphore.ts`) is
 * something else: it limits how much work runs at a time and has no exclusive holder.
 */

type Release = () => void;

interface Waiting {
  readonly exclusive: boolean;
  readonly start: (release: Release) => void;
}

export interface Lock {
  /** The lock when it is free and has no queue, without the cost of a promise; otherwise undefined. */
  tryAcquire(exclusive: boolean): Release | undefined;
  /** @param exclusive for a writer, which holds the lock alone */
  acquire(exclusive: boolean): Promise<Release>;
  /** As `acquire`; undefined when the lock was not granted within this time, in milliseconds. */
  acquireWithin(exclusive: boolean, ms: number): Promise<Release | undefined>;
}

export function createLock(): Lock {
  const queue: Waiting[] = [];
  let readers = 0;
  let writing = false;

  function admit(): void {
    for (let next = queue[0]; next && !writing && !(next.exclusive && readers > 0); next = queue[0]) {
      queue.shift();
      if (next.exclusive) writing = true;
      else readers++;
      next.start(releaseOnce(next.exclusive));
    }
  }

  function releaseOnce(exclusive: boolean): Release {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (exclusive) writing = false;
      else readers--;
      admit();
    };
  }

  return {
    tryAcquire: (exclusive) => {
      if (writing || queue.length > 0 || (exclusive && readers > 0)) return undefined;
      if (exclusive) writing = true;
      else readers++;
      return releaseOnce(exclusive);
    },
    acquire: (exclusive) =>
      new Promise((start) => {
        queue.push({ exclusive, start });
        admit();
      }),
    acquireWithin: (exclusive, ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(waiting), 1);
          admit();
          resolve(undefined);
        }, ms);
        const waiting: Waiting = {
          exclusive,
          start: (release) => {
            clearTimeout(timer);
            resolve(release);
          },
        };
        queue.push(waiting);
        admit();
      }),
  };
}
