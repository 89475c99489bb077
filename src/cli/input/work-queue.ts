/** The `--queue` option: the work queue of a command, opened from its address. */
import { DependencyUnavailableError } from "../../errors.ts";
import type { WorkQueue } from "../../queue/port.ts";
import { type CommandInput, type Io, stringOption, UsageError } from "../command.ts";
import { splitParameters, withoutPassword } from "./data-store.ts";

/** The option of commands that use a work queue. */
export const queueOption = {
  queue: {
    type: "string",
    value: "url",
    help: "The work queue: a database at postgres://...; `?name=` names the queue, `?schema=` its schema. Default: the environment variable EDGEPROOF_QUEUE, where other users cannot read a password.",
  },
} as const;

/** Name of the environment variable that holds the address of the queue. */
const variable = "EDGEPROOF_QUEUE";

const allowed = "a database at postgres://...";

/** The value of `--queue`, or that of EDGEPROOF_QUEUE. @throws {UsageError} when both are missing or empty */
export function requiredQueue(input: CommandInput, { env = {} }: Pick<Io, "env">): string {
  const option = stringOption(input, "queue");
  if (option === "") throw new UsageError(`--queue is empty; it must name ${allowed}`);
  const address = option ?? env[variable];
  if (address === undefined || address === "")
    throw new UsageError(`--queue is missing, and ${variable} is not set; it must name ${allowed}`);
  return address;
}

/** Settings of a queue that its address does not name; each has the default of the adapter. */
export interface QueueSettings {
  /** Time after which a message that is not extended is delivered again, in milliseconds. */
  readonly ackWaitMs?: number;
}

/**
 * Opens the queue at an address; the libraries behind it are loaded only now. The address may have the parameters
 * `name` and `schema`.
 *
 * @throws {UsageError} for an address of another kind, and when the queue cannot be opened; no message has a password
 */
export async function openQueue(address: string, settings: QueueSettings = {}): Promise<WorkQueue> {
  if (!/^postgres(ql)?:\/\//.test(address))
    throw new UsageError(`--queue must be ${allowed}; found \`${withoutPassword(address)}\``);
  try {
    const { openPostgresQueue } = await import("../../queue/postgres/postgres-queue.ts");
    const { rest, parameters } = splitParameters(address, ["name", "schema"]);
    return await openPostgresQueue({ connectionString: rest, ...parameters, ...settings });
  } catch (error) {
    const reason =
      error instanceof DependencyUnavailableError && error.cause instanceof Error ? error.cause : error;
    throw new UsageError(`cannot open the queue ${withoutPassword(address)}: ${(reason as Error).message}`, {
      cause: error,
    });
  }
}
