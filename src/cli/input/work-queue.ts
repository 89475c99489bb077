/** The `--queue` option: the work queue of a command, opened from its address. */
import { isPackageFailure, quote } from "../../errors.ts";
import type { JetStreamQueueOptions } from "../../queue/jetstream/options.ts";
import type { WorkQueue } from "../../queue/port.ts";
import { type Io, UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import { type queueOption, variables } from "../options/stores.ts";
import { reasonOf, splitParameters, withoutPassword } from "./data-store.ts";

const allowed = "NATS servers at nats://... or a database at postgres://...";

/** The value of `--queue`, or that of EDGEPROOF_QUEUE. @throws {UsageError} when both are missing or empty */
export function requiredQueue(options: ValuesOf<typeof queueOption>, { env = {} }: Pick<Io, "env">): string {
  const { queue } = options;
  if (queue === "") throw new UsageError(`--queue is empty; it must name ${allowed}`);
  const address = queue ?? env[variables.queue];
  if (address === undefined || address === "")
    throw new UsageError(`--queue is missing, and ${variables.queue} is not set; it must name ${allowed}`);
  return address;
}

/** Settings of a queue that its address does not name. */
export interface QueueSettings {
  /** Time after which a message that is not extended is delivered again, in milliseconds. Default: that of the queue. */
  readonly ackWaitMs?: number;
  /** Whether a queue that does not exist is created. Default true. */
  readonly create?: boolean;
  /** NATS: maximum size of all messages, in bytes. Default: that of the queue. */
  readonly maxQueueBytes?: number;
  /** NATS: number of servers that keep each message. Default: that of the queue. */
  readonly replicas?: number;
}

const natsPattern = /^(nats|tls):\/\//;

/** Whether the queue of an address is in NATS. */
export function isNatsAddress(address: string): boolean {
  return natsPattern.test(address);
}

/** Opens the queue at an address, with its libraries. */
const adapters: readonly [
  pattern: RegExp,
  open: (address: string, settings: QueueSettings) => Promise<WorkQueue>,
][] = [
  [
    /^postgres(ql)?:\/\//,
    async (address, settings) => {
      const { openPostgresQueue } = await import("../../queue/postgres/postgres-queue.ts");
      const { rest, parameters } = splitParameters(address, ["name", "schema"]);
      const { maxQueueBytes: _size, replicas: _replicas, ...own } = settings;
      return openPostgresQueue({ connectionString: rest, ...parameters, ...own });
    },
  ],
  [
    natsPattern,
    async (address, settings) => {
      const { openJetStreamQueue } = await import("../../queue/jetstream/jetstream-queue.ts");
      return openJetStreamQueue({ ...natsOptions(address), ...settings });
    },
  ],
];

/** Parameters of the addresses of NATS servers, and their options. */
const natsParameters = {
  name: "name",
  creds: "credsFile",
  ca: "caFile",
  cert: "certFile",
  key: "keyFile",
} as const;

/** The servers, separated by commas, and the parameters that follow them. @throws {RangeError} for an unknown one */
function natsOptions(address: string): JetStreamQueueOptions {
  const [servers = "", query = ""] = address.split(/\?(.*)/s);
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => {
    if (Object.hasOwn(natsParameters, name))
      return [natsParameters[name as keyof typeof natsParameters], value];
    throw new RangeError(
      `the parameters of an address are ${Object.keys(natsParameters)}; found ${quote(name)}`,
    );
  });
  return { servers, ...Object.fromEntries(parameters) };
}

/**
 * Opens the queue at an address; the libraries behind it are loaded only now. Parameters of an address: `name` and, in
 * PostgreSQL, `schema`; in NATS `creds`, `ca`, `cert` and `key` name files.
 *
 * @throws {UsageError} for an address of another kind, and when the queue cannot be opened; no message has a password
 */
export async function openQueue(address: string, settings: QueueSettings = {}): Promise<WorkQueue> {
  const open = adapters.find(([pattern]) => pattern.test(address))?.[1];
  if (!open) throw new UsageError(`--queue must be ${allowed}; found \`${withoutPassword(address)}\``);
  try {
    return await open(address, settings);
  } catch (error) {
    if (isPackageFailure(error)) throw error;
    throw new UsageError(`cannot open the queue ${withoutPassword(address)}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
