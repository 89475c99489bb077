/**
 * The streams and the consumer of a queue, and how their settings are checked.
 *
 * Work: one subject for each key, one message for each subject, and further ones are rejected: a key is in the stream
 * once. A message stays until it is deleted, by one process, when it is done or a dead letter; what the server remembers of
 * deliveries may be lost when it is killed, and then only delivers again. Dead: each dead letter with the reason. State:
 * tries of messages that were delivered again or put back, and marks of those that wait to be delivered again.
 */

import type { ConsumerConfig, ConsumerInfo, JetStreamManager, StreamConfig } from "@nats-io/jetstream";
import { runCommand } from "../../core/text/run-command.ts";
import type { JetStreamSettings } from "./options.ts";

const nanosPerMs = 1_000_000;
const msPerDay = 86_400_000;

/** Names of the parts of a queue. */
export interface Layout {
  readonly work: string;
  readonly dead: string;
  readonly state: string;
  /** Name of the consumer of the work stream. */
  readonly consumer: string;
  /** Subject of a message. */
  workSubject(id: string): string;
  /** Subject of a dead letter; `*` for all. */
  deadSubject(id: string): string;
  /** Subject of the tries of a message. */
  triesSubject(id: string): string;
  /** Subject of the mark of a message that waits to be delivered again; `*` for all. */
  waitSubject(id: string): string;
}

/** The names of a queue. */
export function layoutOf(name: string): Layout {
  return {
    work: `edgeproof-work-${name}`,
    dead: `edgeproof-dead-${name}`,
    state: `edgeproof-state-${name}`,
    consumer: "workers",
    workSubject: (id) => `edgeproof.work.${name}.${id}`,
    deadSubject: (id) => `edgeproof.dead.${name}.${id}`,
    triesSubject: (id) => `edgeproof.state.${name}.tries.${id}`,
    waitSubject: (id) => `edgeproof.state.${name}.wait.${id}`,
  };
}

/** Settings as the server names them. */
type Config = Readonly<Record<string, unknown>>;

/** A stream or consumer with its settings: those that are always the same or asked for, and defaults of the others. */
interface Part {
  readonly what: string;
  readonly fixed: Config;
  readonly defaults: Config;
  /** The settings of the server, or undefined. */
  read(): Promise<Config | undefined>;
  create(config: Config): Promise<unknown>;
}

/** The options that are given, under the names of the server. */
function asked(config: Readonly<Record<string, number | undefined>>): Config {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

function partsOf(jsm: JetStreamManager, settings: JetStreamSettings): readonly Part[] {
  const { name, ackWaitMs, maxAckPending, maxQueueBytes, maxDeadBytes, replicas } = settings;
  const layout = layoutOf(name);
  const onDisk = {
    storage: "file",
    retention: "limits",
    max_msgs: -1,
    max_msg_size: -1,
    max_msgs_per_subject: 1,
  };
  const stream = (name: string, fixed: Config, max_bytes: number): Part => ({
    what: `the stream ${name}`,
    fixed: { ...onDisk, ...asked({ num_replicas: replicas }), ...fixed },
    defaults: { num_replicas: 1, max_bytes },
    read: () => found(async () => (await jsm.streams.info(name)).config),
    create: (config) => jsm.streams.add({ ...config, name } as StreamConfig),
  });
  return [
    stream(
      layout.work,
      {
        subjects: [layout.workSubject("*")],
        discard: "new",
        discard_new_per_subject: true,
        max_age: 0,
        ...asked({ max_bytes: maxQueueBytes }),
      },
      2 ** 30,
    ),
    stream(
      layout.dead,
      {
        subjects: [layout.deadSubject("*")],
        discard: "new",
        max_age: 0,
        allow_direct: true,
        ...asked({ max_bytes: maxDeadBytes }),
      },
      2 ** 30,
    ),
    stream(
      layout.state,
      {
        subjects: [layout.triesSubject("*"), layout.waitSubject("*")],
        discard: "old",
        // Longer than any delay; only processes that were killed leave entries behind.
        max_age: 30 * msPerDay * nanosPerMs,
      },
      2 ** 26,
    ),
    {
      what: `the consumer ${layout.consumer} of the stream ${layout.work}`,
      fixed: {
        deliver_policy: "all",
        ack_policy: "explicit",
        // The worker counts: at a maximum of the server, messages would stay and not be delivered.
        max_deliver: -1,
        replay_policy: "instant",
        ...asked({
          ack_wait: ackWaitMs === undefined ? undefined : Math.round(ackWaitMs * nanosPerMs),
          max_ack_pending: maxAckPending,
        }),
      },
      defaults: { ack_wait: 30_000 * nanosPerMs, max_ack_pending: 1_000, max_waiting: 5_000 },
      read: () => found(async () => (await jsm.consumers.info(layout.work, layout.consumer)).config),
      create: (config) =>
        jsm.consumers.add(layout.work, { ...config, durable_name: layout.consumer } as ConsumerConfig),
    },
  ];
}

/** Codes of the server: consumer not found, stream not found. */
const missing = new Set([10014, 10059]);

/** Whether a server has no such stream or consumer. */
export function isMissing(error: unknown): boolean {
  return missing.has(codeOf(error));
}

/** Code of the server: insufficient storage. */
const noStorage = 10047;

const codeOf = (error: unknown) => Number((error as { code?: unknown }).code);

async function found(read: () => Promise<unknown>): Promise<Config | undefined> {
  try {
    return (await read()) as Config;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Creates the parts that are missing, and compares the settings of all.
 *
 * @returns the settings of the consumer
 * @throws {Error} that names each setting that is not the one asked for; when a part is missing and must not be created
 */
export async function prepareLayout(
  jsm: JetStreamManager,
  settings: JetStreamSettings,
): Promise<ConsumerInfo["config"]> {
  const differences: string[] = [];
  let last: Config = {};
  for (const part of partsOf(jsm, settings)) {
    last = await prepare(part, settings.create);
    for (const [setting, expected] of Object.entries(part.fixed)) {
      const text = show(setting, last[setting]);
      if (text !== show(setting, expected))
        differences.push(`${setting} of ${part.what} is ${text}, expected ${show(setting, expected)}`);
    }
  }
  if (differences.length > 0) throw new Error(`the queue has other settings: ${differences.join("; ")}`);
  return last as unknown as ConsumerInfo["config"];
}

async function prepare({ what, read, create, fixed, defaults }: Part, mayCreate: boolean): Promise<Config> {
  const before = await read();
  if (before) return before;
  if (!mayCreate)
    throw new Error(`${what} does not exist; set the queue up first (\`${runCommand} queue setup\`)`);
  const config = { ...defaults, ...fixed };
  try {
    await create(config);
  } catch (error) {
    // While several processes create it, the server rejects all but one: for the name, the subjects, or the storage of each.
    const created = await read();
    if (created) return created;
    if (codeOf(error) !== noStorage) throw error;
    throw new Error(
      `the server has too little storage for ${what}, which reserves ${config["max_bytes"]} bytes; choose a smaller maxQueueBytes or maxDeadBytes (\`${runCommand} queue setup --max-size\`)`,
      { cause: error },
    );
  }
  return (await read()) ?? {};
}

/** Settings that the server has in nanoseconds. */
const durations = new Set(["ack_wait", "max_age"]);

function show(setting: string, value: unknown): string {
  if (value === undefined) return "not set";
  return durations.has(setting) ? `${Number(value) / nanosPerMs / 1_000} s` : JSON.stringify(value);
}
