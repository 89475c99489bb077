/** Time limits of connections: how long headers and bodies may take, and how long an idle connection is kept. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Times in milliseconds. */
export interface TimeLimits {
  /** Until the headers of a request are complete. */
  readonly headersMs: number;
  /** After so long, a body must keep the minimum rate. */
  readonly bodyMs: number;
  /** Time over which the rate of a body is measured, and of the looks at all connections. */
  readonly windowMs: number;
  /** Minimum rate of a body, in bytes a second. */
  readonly minBytesPerSecond: number;
}

/** 30 s, then 1 kB/s (`chosen`). */
export const defaultTimeLimits: TimeLimits = {
  headersMs: 30_000,
  bodyMs: 30_000,
  windowMs: 5_000,
  minBytesPerSecond: 1_000,
};

/** A body that arrives, and what had arrived when it was last looked at. */
interface Arriving {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly startMs: number;
  mark?: { readonly ms: number; readonly bytes: number };
}

/** Watches the bodies of a server. */
export interface BodyWatch {
  /** Watches a request that has a body until it is complete or answered. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Ends the bodies that are too slow. */
  look(nowMs: number): void;
}

/** @param end ends a connection whose body is too slow */
export function watchBodies(
  limits: TimeLimits,
  end: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): BodyWatch {
  const arriving = new Set<Arriving>();
  return {
    begin: (incoming, outgoing) => {
      if (!hasBody(incoming)) return;
      const body = { incoming, outgoing, startMs: performance.now() };
      arriving.add(body);
      outgoing.once("close", () => arriving.delete(body));
    },
    look: (nowMs) => {
      for (const body of arriving) {
        if (body.incoming.complete) arriving.delete(body);
        else if (isTooSlow(body, nowMs, limits)) {
          arriving.delete(body);
          end(body.incoming, body.outgoing);
        }
      }
    },
  };
}

/** Whether the headers of a request announce a body that is not empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
}

/** Whether too little arrived since the last look. While bytes wait for their reader, the client is not to blame. */
function isTooSlow(body: Arriving, nowMs: number, limits: TimeLimits): boolean {
  if (nowMs - body.startMs < limits.bodyMs) return false;
  const { socket, readableLength } = body.incoming;
  const { mark } = body;
  body.mark = { ms: nowMs, bytes: socket.bytesRead };
  if (!mark || readableLength > 0) return false;
  return socket.bytesRead - mark.bytes < (limits.minBytesPerSecond * (nowMs - mark.ms)) / 1_000;
}

/** Sets the limits of a server that Node knows itself, and looks at its bodies while it listens. */
export function limitTimes(server: Server, bodies: BodyWatch, limits: TimeLimits, keepAliveMs: number): void {
  server.headersTimeout = limits.headersMs;
  // Bodies have a minimum rate instead.
  server.requestTimeout = 0;
  server.keepAliveTimeout = keepAliveMs;
  const timer = setInterval(() => bodies.look(performance.now()), limits.windowMs).unref();
  server.once("close", () => clearInterval(timer));
}
