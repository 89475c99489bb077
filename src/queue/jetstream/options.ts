/** The options of the JetStream queue, their defaults and bounds. */
import { anyValue, eachMember, optionsOf, requireArgument } from "../../core/arguments.ts";
import { quote } from "../../errors.ts";
import { checkMs } from "../port.ts";

/** Options of `openJetStreamQueue`. Times in milliseconds. */
export interface JetStreamQueueOptions {
  /**
   * The servers: `nats://host:port`, or `tls://` for an encrypted connection; several are separated by commas or are an
   * array. A user name and password (`nats://user:password@host`) or a token (`nats://token@host`) are those of all servers.
   */
  readonly servers: string | readonly string[];
  /** User name. */
  readonly user?: string;
  /** Password of the user. */
  readonly password?: string;
  /** Token, instead of a user name. */
  readonly token?: string;
  /** File with the credentials of a user (JWT and seed), instead of a user name. */
  readonly credsFile?: string;
  /** File with the certificates of authorities (PEM); the connection must then be encrypted. */
  readonly caFile?: string;
  /** File with the certificate of this client (PEM). */
  readonly certFile?: string;
  /** File with the private key of this client (PEM). */
  readonly keyFile?: string;
  /** Name of the queue: 1 to 100 letters, digits, `-` and `_`. Queues of other names are separate. Default `work`. */
  readonly name?: string;
  /** Whether streams and consumer are created when they do not exist. Default true. */
  readonly create?: boolean;
  /**
   * Acknowledgement time: a message that is not finished or extended within it is delivered again. Default: that of the
   * queue, 30,000 when it is created.
   */
  readonly ackWaitMs?: number;
  /** Maximum number of messages that are taken or put back at a time, 1 to 10,000. Default: that of the queue, 1,000 when it is created. */
  readonly maxAckPending?: number;
  /** Maximum size of all messages, in bytes, from 1,048,576. Default: that of the queue, 1,073,741,824 when it is created. */
  readonly maxQueueBytes?: number;
  /** Maximum size of all dead letters, in bytes, from 1,048,576. Default: that of the queue, 1,073,741,824 when it is created. */
  readonly maxDeadBytes?: number;
  /** Number of servers of a cluster that keep each message, 1 to 5. Default: that of the queue, 1 when it is created. */
  readonly replicas?: number;
  /** Maximum size of a message, in bytes. Default: 16,384 less than the maximum payload of the server, which is the maximum. */
  readonly maxBytes?: number;
  /** Maximum wait for a connection to one server. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Maximum wait for an answer, and for a lost connection to come back. Default 5,000. */
  readonly requestTimeoutMs?: number;
  /** Pause between two attempts to connect again; their number is unlimited. Default 1,000. */
  readonly reconnectMs?: number;
  /** Time between two checks that the connection is alive; after two without an answer it is lost. Default 10,000. */
  readonly pingMs?: number;
  /** Maximum duration of one request for a message; a longer wait is several requests. Default 5,000. */
  readonly pullMs?: number;
}

const defaults = {
  name: "work",
  create: true,
  connectTimeoutMs: 5_000,
  requestTimeoutMs: 5_000,
  reconnectMs: 1_000,
  pingMs: 10_000,
  pullMs: 5_000,
};

/** The options with the defaults of those that are not settings of the queue. */
export type JetStreamSettings = typeof defaults & JetStreamQueueOptions;

const times = ["connectTimeoutMs", "requestTimeoutMs", "reconnectMs", "pingMs", "pullMs"] as const;

/** Bounds of the integers. */
const bounds = {
  maxAckPending: [1, 10_000],
  maxQueueBytes: [2 ** 20, 2 ** 53],
  maxDeadBytes: [2 ** 20, 2 ** 53],
  replicas: [1, 5],
  maxBytes: [1, 2 ** 26],
} as const;

const queueOptions = optionsOf<JetStreamQueueOptions>("openJetStreamQueue", {
  ...eachMember({ ...defaults, ...bounds }, anyValue),
  servers: anyValue,
  user: anyValue,
  password: anyValue,
  token: anyValue,
  credsFile: anyValue,
  caFile: anyValue,
  certFile: anyValue,
  keyFile: anyValue,
  ackWaitMs: anyValue,
});

/** @throws {RangeError} for an invalid option */
export function settingsOf(options: JetStreamQueueOptions): JetStreamSettings {
  requireArgument("options", options, queueOptions);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings = { ...defaults, ...Object.fromEntries(given) } as JetStreamSettings;
  if (!/^[\w-]{1,100}$/.test(settings.name))
    throw new RangeError(
      `name must be 1 to 100 letters, digits, \`-\` and \`_\`; found ${quote(settings.name)}`,
    );
  for (const name of times) checkMs(name, settings[name], 1);
  if (settings.ackWaitMs !== undefined) checkMs("ackWaitMs", settings.ackWaitMs, 1);
  for (const [name, [min, max]] of Object.entries(bounds))
    checkInteger(name, settings[name as never], min, max);
  return settings;
}

function checkInteger(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= min && value <= max)) return;
  throw new RangeError(`${name} must be an integer from ${min} to ${max}; found ${quote(value)}`);
}
