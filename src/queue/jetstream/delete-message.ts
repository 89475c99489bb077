/** Deletes messages of streams by their sequence. */
import type { Broker } from "./broker.ts";

/** Codes of the server: there is no message with this sequence, it is not in the stream, it cannot be deleted (any more). */
const noMessageFound = new Set([10037, 10043, 10057]);

/**
 * Deletes a message.
 *
 * @param erase whether its bytes are overwritten: a server that is killed at once does not bring it back, which one that
 * only writes its index every few seconds (2.9: 5) does; costs the server about twice as much
 * @returns false when it is gone already: of several processes, one deletes it
 */
export async function deleteMessage(
  { jsm, call }: Broker,
  stream: string,
  seq: number,
  erase = false,
): Promise<boolean> {
  try {
    return await call(() => jsm.streams.deleteMessage(stream, seq, erase));
  } catch (error) {
    if (noMessageFound.has((error as { code: number }).code)) return false;
    throw error;
  }
}
