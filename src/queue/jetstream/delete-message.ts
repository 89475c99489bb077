/** Deletes messages of streams by their sequence. */
import type { Broker } from "./broker.ts";

/** Codes of the server: there is no message with this sequence, it is not in the stream, it cannot be deleted (any more). */
const noMessageFound = new Set([10037, 10043, 10057]);

/**
 * Deletes a message. Its bytes are not overwritten: nats-server 2.9, killed while it does, loses messages after them. Without
 * that, it brings back what was deleted in its last seconds.
 *
 * @returns false when it is gone already: of several processes, one deletes it
 */
export async function deleteMessage({ jsm, call }: Broker, stream: string, seq: number): Promise<boolean> {
  try {
    return await call(() => jsm.streams.deleteMessage(stream, seq, false));
  } catch (error) {
    if (noMessageFound.has((error as { code: number }).code)) return false;
    throw error;
  }
}
