/** Lets other work run, where there is no `setImmediate`. */

/** Resolves in a later turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 0));
}
