/** Deletes messages of streams by their sequence. */
import type { Broker } from "./broker.ts";

/** Codes of the server: there is no message with this sequence. */
const noMessageFound = new Set([10037, 10057]);

/** Deletes a message. @returns false when it is gone already: of several processes, one deletes it */
export async function deleteMessage({ jsm, call }: Broker, stream: string, seq: number): Promise<boolean> {
  try {
    // The bytes are not overwritten: that costs a write of the whole block.
    return await call(() => jsm.streams.deleteMessage(stream, seq, false));
  } catch (error) {
    if (noMessageFound.has((error as { code: number }).code)) return false;
    throw error;
  }
}
