/** The options of `serve` about its socket: address, hosts, cross-origin pages, log. */
import { type HandlerOptions, isBase } from "../../http/handler.ts";
import { type CorsOption, isOrigin } from "../../http/responses/cors.ts";
import { isHostName } from "../../http/server/allowed-hosts.ts";
import type { RequestRecord } from "../../http/server/request-log.ts";
import {
  type CommandInput,
  choiceOption,
  type Io,
  stringOption,
  stringOptions,
  UsageError,
} from "../command.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";

const defaultPort = "8787";
const defaultGraceSeconds = "5";

export const serverOptions = {
  port: {
    type: "string",
    value: "number",
    help: `Port to listen on, 0 to 65535; 0 selects a free port. Default ${defaultPort}.`,
  },
  host: { type: "string", value: "address", help: "Address to listen on. Default 127.0.0.1." },
  "allow-host": {
    type: "string",
    value: "name",
    multiple: true,
    help: "Answer requests for this host name too, besides localhost, IP addresses and the hosts of --host, --public-url and --delivery-url; `*` allows every host. Repeatable.",
  },
  "public-url": {
    type: "string",
    value: "url",
    help: "Origin of the addresses in responses. Default: the origin of the request.",
  },
  "delivery-url": {
    type: "string",
    value: "url",
    help: "Origin that delivers images at its root. Default: the origin of the interface, under /cdn-cgi.",
  },
  cors: {
    type: "string",
    value: "origin",
    multiple: true,
    help: "Origin whose pages may use upload and delivery addresses; `*` for every origin (the default), `none` for none. Repeatable.",
  },
  log: {
    type: "string",
    value: "text|json",
    implied: "text",
    help: "Print one line per request: method, path, status, milliseconds and trace id. Tokens, keys and signatures are masked. `json` prints JSON Lines.",
  },
  "log-verdicts": {
    type: "string",
    value: "file",
    help: "Append the record of every verdict that this process computes to a file, one JSON line each: the request without its secrets, decoded tokens without signatures, the verdict. Claims are personal data.",
  },
  grace: {
    type: "string",
    value: "seconds",
    help: `Time that requests in progress have after a signal, 0 to 3600. Default ${defaultGraceSeconds}.`,
  },
} as const;

/** The values of the options. */
export interface ServerSettings {
  readonly port: number;
  readonly hostname: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly publicBaseUrl: string | undefined;
  readonly deliveryBaseUrl: string | undefined;
  readonly cors: CorsOption | undefined;
  readonly graceMs: number;
  readonly onResponse: ((record: RequestRecord) => void) | undefined;
}

/**
 * The options of the command line.
 *
 * @param given options of the options file, whose hosts are allowed too
 * @throws {UsageError}
 */
export function readServerOptions(
  input: CommandInput,
  given: Pick<HandlerOptions, "publicBaseUrl" | "deliveryBaseUrl">,
  io: Io,
): ServerSettings {
  const hostname = stringOption(input, "host")?.replace(/^\[(.*)\]$/, "$1");
  const publicBaseUrl = readBase(input, "public-url");
  const deliveryBaseUrl = readBase(input, "delivery-url");
  if (deliveryBaseUrl !== undefined && new URL(deliveryBaseUrl).pathname !== "/")
    throw new UsageError(`--delivery-url must have no path; found \`${deliveryBaseUrl}\``);
  const ownUrls = [publicBaseUrl ?? given.publicBaseUrl, deliveryBaseUrl ?? given.deliveryBaseUrl];
  const ownHosts = ownUrls.flatMap((url) => (url && isBase(url) ? [new URL(url).hostname] : []));
  return {
    port: readPort(stringOption(input, "port") ?? defaultPort, "--port"),
    hostname,
    allowedHosts: [...readHosts(input), ...ownHosts, ...(hostname && isHostName(hostname) ? [hostname] : [])],
    publicBaseUrl,
    deliveryBaseUrl,
    cors: readCors(input),
    graceMs: readGrace(stringOption(input, "grace") ?? defaultGraceSeconds) * 1_000,
    onResponse: readLog(input, io),
  };
}

function readBase(input: CommandInput, name: string): string | undefined {
  const word = stringOption(input, name);
  if (word === undefined || isBase(word)) return word;
  throw new UsageError(
    `--${name} must be an origin such as https://images.example.com, without query and fragment; found \`${word}\``,
  );
}

/** A TCP port. @throws {UsageError} that names the option */
export function readPort(word: string, option: string): number {
  const port = /^\d{1,5}$/.test(word) ? Number(word) : -1;
  if (port < 0 || port > 65_535)
    throw new UsageError(`${option} must be an integer from 0 to 65535; found \`${word}\``);
  return port;
}

function readGrace(word: string): number {
  const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(word) ? Number(word) : -1;
  if (seconds < 0 || seconds > 3_600)
    throw new UsageError(`--grace must be a number of seconds from 0 to 3600; found \`${word}\``);
  return seconds;
}

function readHosts(input: CommandInput): readonly string[] {
  const names = stringOptions(input, "allow-host");
  const invalid = names.find((name) => !isHostName(name));
  if (invalid === undefined) return names;
  throw new UsageError(
    `--allow-host must be a host name without scheme and port, or \`*\` for every host; found \`${invalid}\``,
  );
}

function readCors(input: CommandInput): CorsOption | undefined {
  const words = stringOptions(input, "cors");
  const [first] = words;
  if (first === undefined) return undefined;
  if (words.length === 1 && first === "none") return false;
  if (words.length === 1 && first === "*") return "*";
  const invalid = words.find((word) => !isOrigin(word));
  if (invalid === undefined) return words;
  throw new UsageError(
    `--cors must be an origin such as https://app.example.com, or only \`*\` or \`none\`; found \`${invalid}\``,
  );
}

function readLog(input: CommandInput, io: Io): ((record: RequestRecord) => void) | undefined {
  if (stringOption(input, "log") === undefined) return undefined;
  const format = choiceOption(input, "log", ["text", "json"], "text");
  const print = format === "json" ? JSON.stringify : logLine;
  return (record) => io.stdout.write(`${print(record)}\n`);
}

function logLine({ method, path, status, ms, traceId }: RequestRecord): string {
  return escapeControlCharacters(`${method} ${path} ${status ?? "-"} ${ms}ms ${traceId ?? "-"}`);
}
