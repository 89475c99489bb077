/** Options of commands that listen on a port: the server, the workbench, metrics. */
import { quote } from "../../errors.ts";
import { isBase, isHostName, isOrigin } from "../../http/server/addresses.ts";
import { UsageError } from "../command.ts";
import {
  choice,
  file,
  flag,
  given,
  impliedChoice,
  integer,
  list,
  outFile,
  port,
  single,
  text,
  usual,
  type ValuesOf,
} from "../declare.ts";
import { brandOptions } from "./names.ts";
import { dataOption } from "./stores.ts";
import { partialOption, profileOption, worldOption } from "./world.ts";

export const serverOptions = {
  port: usual(port("Port to listen on, 0 to 65535; 0 selects a free port. Default 8787."), 8787),
  host: text("address", "Address to listen on. Default 127.0.0.1."),
  "allow-host": list(
    "name",
    "Answer requests for this host name too, besides localhost, IP addresses and the hosts of --host, --public-url and --delivery-url; `*` allows every host. Repeatable.",
    (word, name) => {
      if (isHostName(word)) return word;
      throw new UsageError(
        `${name} must be a host name without scheme and port, or \`*\` for every host; found \`${word}\``,
      );
    },
  ),
  "public-url": single(
    "url",
    "Origin of the addresses in responses. Default: the origin of the request.",
    readBase,
  ),
  "delivery-url": single(
    "url",
    "Origin that delivers images at its root. Default: the origin of the interface, under /cdn-cgi.",
    readDeliveryBase,
  ),
  cors: list(
    "origin",
    "Origin whose pages may use upload and delivery addresses; `*` for every origin (the default), `none` for none. Repeatable.",
  ),
  log: impliedChoice(
    ["text", "json"],
    "text",
    "Print one line per request: method, path, status, milliseconds and trace id. Tokens, keys and signatures are masked. `json` prints JSON Lines.",
  ),
  "log-verdicts": outFile(
    "Append the record of every verdict that this process computes to a file, one JSON line each: the request without its secrets, decoded tokens without signatures, the verdict. Claims are personal data.",
  ),
  grace: usual(
    single(
      "seconds",
      "Time that requests in progress have after a signal, 0 to 3600. Default 5.",
      readSeconds,
    ),
    5,
  ),
  "keep-alive": usual(
    single(
      "seconds",
      "Time that an idle connection is kept for further requests, 0 to 3600; 0 keeps none. Default 5.",
      readSeconds,
    ),
    5,
  ),
};

/** The message for values of `--cors` that exclude each other. */
export function corsConflict({ cors }: Pick<ValuesOf<typeof serverOptions>, "cors">): string | undefined {
  const invalid = cors.find((word) => !isOrigin(word) && !(cors.length === 1 && /^(\*|none)$/.test(word)));
  return (
    invalid &&
    `--cors must be an origin such as https://app.example.com, or only \`*\` or \`none\`; found \`${invalid}\``
  );
}

function readBase(word: string, name: string): string {
  if (isBase(word)) return word;
  throw new UsageError(
    `${name} must be an origin such as https://images.example.com, without query and fragment; found \`${word}\``,
  );
}

function readDeliveryBase(word: string, name: string): string {
  if (new URL(readBase(word, name)).pathname === "/") return word;
  throw new UsageError(`${name} must have no path; found \`${word}\``);
}

function readSeconds(word: string, name: string): number {
  const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(word) ? Number(word) : -1;
  if (seconds >= 0 && seconds <= 3_600) return seconds;
  throw new UsageError(`${name} must be a number of seconds from 0 to 3600; found \`${word}\``);
}

/** Of commands that run until they are stopped, and compute while they answer. */
export const threadsOption = {
  threads: integer(
    "number",
    { min: 0, max: 64 },
    "Maximum number of worker threads for logos and their lookbacks, 0 to 64; 0: none. Default: one fewer than processors, 1 to 4.",
  ),
};

/** Of commands that create an edge with the data of a world or a store. */
export const edgeOptions = {
  ...worldOption,
  world: given(worldOption.world, "worlds"),
  ...dataOption,
  ...profileOption,
  ...partialOption,
  ...brandOptions,
  ...threadsOption,
  options: file(
    "Options file: every option of createEdge that is data, by schemas/options.schema.json. Options of the command line have precedence.",
  ),
  envelopes: choice(
    ["spec", "everywhere"],
    "Bodies without the usual envelope: as specified (spec, the default), or none (everywhere), as the provider's client library expects from version 7.2 on.",
  ),
  limit: list(
    "name=value",
    "A maximum size or count that differs from the default, such as rulesPerZone=50. Repeatable.",
    (word, name) => {
      if (word.includes("=")) return word;
      throw new UsageError(`${name} must be name=value, such as rulesPerZone=50; found ${quote(word)}`);
    },
  ),
  "any-token": flag(
    "Accept any bearer token again after the world file has removed all API tokens from the store.",
  ),
  prune: flag("Delete the resources of zones and accounts that the world file has removed from the store."),
};

export const workbenchOptions = {
  "workbench-port": usual(
    port("Port of the workbench, 0 to 65535; 0 selects a free port. Default 8788."),
    8788,
  ),
  "workbench-host": usual(
    single(
      "address",
      "Address that the workbench listens on. Default 127.0.0.1, which other machines cannot reach.",
      readAddress,
    ),
    "127.0.0.1",
  ),
};

function readAddress(word: string, name: string): string {
  const host = word.replace(/^\[(.*)\]$/, "$1");
  if (isHostName(host) && host !== "*") return host;
  throw new UsageError(`${name} must be a host name or an address; found \`${host}\``);
}

export const faultOptions = {
  faults: file(
    'Inject faults by the rules of a file: a JSON array such as [{"every": 3, "status": 429}], by schemas/options.schema.json (`faults`).',
  ),
  "allow-faults": flag(
    "Let a request ask for a fault of its own answer, by the header Prefer: code=429, delay=2, cut=100.",
  ),
};

export const adminOptions = {
  "admin-port": port(
    "Serve the administrative interface on this port, 0 to 65535; 0 selects a free port: /-/reset, /-/seed, /-/clock, /-/faults. It needs no credentials.",
  ),
  "admin-host": single(
    "address",
    "Address of the administrative interface. Default 127.0.0.1, which other machines cannot reach.",
    readAddress,
  ),
};

/** The conflict between the options of the administrative interface; undefined without one. */
export function adminConflict({ adminPort, adminHost }: ValuesOf<typeof adminOptions>): string | undefined {
  return adminHost !== undefined && adminPort === undefined ? "--admin-host needs --admin-port" : undefined;
}

export const metricsOptions = {
  "metrics-port": port(
    "Serve metrics for Prometheus at /metrics on this port, 0 to 65535; 0 selects a free port. Needs the package prom-client.",
  ),
  "metrics-host": text("address", "Address of the metrics. Default 127.0.0.1."),
};
