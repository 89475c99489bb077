/** Signals that stop a command: the first one lets it finish, the second one ends the process. */

/** SIGHUP is sent when a terminal closes. */
const signals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** Default time in which a command finishes after a signal, in milliseconds. */
const defaultMaxMs = 2_000;

/** Returns the function that makes signals abort `stop`; a further call changes the maximum time. */
export function createSignalHandler(stop: AbortController): (maxMs?: number) => void {
  let limitMs: number | undefined;
  function onSignal(signal: NodeJS.Signals): void {
    if (stop.signal.aborted) endBy(signal);
    stop.abort();
    setTimeout(() => endBy(signal), limitMs).unref();
  }
  return (maxMs = defaultMaxMs) => {
    if (limitMs === undefined) for (const signal of signals) process.on(signal, onSignal);
    limitMs = maxMs;
  };
}

/** Ends the process as the signal does without a listener, but after those of `exit`: open stores close in them. */
function endBy(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.once("exit", () => process.kill(process.pid, signal));
  process.exit();
}
