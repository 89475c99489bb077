/** The options, events and report of a worker. */

import { anyValue, eachMember, instanceOf, optionsOf, requireArgument } from "../../../core/arguments.ts";
import { quote } from "../../../errors.ts";
import type { WorkQueue } from "../../../queue/port.ts";
import type { Store } from "../../../store/port.ts";
import type { PictureService } from "../logos/pictures.ts";
import type { LookbackRunner } from "../lookback/lookback-runner.ts";
import { checkQueueName } from "./queued-pictures.ts";

/** The parts of an `Edge` that a worker uses. */
export interface WorkerEdge {
  /** The services of brand protection. */
  readonly brand: {
    /** Describes and stores pictures. */
    readonly pictures: PictureService;
    /** Searches stored pictures for new logos. */
    readonly lookbacks: Pick<LookbackRunner, "pendingRanges" | "searchRange">;
  };
  /** The store of the accounts. */
  readonly store: Store;
}

/** Options of `runWorker`. Times in milliseconds. */
export interface WorkerOptions {
  /** Where the messages come from. The caller closes it. */
  readonly queue: WorkQueue;
  /** Stores the pictures. The caller closes it. */
  readonly edge: WorkerEdge;
  /** Stops the worker: it takes no message any more, and finishes those that it has. */
  readonly signal: AbortSignal;
  /** The acknowledgement time of the queue; a message is extended at every third of it. Default 30,000. */
  readonly ackWaitMs?: number;
  /** Messages worked on at a time, 1 to 64. Describing uses one core; more slots overlap waits. Default 2. */
  readonly slots?: number;
  /** Tries after which a message is set aside, 1 to 1,000. Default 10. */
  readonly maxTries?: number;
  /** Time that messages have to be finished after `signal`; then they are put back. Default 10,000. */
  readonly drainMs?: number;
  /** Longest pause before a store or queue that could not be reached is tried again. Default 1,000. */
  readonly maxPauseMs?: number;
  /** Name of the queue in keys of the store, that of its publishers: 1 to 64 letters, digits, `_` and `-`. Default `work`. */
  readonly queueName?: string;
  /** Called with everything that happens to a message. It must not throw. */
  readonly onEvent?: (event: WorkerEvent) => void;
}

/** The outcome of a message. */
interface MessageEvent<Type extends string> {
  /** Discriminates the events. */
  readonly type: Type;
  /** Identifies the message in the queue. */
  readonly id: string;
}

/** A picture is stored for each of its accounts, or a part of a lookback is searched; the message is done. */
export interface MessageDone extends MessageEvent<"done"> {
  /** Earlier deliveries that count. */
  readonly tries: number;
  /** Accounts that did not have the picture before. */
  readonly fresh: number;
  /** New matches over all accounts. */
  readonly matches: number;
  /** Duration of the work, in milliseconds. */
  readonly ms: number;
}

/** A message failed and was put back. */
export interface MessageFailed extends MessageEvent<"failed"> {
  /** Earlier deliveries that count. */
  readonly tries: number;
  /** The message of the error. */
  readonly reason: string;
}

/** A message was set aside. */
export interface MessageDead extends MessageEvent<"dead"> {
  /** Why it was set aside. */
  readonly reason: string;
}

/** A message was not finished in time, and was delivered again; or it was put back, since the worker was stopped. */
export interface MessageLeft extends MessageEvent<"late" | "returned"> {}

/** The store or the queue cannot be reached. */
export interface WorkerOutage {
  /** Discriminates the events. */
  readonly type: "outage";
  /** The message of the error. */
  readonly reason: string;
}

/** A step of a picture ended. */
export interface WorkerStep {
  /** Discriminates the events. */
  readonly type: "step";
  /** The picture was described (and searched, for several accounts), or stored for one account. */
  readonly step: "describe" | "store";
  /** Duration, in milliseconds. */
  readonly ms: number;
}

/** The counts of a worker. */
export type WorkerEvent = MessageDone | MessageFailed | MessageDead | MessageLeft | WorkerOutage | WorkerStep;

/** The numbers of messages of a worker. */
export interface WorkerCounts {
  /** Finished. */
  readonly done: number;
  /** Put back after an error. */
  readonly failed: number;
  /** Set aside. */
  readonly dead: number;
}

/** The options with their defaults. */
export type WorkerSettings = Required<WorkerOptions>;

const defaults = {
  ackWaitMs: 30_000,
  slots: 2,
  maxTries: 10,
  drainMs: 10_000,
  maxPauseMs: 1_000,
  queueName: "work",
  onEvent: () => {},
};

/** Minimum and maximum of each number. */
const ranges = {
  ackWaitMs: [10, 2 ** 31 - 1],
  slots: [1, 64],
  maxTries: [1, 1_000],
  drainMs: [0, 2 ** 31 - 1],
  maxPauseMs: [1, 2 ** 31 - 1],
} as const;

const workerOptions = optionsOf<WorkerOptions>("runWorker", {
  ...eachMember(defaults, anyValue),
  queue: anyValue,
  edge: anyValue,
  signal: instanceOf("an AbortSignal", AbortSignal),
});

/** @throws {TypeError} for an unknown option @throws {RangeError} for an invalid one */
export function resolveWorkerOptions(options: WorkerOptions): WorkerSettings {
  requireArgument("options", options, workerOptions);
  const settings = { ...defaults, ...options };
  for (const [name, [min, max]] of Object.entries(ranges)) {
    const value = settings[name as keyof typeof ranges];
    if (!(Number.isInteger(value) && value >= min && value <= max))
      throw new RangeError(`${name} must be an integer from ${min} to ${max}; found ${quote(value)}`);
  }
  checkQueueName(settings.queueName);
  return settings;
}
