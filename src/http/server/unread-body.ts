/**
 * Reads what a client still sends after its request was answered. A response that is sent before may never be read: the
 * client is busy sending, and a connection that is closed with unread bytes is reset.
 */
import type { IncomingMessage } from "node:http";

/** Maximum number of bytes that are read of a body that is not needed: 64 MiB. */
const maxUnreadBytes = 64 * 2 ** 20;

/**
 * Resolves when the body has ended, the client has left, or the maximum was read. No one else may read the body any more.
 *
 * @returns whether the connection can be used for another request
 */
export function readUnreadBody(incoming: IncomingMessage): Promise<boolean> {
  if (incoming.complete || incoming.destroyed) {
    // Bytes without a reader would keep the next request from being read.
    if (!incoming.readableEnded) incoming.resume();
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    let bytes = 0;
    // Those of a reader that has stopped would pause the stream.
    incoming.removeAllListeners("data");
    incoming.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > maxUnreadBytes) resolve(false);
    });
    for (const event of ["end", "close", "error"]) incoming.once(event, () => resolve(true));
    incoming.resume();
  });
}
