/** Requests for one message each: nothing is taken ahead, so that a crash concerns only the messages that are worked on. */
import type { Msg } from "@nats-io/transport-node";
import { DependencyUnavailableError } from "../../errors.ts";
import { closedError } from "../port.ts";
import type { Broker } from "./broker.ts";
import type { Layout } from "./layout.ts";

/** Statuses of the server: no messages, none in time, and limits of requests. */
const noMessage = new Set([404, 408, 409]);
/** Status of the server: nothing receives the request. */
const noReceiver = 503;

/**
 * Asks for one message.
 *
 * @param waitMs 0 asks only for a message that is there
 * @param putBack receives a message that comes after the signal was aborted
 * @returns undefined when there is none; `lost` when the connection was lost meanwhile, `silent` when nothing answers:
 * the consumer is missing, or the request or the answer was lost
 */
export function pullMessage(
  broker: Broker,
  layout: Layout,
  {
    waitMs,
    graceMs,
    signal,
    putBack,
  }: {
    readonly waitMs: number;
    readonly graceMs: number;
    readonly signal: AbortSignal | undefined;
    readonly putBack: (message: Msg) => void;
  },
): Promise<Msg | undefined | "lost" | "silent"> {
  const { nats, nc, js } = broker;
  return broker.call(
    () =>
      new Promise((resolve, reject) => {
        // It may have been aborted while the connection was lost.
        signal?.throwIfAborted();
        let isOver = false;
        const end = () => {
          isOver = true;
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          ignoreLoss();
          subscription.unsubscribe();
        };
        const abort = () => reject(signal?.reason);
        const inbox = nats.createInbox();
        const subscription = nc.subscribe(inbox, {
          callback: (error, message) => {
            if (isOver) return;
            end();
            // Only a message that was published has a subject for its acknowledgement; its headers may have any status.
            const status = message?.reply ? 0 : (message?.headers?.code ?? 0);
            if (error) reject(error);
            else if (status !== 0 && noMessage.has(status)) resolve(undefined);
            else if (status === noReceiver) resolve("silent");
            else if (status !== 0) reject(statusError(message, layout));
            else if (signal?.aborted) putBack(message);
            else resolve(message);
          },
        });
        const ignoreLoss = broker.onLost(() => {
          end();
          if (broker.isClosed()) reject(closedError());
          else resolve("lost");
        });
        // A consumer answers in any case.
        const timer = setTimeout(() => {
          end();
          resolve("silent");
        }, waitMs + graceMs);
        signal?.addEventListener("abort", abort);
        const how = waitMs > 0 ? { expires: nats.nanos(Math.ceil(waitMs)) } : { no_wait: true };
        const subject = `${js.apiPrefix}.CONSUMER.MSG.NEXT.${layout.work}.${layout.consumer}`;
        nc.publish(subject, JSON.stringify({ batch: 1, ...how }), { reply: inbox });
      }),
  );
}

function statusError({ headers }: Msg, { consumer, work }: Layout): DependencyUnavailableError {
  const why = headers?.description || "no server answers";
  return new DependencyUnavailableError(
    `the consumer ${consumer} of the stream ${work} does not deliver: ${headers?.code} ${why}`,
  );
}
