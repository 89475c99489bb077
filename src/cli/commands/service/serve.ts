/** `edgeproof serve`: serves the interface over HTTP. */

import type { Edge, EdgeOptions } from "../../../edge.ts";
import { deliveryPath } from "../../../http/endpoints/endpoint.ts";
import { guardedFetchImage } from "../../../http/fetch/guarded-fetch.ts";
import { serveOnNode } from "../../../http/node-server.ts";
import type { Store } from "../../../store/port.ts";
import { logRequest } from "../../../workbench/log/log-request.ts";
import type { Workbench } from "../../../workbench/workbench.ts";
import { type Io, UsageError } from "../../command.ts";
import type { serve } from "../../declarations/serve.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { readBrandOptions } from "../../input/brand-options.ts";
import { openDataStore } from "../../input/data-store.ts";
import { basePathOf, readEdgeOptions } from "../../input/edge/edge-options.ts";
import { acceptsUndecided } from "../../input/imports/undecided.ts";
import { fileOfWorld } from "../../input/paths/expand.ts";
import { readServerOptions, type ServerSettings } from "../../input/server-options.ts";
import { readBlobs } from "../../input/stores/blobs-option.ts";
import { openWorkbench, type ShownData } from "../../input/workbench-options.ts";
import { loadWorld, printLeftOut } from "../../input/world-file.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { openVerdictLog } from "../../output/verdict-log.ts";
import { waitForStop } from "./stop.ts";

export async function run({ options, io }: InvocationOf<typeof serve>): Promise<number> {
  const given = await readEdgeOptions(options, io);
  const zoneHosts = { ...given.zoneHosts, ...Object.fromEntries(options.zoneHost.map(readZoneHost)) };
  const settings = readServerOptions(options, { ...given, zoneHosts }, io);
  const data = options.data;
  const blobs = readBlobs(options, io);
  const verdicts = openVerdictLog(options.logVerdicts, io);
  // Before the store is opened: a stop while it starts closes it too.
  io.handleSignals?.(settings.graceMs + maxCloseMs);
  const store = data === undefined ? undefined : await openDataStore(data, blobs);
  try {
    const onVerdict = verdicts && { onVerdict: verdicts.write };
    return await serveUntilStopped(options, io, settings, { ...given, zoneHosts, ...onVerdict }, store);
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
  options: OptionsOf<typeof serve>,
  io: Io,
  settings: ServerSettings,
  given: EdgeOptions,
  store: Store | undefined,
): Promise<number> {
  const { port, hostname, allowedHosts, publicBaseUrl, deliveryBaseUrl, cors, onResponse } = settings;
  const { graceMs, keepAliveMs } = settings;
  const fetchImage = readFetcher(options);
  const loaded = await loadWorld(options, io, {
    ...given,
    // A store would never get what a new account lacks.
    leavesOut: store === undefined,
    appliesUndecided: options.partial,
    brand: { ...given.brand, ...readBrandOptions(options) },
    onNote: (line) => io.stderr.write(`${escapeControlCharacters(line)}\n`),
    ...(cors !== undefined && { cors }),
    ...(store && { store, lookbackCheckMs: given.lookbackCheckMs ?? lookbackCheckMs }),
    ...(publicBaseUrl !== undefined && { publicBaseUrl }),
    ...(deliveryBaseUrl !== undefined && { deliveryBaseUrl }),
    ...(fetchImage && { fetchImage }),
    ...(options.ingest && { ingest: true }),
    onError: (error, traceId) => io.stderr.write(`error ${traceId}: ${(error as Error)?.stack ?? error}\n`),
  });
  const { edge, undecided } = loaded;
  printLeftOut(loaded, io);
  if (!acceptsUndecided(undecided, options, io)) {
    await edge.close();
    return 1;
  }
  const deliveryBase = deliveryBaseUrl ?? (publicBaseUrl && `${publicBaseUrl}${deliveryPath}`);
  const page = await startPage(options, io, { edge, ...(deliveryBase && { deliveryBase }) });
  const server = await serveOnNode(edge.fetch, {
    port,
    allowedHosts,
    graceMs,
    keepAliveMs,
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
  printAddress(`${server.url}${basePathOf(given)}`, page, options, io);
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
async function startPage(
  options: OptionsOf<typeof serve>,
  io: Io,
  shown: ShownData,
): Promise<Workbench | undefined> {
  if (!options.workbench) return undefined;
  const worldPath = fileOfWorld(options.world, io);
  const more = { isServing: true, ...(worldPath !== undefined && { worldPath }) };
  return openWorkbench(options, { ...shown, ...more }, io);
}

function printAddress(
  url: string,
  page: Workbench | undefined,
  options: OptionsOf<typeof serve>,
  io: Io,
): void {
  if (options.json) {
    io.stdout.write(`${JSON.stringify({ url, ...(page && { workbench: page.url }) })}\n`);
    return;
  }
  io.stdout.write(`edgeproof listens on ${url}\n`);
  if (page) io.stdout.write(`edgeproof workbench: ${page.url}\n`);
}

/** Time that the store has to close after the grace period, in milliseconds. */
const maxCloseMs = 2_000;

function readZoneHost(word: string): readonly [host: string, zone: string] {
  const at = word.indexOf("=");
  return [word.slice(0, at), word.slice(at + 1)];
}

/** Uploads by URL are rejected unless one of the options is set. */
function readFetcher(options: OptionsOf<typeof serve>): EdgeOptions["fetchImage"] {
  if (options.fetchPrivate) return guardedFetchImage({ allow: () => true });
  return options.fetchUrls ? guardedFetchImage() : undefined;
}
