/** Dead letters: copies with their reasons in a stream of their own, oldest first. */
import type { Msg } from "@nats-io/transport-node";
import { cutReason, type DeadLetter } from "../port.ts";
import { type Broker, fullError, isLimitReached } from "./broker.ts";
import { deleteMessage } from "./delete-message.ts";
import type { Layout } from "./layout.ts";
import { headerNames, isId, keyOf, readHeader, setHeader } from "./messages.ts";

/** The dead letters of a queue. All functions reject with a DependencyUnavailableError. */
export interface DeadLetters {
  /** Adds a copy of a message. */
  add(message: Msg, position: { readonly id: string; readonly seq: number }, reason: string): Promise<void>;
  /** Whether there is a copy of the message with this sequence. */
  has(id: string, seq: number): Promise<boolean>;
  /** The oldest ones. */
  list(limit: number): Promise<readonly DeadLetter[]>;
  /** Whether there is one with this id; without its body, since each `put` asks. */
  exists(id: string): Promise<boolean>;
  /** The letter with this id. */
  find(id: string): Promise<DeadLetter | undefined>;
  /** Removes a letter. @returns false when there is none with this id */
  remove(id: string): Promise<boolean>;
}

/** Status of the server: there is no message of the subject. */
const notFound = 404;

/** The dead letters of a queue. */
export function createDeadLetters(broker: Broker, layout: Layout, requestTimeoutMs: number): DeadLetters {
  const { nats, nc, js, jsm, call } = broker;
  const get = (query: { last_by_subj: string } | { seq: number; next_by_subj: string }) =>
    call(() => jsm.streams.getMessage(layout.dead, query));

  type Stored = NonNullable<Awaited<ReturnType<typeof get>>>;
  const idIn = ({ subject }: Stored) => subject.slice(subject.lastIndexOf(".") + 1);
  const letterOf = (stored: Stored): DeadLetter => ({
    id: idIn(stored),
    body: stored.data,
    key: keyOf(stored.header),
    reason: String(readHeader(stored.header, headerNames.reason) ?? ""),
  });
  const sequenceOf = (stored: Stored) => Number(readHeader(stored.header, headerNames.sequence) ?? 0);

  const find = async (id: string) => (isId(id) ? get({ last_by_subj: layout.deadSubject(id) }) : null);

  return {
    add: async ({ data, headers: given }, { id, seq }, reason) => {
      const headers = nats.headers();
      setHeader(headers, headerNames.key, keyOf(given));
      setHeader(headers, headerNames.reason, cutReason(reason));
      setHeader(headers, headerNames.sequence, seq);
      try {
        await call(() => js.publish(layout.deadSubject(id), data, { headers }));
      } catch (error) {
        throw isLimitReached(error) ? fullError(layout.dead, error) : error;
      }
    },
    has: async (id, seq) => {
      const stored = await find(id);
      return stored !== null && sequenceOf(stored) === seq;
    },
    list: async (limit) => {
      const letters: DeadLetter[] = [];
      let seq = 1;
      while (letters.length < limit) {
        const stored = await get({ seq, next_by_subj: layout.deadSubject("*") });
        if (!stored) break;
        letters.push(letterOf(stored));
        seq = stored.seq + 1;
      }
      return letters;
    },
    exists: (id) =>
      call(async () => {
        const subject = `${js.apiPrefix}.DIRECT.GET.${layout.dead}.${layout.deadSubject(id)}`;
        const answer = await nc.request(subject, undefined, { timeout: requestTimeoutMs });
        return answer.headers?.code !== notFound;
      }),
    find: async (id) => {
      const stored = await find(id);
      return stored ? letterOf(stored) : undefined;
    },
    remove: async (id) => {
      const stored = await find(id);
      return stored !== null && deleteMessage(broker, layout.dead, stored.seq);
    },
  };
}
