/** `edgeproof queue`: its subcommands, which fill, empty, set up and repair a work queue. */
import { runCommand } from "../../core/text/run-command.ts";
import { declare, flag, integer } from "../declare.ts";
import { jsonOption } from "../options/output.ts";
import { metricsOptions, threadsOption } from "../options/server.ts";
import { accountOption, queueOption, sharedStoreOption, workerOptions } from "../options/stores.ts";

/** Maximum number of accounts of one picture. */
const maxAccounts = 100;

export const publish = declare({
  name: "queue publish",
  summary: "Put pictures on a work queue, for workers on any number of machines.",
  about: [
    `Puts the pictures of files and folders on a work queue, from which \`${runCommand} queue work\` stores them for the accounts. \`shot.png.json\` beside \`shot.png\` has its domain, registrar, url_scan_id and matched_at. What waits in the queue already is not put again, and what is stored already is not stored twice, so that the command can be repeated.`,
    "A picture that is larger than a message of the queue may be waits in the store of the workers: --data, otherwise EDGEPROOF_DATA, otherwise the database of the queue. That store must exist and be of this version; for a queue in NATS without --data, the queue must have been set up.",
  ],
  arguments: { usage: "<file|folder...>", min: 1, expected: "picture files or folders to publish" },
  options: { ...queueOption, ...accountOption, ...sharedStoreOption, ...jsonOption },
  exits: {
    0: "Every picture is on the queue.",
    1: "Some pictures are not valid; the others are on the queue.",
    2: "The queue, the store or a file cannot be used, or the command was stopped; what was put stays on the queue.",
  },
  examples: [
    "edgeproof queue publish --queue postgres://edge@localhost/edge --account a1,a2 shots/",
    "EDGEPROOF_QUEUE=nats://broker:4222 edgeproof queue publish --account a1 shot.png",
  ],
  schema: "publish",
  conflict: ({ account }) =>
    account.length > maxAccounts &&
    `--account must name at most ${maxAccounts} accounts; found ${account.length}`,
});

export const work = declare({
  name: "queue work",
  summary: "Describe and store the pictures of a work queue, until it is stopped.",
  about: [
    `Takes pictures that \`${runCommand} queue publish\` has put on the queue, describes each once, and stores it with its matches for its accounts, until it is stopped. Start as many workers on as many machines as there are cores for it. A picture whose worker is killed is delivered to another one, and is stored once; one that cannot be stored is set aside with the reason (\`${runCommand} queue dead list\`).`,
    "The first SIGINT or SIGTERM finishes the pictures in progress; the second ends the process at once.",
  ],
  options: {
    ...queueOption,
    ...sharedStoreOption,
    ...workerOptions,
    ...threadsOption,
    ...metricsOptions,
    ...jsonOption,
  },
  exits: {
    0: "The worker was stopped.",
    2: "The queue, the store or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof queue work --queue postgres://edge@localhost/edge --data postgres://edge@localhost/edge",
    "edgeproof queue work --slots 4 --log json --metrics-port 9464",
  ],
  schema: "worker",
  conflict: ({ metricsHost, metricsPort }) =>
    metricsHost !== undefined && metricsPort === undefined && "--metrics-host needs --metrics-port",
});

const exits = {
  0: "The action was performed.",
  2: "The queue or an option cannot be used, or a setting is another one; standard error says why.",
};

export const status = declare({
  name: "queue status",
  summary: "Count the messages of a work queue.",
  about: ["Prints how many messages wait, are taken and are set aside, and the age of the oldest."],
  options: { ...queueOption, ...jsonOption },
  exits,
  examples: ["edgeproof queue status --queue postgres://edge@localhost/edge"],
  schema: "queue",
});

export const setup = declare({
  name: "queue setup",
  summary: "Create a work queue, or check its settings.",
  about: [
    "A queue in NATS that has other settings than edgeproof needs, or than the options ask for, is rejected with the name of each setting, its value and the expected one; the `nats` program can change them.",
  ],
  options: {
    ...queueOption,
    "ack-wait": integer(
      "seconds",
      { min: 1, max: 3_600 },
      "NATS: Time after which what a killed worker had is delivered again, 1 to 3600. Default 30 for a new queue.",
    ),
    "max-size": integer(
      "MB",
      { min: 1, max: 10_000_000 },
      "NATS: Maximum size of all messages in megabytes, from 1. Default 1074 for a new queue.",
    ),
    replicas: integer(
      "number",
      { min: 1, max: 5 },
      "NATS: Number of servers of a cluster that keep each message, 1 to 5. Default 1 for a new queue.",
    ),
    synced: flag(
      "NATS: The servers write each message to their disks before they acknowledge it; print no warning.",
    ),
    ...jsonOption,
  },
  exits,
  examples: ["edgeproof queue setup --queue nats://broker:4222 --max-size 50000"],
  schema: "queue",
});

const limit = integer(
  "number",
  { min: 1, max: 10_000 },
  "Maximum number of messages, 1 to 10000, the oldest ones. Default 100.",
);

export const deadList = declare({
  name: "queue dead list",
  summary: "List the messages that were set aside, with the reasons.",
  about: ["A message is set aside when its picture cannot be stored, or after too many tries."],
  options: { ...queueOption, limit, ...jsonOption },
  exits,
  examples: ["edgeproof queue dead list --queue nats://broker:4222"],
  schema: "queue",
});

const changeOptions = {
  ...queueOption,
  limit,
  all: flag("All messages that were set aside."),
  ...jsonOption,
};

const changeExits = { ...exits, 1: "There is no message that was set aside with one of the ids." };

const ids = { usage: "[id...]", min: 0, expected: "ids" } as const;

interface Changed {
  readonly all: boolean;
  readonly limit: number | undefined;
}

function changeConflict({ all, limit }: Changed, words: readonly string[]): string | false {
  if (all && words.length > 0) return "--all and ids exclude each other";
  if (!all && words.length === 0) return "expected ids, or --all; found none";
  return limit !== undefined && !all && "--limit needs --all";
}

export const deadRetry = declare({
  name: "queue dead retry",
  summary: "Deliver messages that were set aside once more, with a new count of tries.",
  about: [`The ids are those of \`${runCommand} queue dead list\`.`],
  arguments: ids,
  options: changeOptions,
  exits: changeExits,
  examples: ["EDGEPROOF_QUEUE=nats://broker edgeproof queue dead retry --all"],
  schema: "queue",
  conflict: changeConflict,
});

export const deadDrop = declare({
  name: "queue dead drop",
  summary: "Remove messages that were set aside.",
  about: [`The ids are those of \`${runCommand} queue dead list\`.`],
  arguments: ids,
  options: changeOptions,
  exits: changeExits,
  examples: ["edgeproof queue dead drop --queue nats://broker:4222 17 18"],
  schema: "queue",
  conflict: changeConflict,
});
