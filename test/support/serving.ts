/** Runs `edgeproof serve` in this process while a test uses it. */
import { edgeproof } from "./cli.ts";

/** The addresses that a server has printed. */
export interface ServedAddresses {
  /** Base URL of the interface. */
  readonly url: string;
  /** Base URL of the administrative interface; empty without one. */
  readonly admin: string;
}

/** Runs the command with these words until the work is done. @throws with what it printed when it fails */
export async function serving<T>(
  words: readonly string[],
  work: (addresses: ServedAddresses) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let started = (_text: string): void => {};
  const printed = new Promise<string>((resolve) => {
    started = resolve;
  });
  const command = edgeproof(["serve", "--port", "0", "--json", ...words], "", {
    signal: stop.signal,
    onOut: started,
  });
  const failed = command.then(({ code, err }) =>
    Promise.reject(new Error(`serve ended with ${code}: ${err}`)),
  );
  failed.catch(() => {});
  try {
    const { url, admin = "" } = JSON.parse(await Promise.race([printed, failed])) as ServedAddresses;
    return await work({ url, admin });
  } finally {
    stop.abort();
    await command;
  }
}
