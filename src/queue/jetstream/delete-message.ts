/** Deletes messages of streams by their sequence. */
import type { Broker } from "./broker.ts";

/** Codes of the server: there is no message with this sequence, it is not in the stream, it cannot be deleted (any more). */
const noMessageFound = new Set([10037, 10043, 10057]);

/**
 * Deletes a message and overwrites its bytes: nats-server 2.9 writes its index every 5 seconds, and when it is killed
 * before, it brings back messages that were deleted without this, but does not deliver all of them.
 *
 * @returns false when it is gone already: of several processes, one deletes it
 */
export async function deleteMessage({ jsm, call }: Broker, stream: string, seq: number): Promise<boolean> {
  try {
    return await call(() => jsm.streams.deleteMessage(stream, seq, true));
  } catch (error) {
    if (noMessageFound.has((error as { code: number }).code)) return false;
    throw error;
  }
}
