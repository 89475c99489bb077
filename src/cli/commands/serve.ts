/** `edgeproof serve`: serves the interface over HTTP. */
import type { EdgeOptions } from "../../edge.ts";
import { guardedFetchImage } from "../../http/fetch/guarded-fetch.ts";
import { serveOnNode } from "../../http/node-server.ts";
import {
  booleanOption,
  type Command,
  type CommandInput,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../command.ts";
import { brandOptions, readBrandOptions } from "../input/brand-options.ts";
import { dataOption, openDataStore } from "../input/data-store.ts";
import { basePathOf, edgeOptions, readEdgeOptions } from "../input/edge-options.ts";
import { loadWorld, profileOption, worldOption } from "../input/world-file.ts";
import { escapeControlCharacters } from "../output/escape-control-characters.ts";

const defaultPort = "8787";

export const serve: Command = {
  name: "serve",
  group: "service",
  summary: "Serve the whole interface over HTTP on this machine.",
  about: [
    "Runs an HTTP server with every endpoint of the interface until it is stopped. Any bearer token is accepted unless the world file lists API tokens. Data is kept in memory and lost when the server ends, unless --data names a store.",
  ],
  positionals: "",
  options: {
    ...worldOption,
    ...dataOption,
    ...profileOption,
    ...brandOptions,
    ...edgeOptions,
    port: {
      type: "string",
      value: "number",
      help: `Port to listen on, 0 to 65535; 0 selects a free port. Default ${defaultPort}.`,
    },
    host: { type: "string", value: "address", help: "Address to listen on. Default 127.0.0.1." },
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
    "fetch-urls": {
      type: "boolean",
      help: "Fetch the images of uploads by `url`, from public addresses only.",
    },
    "fetch-private": {
      type: "boolean",
      help: "Fetch the images of uploads by `url`, from loopback and private addresses too.",
    },
    ...jsonOption,
  },
  exits: {
    0: "The server was stopped (Ctrl-C or SIGTERM).",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof serve --port 8787",
    "edgeproof serve --data ./edge.db",
    "edgeproof serve --world world.json --profile provider",
    "edgeproof serve --profile provider --envelopes everywhere --limit rulesPerZone=50",
    'curl -H "authorization: Bearer any" http://127.0.0.1:8787/client/v4/zones/z1/token_validation/rules',
  ],
  run: runServe,
};

async function runServe(input: CommandInput, io: Io): Promise<number> {
  const port = readPort(stringOption(input, "port") ?? defaultPort);
  const publicBaseUrl = readOrigin(input, "public-url");
  const deliveryBaseUrl = readOrigin(input, "delivery-url");
  const fetchImage = readFetcher(input);
  const given = await readEdgeOptions(input, io);
  const data = stringOption(input, "data");
  const store = data === undefined ? undefined : await openDataStore(data);
  const { edge } = await loadWorld(input, io, {
    ...given,
    brand: { ...given.brand, ...readBrandOptions(input) },
    onNote: (line) => io.stderr.write(`${escapeControlCharacters(line)}\n`),
    ...(store && { store }),
    ...(publicBaseUrl !== undefined && { publicBaseUrl }),
    ...(deliveryBaseUrl !== undefined && { deliveryBaseUrl }),
    ...(fetchImage && { fetchImage }),
    onError: (error, traceId) => io.stderr.write(`error ${traceId}: ${(error as Error)?.stack ?? error}\n`),
  });
  const hostname = stringOption(input, "host");
  const server = await serveOnNode(edge.fetch, { port, ...(hostname !== undefined && { hostname }) }).catch(
    (error: Error) => {
      throw new UsageError(`cannot listen on port ${port}: ${error.message}`);
    },
  );
  const url = `${server.url}${basePathOf(given)}`;
  io.stdout.write(
    booleanOption(input, "json") ? `${JSON.stringify({ url })}\n` : `edgeproof listens on ${url}\n`,
  );
  await waitForStop(io.signal);
  await server.close();
  await edge.close();
  return 0;
}

function readOrigin(input: CommandInput, name: string): string | undefined {
  const value = stringOption(input, name);
  if (value === undefined || (/^https?:\/\//i.test(value) && URL.canParse(value))) return value;
  throw new UsageError(`--${name} must be an origin such as https://images.example.com; found \`${value}\``);
}

/** Uploads by URL are rejected unless one of the options is set. */
function readFetcher(input: CommandInput): EdgeOptions["fetchImage"] {
  if (booleanOption(input, "fetch-private")) return guardedFetchImage({ allow: () => true });
  return booleanOption(input, "fetch-urls") ? guardedFetchImage() : undefined;
}

function readPort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : -1;
  if (port < 0 || port > 65_535)
    throw new UsageError(`--port must be an integer from 0 to 65535; found \`${value}\``);
  return port;
}

function waitForStop(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
