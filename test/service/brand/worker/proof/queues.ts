/** The kinds of queues that the proofs run over, each with the address of an empty queue. */
import { randomUUID } from "node:crypto";
import { hasty, postgresUrl } from "../../../../store/open.ts";
import { hasNatsServer, startBroker, type TestBroker } from "../../../../support/nats-server.ts";

export interface QueueKind {
  readonly name: string;
  readonly isMissing: boolean;
  start(): Promise<void>;
  /** @param schema of the table of a queue in PostgreSQL */
  address(schema: string): string;
  stop(): Promise<void>;
  /** The outages of the store that are tested: connections that end, and connections that do not answer. */
  readonly outages: readonly ("cut" | "freeze")[];
}

let broker: TestBroker | undefined;

export const queueKinds: readonly QueueKind[] = [
  {
    name: "PostgreSQL",
    isMissing: postgresUrl === undefined,
    start: async () => {},
    address: (schema) => `${hasty(postgresUrl ?? "")}&schema=${schema}&name=${randomUUID()}`,
    stop: async () => {},
    outages: ["cut", "freeze"],
  },
  {
    name: "JetStream",
    isMissing: postgresUrl === undefined || !hasNatsServer,
    start: async () => {
      broker = await startBroker();
    },
    address: () => `${broker?.url}?name=${randomUUID()}`,
    stop: async () => {
      await broker?.remove();
      broker = undefined;
    },
    outages: ["cut"],
  },
];
