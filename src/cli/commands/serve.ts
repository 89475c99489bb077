/** `edgeproof serve`: the interface on a socket. */
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
import { loadWorld, profileOption, worldOption } from "../input/world-file.ts";

const defaultPort = "8787";

export const serve: Command = {
  name: "serve",
  group: "service",
  summary: "Serve the whole interface over HTTP on this machine.",
  about: [
    "Speaks the interface that clients use, on this machine, until it is stopped. Any bearer token is accepted unless the world names API tokens. What is configured is gone when it ends, unless --data says where to keep it.",
  ],
  positionals: "",
  options: {
    ...worldOption,
    ...dataOption,
    ...profileOption,
    ...brandOptions,
    port: {
      type: "string",
      value: "number",
      help: `Port to listen on; 0 takes a free one. Default ${defaultPort}.`,
    },
    host: { type: "string", value: "address", help: "Address to listen on. Default 127.0.0.1." },
    "public-url": {
      type: "string",
      value: "url",
      help: "Origin of the addresses handed out. Default: the request's.",
    },
    "delivery-url": {
      type: "string",
      value: "url",
      help: "Origin on which images are delivered at the root. Default: the interface's, under /cdn-cgi.",
    },
    "fetch-urls": {
      type: "boolean",
      help: "Fetch images that uploads name by `url`, from the public internet only.",
    },
    "fetch-private": {
      type: "boolean",
      help: "Fetch them from loopback and private addresses too.",
    },
    ...jsonOption,
  },
  exits: {
    0: "It was stopped (Ctrl-C or SIGTERM).",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof serve --port 8787",
    "edgeproof serve --data ./edge.db",
    "edgeproof serve --world world.json --profile provider",
    'curl -H "authorization: Bearer any" http://127.0.0.1:8787/client/v4/zones/z1/token_validation/rules',
  ],
  run: runServe,
};

async function runServe(input: CommandInput, io: Io): Promise<number> {
  const port = readPort(stringOption(input, "port") ?? defaultPort);
  const publicBaseUrl = readOrigin(input, "public-url");
  const deliveryBaseUrl = readOrigin(input, "delivery-url");
  const fetchImage = readFetcher(input);
  const data = stringOption(input, "data");
  const store = data === undefined ? undefined : await openDataStore(data);
  const { edge } = await loadWorld(input, io, {
    brand: readBrandOptions(input),
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
  const url = `${server.url}/client/v4`;
  io.stdout.write(
    booleanOption(input, "json") ? `${JSON.stringify({ url })}\n` : `edgeproof listens on ${url}\n`,
  );
  await waitForStop(io.signal);
  await server.close();
  await edge.close();
  return 0;
}

function readOrigin(input: CommandInput, name: string): string | undefined {
  const word = stringOption(input, name);
  if (word === undefined || (/^https?:\/\//i.test(word) && URL.canParse(word))) return word;
  throw new UsageError(`--${name} is \`${word}\`; it must be an origin such as https://images.example.com`);
}

/** Nothing is fetched unless one of the switches is on. */
function readFetcher(input: CommandInput): EdgeOptions["fetchImage"] {
  if (booleanOption(input, "fetch-private")) return guardedFetchImage({ allow: () => true });
  return booleanOption(input, "fetch-urls") ? guardedFetchImage() : undefined;
}

function readPort(word: string): number {
  const port = /^\d{1,5}$/.test(word) ? Number(word) : -1;
  if (port < 0 || port > 65_535)
    throw new UsageError(`--port is \`${word}\`; it must be a number from 0 to 65535`);
  return port;
}

function waitForStop(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
