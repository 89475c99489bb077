/** Options of commands that use a store or a work queue. */
import { quote } from "../../errors.ts";
import { UsageError } from "../command.ts";
import {
  impliedChoice,
  integer,
  type Option,
  paths,
  required,
  text,
  usual,
  type ValuesOf,
} from "../declare.ts";

const blobsHelp =
  "Where --data keeps blobs: a folder, or a bucket at s3://bucket/prefix. The environment has the rest of a bucket: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL_S3. Default: a folder beside a SQLite file, rows of a database.";

export const dataOption = {
  data: paths(
    text(
      "file|url",
      "Store everything in this SQLite file, or in a database at postgres://... Default: in memory.",
    ),
  ),
  blobs: paths(text("folder|url", blobsHelp)),
};

/** The message for blobs without a store. */
export function blobsConflict({ data, blobs }: ValuesOf<typeof dataOption>): string | undefined {
  if (blobs === undefined || data !== undefined) return undefined;
  return "--blobs needs --data: a store in memory has its blobs in memory";
}

/** Of commands that read or fill a store. */
export const storeOption = {
  data: required(
    paths(
      text(
        "file|url",
        "The store: a SQLite file, or a database at postgres://... (`?schema=` names its schema).",
      ),
    ),
    "it must name a SQLite file or a database at postgres://...",
  ),
  blobs: dataOption.blobs,
};

/** Environment variables of commands that share a store and a queue with other processes and machines. */
export const variables = {
  data: "EDGEPROOF_DATA",
  blobs: "EDGEPROOF_BLOBS",
  queue: "EDGEPROOF_QUEUE",
} as const;

/** Of commands that share the store with other processes and machines. */
export const sharedStoreOption = {
  data: text(
    "url",
    `The store: a database at postgres://... (\`?schema=\` names its schema). Default: the environment variable ${variables.data}, where other users cannot read a password.`,
  ),
  blobs: paths(
    text("folder|url", `${blobsHelp} The environment variable ${variables.blobs} has the same meaning.`),
  ),
};

export const queueOption = {
  queue: text(
    "url",
    `The work queue: NATS servers at nats://... or tls://..., or a database at postgres://...; \`?name=\` names the queue. Default: the environment variable ${variables.queue}, where other users cannot read a password.`,
  ),
};

const accountId = /^[A-Za-z0-9_-]{1,64}$/;

/** The accounts, each once. */
const accounts: Option<readonly string[]> = {
  value: "id",
  isList: true,
  help: "The account, or several separated by commas. Repeatable.",
  read: (words, name) => {
    const ids = [...new Set(words.flatMap((word) => word.split(",")))];
    if (ids.length === 0) throw new UsageError(`${name} is missing; it must name an account`);
    const invalid = ids.find((id) => !accountId.test(id));
    if (invalid === undefined) return ids;
    throw new UsageError(`${name} must be 1 to 64 letters, digits, \`_\` and \`-\`; found ${quote(invalid)}`);
  },
};

export const accountOption = { account: accounts };

/** An integer with its range and default in the help. */
function setting(
  value: string,
  help: string,
  range: { readonly min: number; readonly max: number },
  or: number,
) {
  return usual(integer(value, range, `${help}, ${range.min} to ${range.max}. Default ${or}.`), or);
}

/** Of workers; times in seconds. */
export const workerOptions = {
  slots: setting("number", "Pictures in progress at a time", { min: 1, max: 64 }, 2),
  tries: setting("number", "Tries after which a message is set aside", { min: 1, max: 1_000 }, 10),
  "ack-wait": setting(
    "seconds",
    "Time after which what a killed worker had is delivered again; the same for all workers of a queue",
    { min: 1, max: 3_600 },
    30,
  ),
  grace: setting("seconds", "Time that pictures in progress have after a signal", { min: 0, max: 3_600 }, 10),
  log: impliedChoice(
    ["text", "json"],
    "text",
    "Print one line per message: what became of it, milliseconds, its id in the queue. `json` prints JSON Lines.",
  ),
};
