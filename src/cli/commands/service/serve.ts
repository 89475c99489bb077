/** `edgeproof serve`: serves the interface over HTTP. */
import type { EdgeOptions } from "../../../edge.ts";
import { guardedFetchImage } from "../../../http/fetch/guarded-fetch.ts";
import { serveOnNode } from "../../../http/node-server.ts";
import type { Store } from "../../../store/port.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../../command.ts";
import { brandOptions, readBrandOptions } from "../../input/brand-options.ts";
import { dataOption, openDataStore } from "../../input/data-store.ts";
import { basePathOf, edgeOptions, readEdgeOptions } from "../../input/edge-options.ts";
import { partialOption } from "../../input/imports/import-options.ts";
import { assertDecided } from "../../input/imports/undecided.ts";
import { readServerOptions, type ServerSettings, serverOptions } from "../../input/server-options.ts";
import { loadWorld, profileOption, worldOption } from "../../input/world-file.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";

export const serve: CommandDefinition = {
  about: [
    "Runs an HTTP server with every endpoint of the interface until it is stopped; then requests in progress are answered. GET /health reports whether the store answers. Any bearer token is accepted unless the world file lists API tokens. Data is kept in memory and lost when the server ends, unless --data names a store.",
    "With --data and --world, the accounts, zones, facts, operations and API tokens of the store follow the world file on every start; what requests created stays. Each difference is one line on standard error.",
  ],
  positionals: "",
  options: {
    ...worldOption,
    ...dataOption,
    ...profileOption,
    ...partialOption,
    ...brandOptions,
    ...edgeOptions,
    ...serverOptions,
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
    "edgeproof serve --host 0.0.0.0 --allow-host edgeproof --log json",
    "edgeproof serve --world world.json --profile provider",
    "edgeproof serve --profile provider --envelopes everywhere --limit rulesPerZone=50",
    'curl -H "authorization: Bearer any" http://127.0.0.1:8787/client/v4/zones/z1/token_validation/rules',
  ],
  run: runServe,
};

async function runServe(input: CommandInput, io: Io): Promise<number> {
  const given = await readEdgeOptions(input, io);
  const settings = readServerOptions(input, given, io);
  const data = stringOption(input, "data");
  const store = data === undefined ? undefined : await openDataStore(data);
  try {
    return await serveUntilStopped(input, io, settings, given, store);
  } catch (error) {
    // The connections of an open store would keep the process alive.
    await store?.close();
    throw error;
  }
}

async function serveUntilStopped(
  input: CommandInput,
  io: Io,
  settings: ServerSettings,
  given: EdgeOptions,
  store: Store | undefined,
): Promise<number> {
  const { port, hostname, allowedHosts, publicBaseUrl, deliveryBaseUrl, cors, graceMs, onResponse } =
    settings;
  const fetchImage = readFetcher(input);
  const { edge, undecided } = await loadWorld(input, io, {
    ...given,
    brand: { ...given.brand, ...readBrandOptions(input) },
    onNote: (line) => io.stderr.write(`${escapeControlCharacters(line)}\n`),
    ...(cors !== undefined && { cors }),
    ...(store && { store }),
    ...(publicBaseUrl !== undefined && { publicBaseUrl }),
    ...(deliveryBaseUrl !== undefined && { deliveryBaseUrl }),
    ...(fetchImage && { fetchImage }),
    onError: (error, traceId) => io.stderr.write(`error ${traceId}: ${(error as Error)?.stack ?? error}\n`),
  });
  assertDecided(undecided, input);
  io.handleSignals?.(graceMs + maxCloseMs);
  const server = await serveOnNode(edge.fetch, {
    port,
    allowedHosts,
    graceMs,
    ...(hostname !== undefined && { hostname }),
    ...(onResponse && { onResponse }),
  }).catch((error: Error) => {
    throw new UsageError(`cannot listen on port ${port}: ${error.message}`);
  });
  const url = `${server.url}${basePathOf(given)}`;
  io.stdout.write(
    booleanOption(input, "json") ? `${JSON.stringify({ url })}\n` : `edgeproof listens on ${url}\n`,
  );
  await waitForStop(io.signal);
  await server.close();
  await edge.close();
  return 0;
}

/** Time that the store has to close after the grace period, in milliseconds. */
const maxCloseMs = 2_000;

/** Uploads by URL are rejected unless one of the options is set. */
function readFetcher(input: CommandInput): EdgeOptions["fetchImage"] {
  if (booleanOption(input, "fetch-private")) return guardedFetchImage({ allow: () => true });
  return booleanOption(input, "fetch-urls") ? guardedFetchImage() : undefined;
}

function waitForStop(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
