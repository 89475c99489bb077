/** `edgeproof serve`: serves the interface over HTTP. */
import type { Edge, EdgeOptions } from "../../../edge.ts";
import { deliveryPath } from "../../../http/endpoints/endpoint.ts";
import { guardedFetchImage } from "../../../http/fetch/guarded-fetch.ts";
import { serveOnNode } from "../../../http/node-server.ts";
import type { Store } from "../../../store/port.ts";
import { logRequest } from "../../../workbench/log/log-request.ts";
import type { Workbench } from "../../../workbench/workbench.ts";
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
import { readBlobs } from "../../input/stores/blobs-option.ts";
import {
  openWorkbench,
  readWorkbenchAddress,
  type ShownData,
  type WorkbenchAddress,
  workbenchOptions,
} from "../../input/workbench-options.ts";
import { loadWorld, printLeftOut, profileOption, worldOption } from "../../input/world-file.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { openVerdictLog } from "../../output/verdict-log.ts";
import { waitForStop } from "./stop.ts";

export const serve: CommandDefinition = {
  about: [
    "Runs an HTTP server with every endpoint of the interface until it is stopped; then requests in progress are answered. GET /health reports whether the store answers. Any bearer token is accepted unless the world file lists API tokens. Data is kept in memory and lost when the server ends, unless --data names a store.",
    "With --data and --world, the accounts, zones, facts, operations and API tokens of the store follow the world file on every start; what requests created stays. Each difference is one line on standard error.",
    "With --data, the options --brand-* and the limits logoBytes, logoPixels and denseLookback are stored with every account when they are given, and hold for all processes on the store; what is not given stays as it is stored.",
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
    ingest: {
      type: "boolean",
      help: "Accept observed names and pictures by POST; without API tokens from this machine only.",
    },
    workbench: {
      type: "boolean",
      help: "Also serve the workbench: a page with the log of the server and the verdicts on requests. Its address is printed.",
    },
    ...workbenchOptions,
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
    "edgeproof serve --world world.json --workbench",
    "edgeproof serve --data ./edge.db --ingest",
    "edgeproof serve --profile provider --envelopes everywhere --limit rulesPerZone=50",
    'curl -H "authorization: Bearer any" http://127.0.0.1:8787/client/v4/zones/z1/token_validation/rules',
  ],
  run: runServe,
};

async function runServe(input: CommandInput, io: Io): Promise<number> {
  const given = await readEdgeOptions(input, io);
  const settings = readServerOptions(input, given, io);
  const data = stringOption(input, "data");
  const blobs = readBlobs(input, io);
  const verdicts = openVerdictLog(stringOption(input, "log-verdicts"), io);
  const store = data === undefined ? undefined : await openDataStore(data, blobs);
  try {
    const onVerdict = verdicts && { onVerdict: verdicts.write };
    return await serveUntilStopped(input, io, settings, { ...given, ...onVerdict }, store);
  } catch (error) {
    // The connections of an open store would keep the process alive.
    await store?.close();
    throw error;
  } finally {
    verdicts?.close();
  }
}

/** Interval in which a server looks for lookbacks that another process has left, in milliseconds. */
const lookbackCheckMs = 15_000;

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
  const loaded = await loadWorld(input, io, {
    ...given,
    // A store would never get what a new account lacks.
    leavesOut: store === undefined,
    brand: { ...given.brand, ...readBrandOptions(input) },
    onNote: (line) => io.stderr.write(`${escapeControlCharacters(line)}\n`),
    ...(cors !== undefined && { cors }),
    ...(store && { store, lookbackCheckMs: given.lookbackCheckMs ?? lookbackCheckMs }),
    ...(publicBaseUrl !== undefined && { publicBaseUrl }),
    ...(deliveryBaseUrl !== undefined && { deliveryBaseUrl }),
    ...(fetchImage && { fetchImage }),
    ...(booleanOption(input, "ingest") && { ingest: true }),
    onError: (error, traceId) => io.stderr.write(`error ${traceId}: ${(error as Error)?.stack ?? error}\n`),
  });
  const { edge, undecided } = loaded;
  printLeftOut(loaded, io);
  assertDecided(undecided, input);
  io.handleSignals?.(graceMs + maxCloseMs);
  const deliveryBase = deliveryBaseUrl ?? (publicBaseUrl && `${publicBaseUrl}${deliveryPath}`);
  const page = await startPage(input, io, { edge, ...(deliveryBase && { deliveryBase }) });
  const server = await serveOnNode(edge.fetch, {
    port,
    allowedHosts,
    graceMs,
    ...(hostname !== undefined && { hostname }),
    ...((onResponse || page) && {
      onResponse: (record) => {
        onResponse?.(record);
        page?.log(logRequest(record, Date.now()));
      },
    }),
  }).catch(async (error: Error) => {
    await page?.close();
    throw new UsageError(`cannot listen on port ${port}: ${error.message}`);
  });
  printAddress(`${server.url}${basePathOf(given)}`, page, input, io);
  if (store) continueLookbacks(edge, io);
  await waitForStop(io.signal);
  await Promise.all([page?.close(), server.close()]);
  await edge.close();
  return 0;
}

/** Continues in the background the lookbacks that an earlier process did not finish. */
function continueLookbacks(edge: Edge, io: Io): void {
  edge.settled().catch((error: unknown) => {
    if (!io.signal?.aborted)
      io.stderr.write(`error: pending lookbacks: ${(error as Error)?.message ?? error}\n`);
  });
}

/** Starts the page that `--workbench` asks for. */
async function startPage(input: CommandInput, io: Io, shown: ShownData): Promise<Workbench | undefined> {
  if (!booleanOption(input, "workbench")) return undefined;
  const worldPath = stringOption(input, "world");
  const address: WorkbenchAddress = readWorkbenchAddress(input);
  const more = { isServing: true, ...(worldPath !== undefined && { worldPath }) };
  return openWorkbench(address, { ...shown, ...more }, io);
}

function printAddress(url: string, page: Workbench | undefined, input: CommandInput, io: Io): void {
  if (booleanOption(input, "json")) {
    io.stdout.write(`${JSON.stringify({ url, ...(page && { workbench: page.url }) })}\n`);
    return;
  }
  io.stdout.write(`edgeproof listens on ${url}\n`);
  if (page) io.stdout.write(`edgeproof workbench: ${page.url}\n`);
}

/** Time that the store has to close after the grace period, in milliseconds. */
const maxCloseMs = 2_000;

/** Uploads by URL are rejected unless one of the options is set. */
function readFetcher(input: CommandInput): EdgeOptions["fetchImage"] {
  if (booleanOption(input, "fetch-private")) return guardedFetchImage({ allow: () => true });
  return booleanOption(input, "fetch-urls") ? guardedFetchImage() : undefined;
}
