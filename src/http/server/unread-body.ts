/**
 * Reads what a client still sends after its request was answered. A response that is sent before may never be read: the
 * client is busy sending, and a connection that is closed with unread bytes is reset.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

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
    // The listeners of a reader that has stopped would pause the stream.
    incoming.removeAllListeners("data");
    incoming.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > maxUnreadBytes) resolve(false);
    });
    for (const event of ["end", "close", "error"]) incoming.once(event, () => resolve(true));
    incoming.resume();
  });
}

/** Time in which a client reads the last response of its connection, in milliseconds: that of nginx. */
const lastReadMs = 5_000;

/**
 * Ends a connection whose client may still send: it is reset when it is closed with unread bytes, and the response is
 * lost. One that its client does not close would stay, so it is closed after a time.
 */
export function endReading(socket: Duplex): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lastReadMs).unref();
  socket.once("close", () => clearTimeout(timer));
}

/** A connection whose last response is sent before the end of the request is read until its client closes it. */
export function readAfterLastResponse(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // Node calls this after the last response. No event precedes it.
  socket.destroySoon = () => {
    if (incoming.complete || socket.destroyed) return Object.getPrototypeOf(socket).destroySoon.call(socket);
    if (!socket.writableEnded) endReading(socket);
  };
}
