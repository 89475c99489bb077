/** The options of `worker`: slots, tries, times, log. */
import { createHash } from "node:crypto";
import { type CommandInput, choiceOption, stringOption, UsageError } from "../../command.ts";
import { splitParameters } from "../data-store.ts";

/** Default and range of each number; times in seconds. */
const numbers = {
  slots: { value: "number", default: 2, min: 1, max: 64, help: "Pictures in progress at a time" },
  tries: {
    value: "number",
    default: 10,
    min: 1,
    max: 1_000,
    help: "Tries after which a message is set aside",
  },
  "ack-wait": {
    value: "seconds",
    default: 30,
    min: 1,
    max: 3_600,
    help: "Time after which what a killed worker had is delivered again; the same for all workers of a queue",
  },
  grace: {
    value: "seconds",
    default: 10,
    min: 0,
    max: 3_600,
    help: "Time that pictures in progress have after a signal",
  },
} as const;

type NumberName = keyof typeof numbers;

const numberOption = (name: NumberName) => {
  const { value, min, max, help, default: usual } = numbers[name];
  return { type: "string", value, help: `${help}, ${min} to ${max}. Default ${usual}.` } as const;
};

export const workerOptions = {
  slots: numberOption("slots"),
  tries: numberOption("tries"),
  "ack-wait": numberOption("ack-wait"),
  grace: numberOption("grace"),
  log: {
    type: "string",
    value: "text|json",
    implied: "text",
    help: "Print one line per message: what became of it, milliseconds, its id in the queue. `json` prints JSON Lines.",
  },
} as const;

/** The values of the options. */
export interface WorkerNumbers {
  readonly slots: number;
  readonly maxTries: number;
  readonly ackWaitMs: number;
  readonly drainMs: number;
  readonly log: "text" | "json" | undefined;
}

/** @throws {UsageError} */
export function readWorkerOptions(input: CommandInput): WorkerNumbers {
  const isLogged = stringOption(input, "log") !== undefined;
  return {
    slots: readNumber(input, "slots"),
    maxTries: readNumber(input, "tries"),
    ackWaitMs: readNumber(input, "ack-wait") * 1_000,
    drainMs: readNumber(input, "grace") * 1_000,
    log: isLogged ? choiceOption<"text" | "json">(input, "log", ["text", "json"], "text") : undefined,
  };
}

function readNumber(input: CommandInput, name: NumberName): number {
  const { min, max, default: usual } = numbers[name];
  const word = stringOption(input, name) ?? String(usual);
  const number = /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${name} must be an integer from ${min} to ${max}; found \`${word}\``);
}

/** The name of a queue in the keys of pictures that wait in a store: the same for every user and password. */
export function queueNameOf(address: string): string {
  const { rest, parameters } = splitParameters(address, ["schema", "name"]);
  const place = rest.replace(/\/\/.*@/, "//").replace(/[?#].*$/, "");
  return createHash("sha256")
    .update(JSON.stringify([place, parameters]))
    .digest("hex")
    .slice(0, 32);
}
