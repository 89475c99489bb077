/** `edgeproof queue`: the numbers, the settings and the dead letters of a work queue. */
import type { DeadLetter, WorkQueue } from "../../../queue/port.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  formatJson,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../../command.ts";
import { withoutPassword } from "../../input/data-store.ts";
import { isNatsAddress, openQueue, queueOption, requiredQueue } from "../../input/work-queue.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { formatCount, formatNumber } from "../../output/progress.ts";
import { printTable } from "../../output/table.ts";
import { explained } from "./export.ts";

/** Numbers that are settings or limits, with their ranges. */
const numbers = {
  "ack-wait": { value: "seconds", min: 1, max: 3_600 },
  "max-size": { value: "MB", min: 1, max: 10_000_000 },
  replicas: { value: "number", min: 1, max: 5 },
  limit: { value: "number", min: 1, max: 10_000 },
} as const;

export const queue: CommandDefinition = {
  about: [
    "`status` prints how many messages wait, are taken and are set aside, and the age of the oldest. `setup` creates the queue, or checks its settings. `dead list` prints the messages that were set aside, with the reasons; `dead retry` delivers them again without tries, `dead drop` removes them.",
    "A queue in NATS that has other settings than edgeproof needs, or than the options ask for, is rejected with the name of each setting, its value and the expected one; the `nats` program can change them.",
  ],
  positionals: "status|setup|dead list|dead retry [id...]|dead drop [id...]",
  options: {
    ...queueOption,
    "ack-wait": {
      type: "string",
      value: "seconds",
      help: "setup, NATS: Time after which what a killed worker had is delivered again, 1 to 3600. Default 30 for a new queue.",
    },
    "max-size": {
      type: "string",
      value: "MB",
      help: "setup, NATS: Maximum size of all messages in megabytes, from 1. Default 1074 for a new queue.",
    },
    replicas: {
      type: "string",
      value: "number",
      help: "setup, NATS: Number of servers of a cluster that keep each message, 1 to 5. Default 1 for a new queue.",
    },
    synced: {
      type: "boolean",
      help: "setup, NATS: The servers write each message to their disks before they acknowledge it; print no warning.",
    },
    limit: {
      type: "string",
      value: "number",
      help: "dead: Maximum number of messages of `list` and --all, 1 to 10000, the oldest ones. Default 100.",
    },
    all: { type: "boolean", help: "dead retry, dead drop: All messages that were set aside." },
    ...jsonOption,
  },
  exits: {
    0: "The action was performed.",
    1: "dead retry, dead drop: There is no message that was set aside with one of the ids.",
    2: "The queue or an option cannot be used, or a setting is another one; standard error says why.",
  },
  examples: [
    "edgeproof queue setup --queue nats://broker:4222 --max-size 50000",
    "edgeproof queue status --queue postgres://edge@localhost/edge",
    "EDGEPROOF_QUEUE=nats://broker edgeproof queue dead retry --all",
  ],
  run: runQueue,
};

type Action = (context: {
  readonly address: string;
  readonly input: CommandInput;
  readonly ids: readonly string[];
  readonly io: Io;
}) => Promise<number>;

/** An action with the options that it accepts, and whether it accepts ids. */
interface ListedAction {
  readonly run: Action;
  readonly options: readonly string[];
  readonly hasIds: boolean;
}

const actions: Readonly<Record<string, ListedAction>> = {
  status: { run: printStatus, options: [], hasIds: false },
  setup: { run: setUp, options: ["ack-wait", "max-size", "replicas", "synced"], hasIds: false },
  "dead list": { run: listDead, options: ["limit"], hasIds: false },
  "dead retry": {
    run: onDead("retried", (queue, id) => queue.revive(id)),
    options: ["limit", "all"],
    hasIds: true,
  },
  "dead drop": {
    run: onDead("dropped", (queue, id) => queue.drop(id)),
    options: ["limit", "all"],
    hasIds: true,
  },
};

async function runQueue(input: CommandInput, io: Io): Promise<number> {
  const [first = "", ...rest] = input.positionals;
  const name = first === "dead" ? `dead ${rest.shift() ?? ""}`.trim() : first;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new UsageError(`expected ${Object.keys(actions).join(", ")}; found \`${name}\``);
  if (rest.length > 0 && !action.hasIds)
    throw new UsageError(`\`${name}\` accepts no arguments; found ${rest.length}`);
  const foreign = ["ack-wait", "max-size", "replicas", "synced", "limit", "all"].filter(
    (option) => input.values[option] !== undefined && !action.options.includes(option),
  );
  if (foreign.length > 0) throw new UsageError(`--${foreign[0]} is not an option of \`${name}\``);
  const address = requiredQueue(input, io);
  io.handleSignals?.();
  try {
    return await action.run({ address, input, ids: rest, io });
  } catch (error) {
    throw explained(error, io, "what was changed stays so");
  }
}

function readNumber(input: CommandInput, name: keyof typeof numbers): number | undefined {
  const word = stringOption(input, name);
  if (word === undefined) return undefined;
  const { min, max } = numbers[name];
  const number = /^\d{1,8}$/.test(word) ? Number(word) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${name} must be an integer from ${min} to ${max}; found \`${word}\``);
}

/** Opens the queue, which must exist, for one action. */
async function withQueue<T>(address: string, work: (queue: WorkQueue) => Promise<T>): Promise<T> {
  const queue = await openQueue(address, { create: false });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

async function printStatus({ address, input, io }: Parameters<Action>[0]): Promise<number> {
  const { oldestMs, ...counts } = await withQueue(address, (queue) => queue.status());
  const status = { ...counts, oldest_seconds: Math.round(oldestMs / 1_000) };
  if (booleanOption(input, "json")) io.stdout.write(formatJson(status));
  else
    io.stdout.write(
      printTable(
        ["waiting", "taken", "set aside", "oldest (s)"],
        [Object.values(status).map((value) => formatNumber(value))],
      ),
    );
  return 0;
}

const unsynced =
  "by default a NATS server writes to its disk only every two minutes: after a power failure, messages of this time may be lost although they were acknowledged. Publish them again then, or set `sync_interval: always` (nats-server 2.10 and later) and use --synced";

async function setUp({ address, input, io }: Parameters<Action>[0]): Promise<number> {
  const [ackWait, maxSize, replicas] = (["ack-wait", "max-size", "replicas"] as const).map((name) =>
    readNumber(input, name),
  );
  const isNats = isNatsAddress(address);
  for (const name of ["ack-wait", "max-size", "replicas", "synced"])
    if (!isNats && input.values[name] !== undefined)
      throw new UsageError(`--${name} is a setting of queues in NATS; --queue is a database`);
  const settings = {
    ...(ackWait !== undefined && { ackWaitMs: ackWait * 1_000 }),
    ...(maxSize !== undefined && { maxQueueBytes: maxSize * 1_000_000 }),
    ...(replicas !== undefined && { replicas }),
  };
  const existing = await openQueue(address, { ...settings, create: false }).catch(() => undefined);
  // Creates what is missing, or reports why the queue cannot be used.
  const queue = existing ?? (await openQueue(address, settings));
  await queue.close();
  const created = existing === undefined;
  const warnings = isNats && !booleanOption(input, "synced") ? [unsynced] : [];
  if (booleanOption(input, "json"))
    io.stdout.write(formatJson({ queue: withoutPassword(address), created, warnings }));
  else {
    const state = created ? "created" : "exists, with the settings that are needed";
    io.stdout.write(`the queue ${withoutPassword(address)}: ${state}\n`);
    for (const warning of warnings) io.stderr.write(`warning: ${warning}\n`);
  }
  return 0;
}

const defaultLimit = 100;

/** A dead letter as it is printed: its body may be a picture. */
function describe({ id, key, reason, body }: DeadLetter) {
  return { id, key: key ?? null, reason, bytes: body.length };
}

async function listDead({ address, input, io }: Parameters<Action>[0]): Promise<number> {
  const limit = readNumber(input, "limit") ?? defaultLimit;
  return withQueue(address, async (queue) => {
    const letters = (await queue.dead(limit)).map(describe);
    if (booleanOption(input, "json")) {
      io.stdout.write(formatJson(letters));
      return 0;
    }
    if (letters.length > 0)
      io.stdout.write(
        printTable(
          ["id", "bytes", "key", "reason"],
          letters.map(({ id, bytes, key, reason }) => [id, formatNumber(bytes), key ?? "", reason]),
          // The end of a reason says what to do.
          ["id", "reason"],
          io.stdout.columns,
        ),
      );
    io.stderr.write(`${formatCount(letters.length, "message")} set aside\n`);
    return 0;
  });
}

function onDead(done: string, change: (queue: WorkQueue, id: string) => Promise<boolean>): Action {
  return async ({ address, input, ids, io }) => {
    const isAll = booleanOption(input, "all");
    if (isAll === ids.length > 0)
      throw new UsageError(isAll ? "--all and ids exclude each other" : "expected ids, or --all; found none");
    const limit = readNumber(input, "limit");
    if (limit !== undefined && !isAll) throw new UsageError("--limit needs --all");
    return withQueue(address, async (queue) => {
      const chosen = isAll ? (await queue.dead(limit ?? defaultLimit)).map(({ id }) => id) : ids;
      const missing: string[] = [];
      for (const id of chosen) {
        io.signal.throwIfAborted();
        if (!(await change(queue, id))) missing.push(id);
      }
      const changed = chosen.length - missing.length;
      if (booleanOption(input, "json")) io.stdout.write(formatJson({ changed, missing }));
      else io.stdout.write(`${formatCount(changed, "message")} ${done}\n`);
      for (const id of missing)
        io.stderr.write(`no message with the id \`${escapeControlCharacters(id)}\` is set aside\n`);
      return missing.length > 0 ? 1 : 0;
    });
  };
}
