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
  /**
   * Removes one, and the message that it is a copy of.
   *
   * @param before runs in between, with the letter; when it resolves to false, the letter stays
   */
  remove(id: string, before?: (letter: DeadLetter) => Promise<boolean>): Promise<boolean>;
}

/** The dead letters of a queue. */
export function createDeadLetters(broker: Broker, layout: Layout): DeadLetters {
  const { nats, js, jsm, call } = broker;
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
    remove: async (id, before = async () => true) => {
      const stored = await find(id);
      if (!stored) return false;
      // First the message, which locks the key: a letter that stays can be removed again.
      await deleteMessage(broker, layout.work, sequenceOf(stored));
      return (await before(letterOf(stored))) && deleteMessage(broker, layout.dead, stored.seq);
    },
  };
}
