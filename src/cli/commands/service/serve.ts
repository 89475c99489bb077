/** `edgeproof serve`: serves the interface over HTTP. */

import type { Edge, EdgeOptions } from "../../../edge.ts";
import { loadSharp } from "../../../engine/picture/sharp.ts";
import { deliveryPath } from "../../../http/endpoints/endpoint.ts";
import { guardedFetchImage } from "../../../http/fetch/guarded-fetch.ts";
import { isPublicOrPrivateAddress } from "../../../http/fetch/public-address.ts";
import { serveOnNode } from "../../../http/node-server.ts";
import { loadFormParser } from "../../../http/requests/multipart.ts";
import type { Store } from "../../../store/port.ts";
import { logRequest } from "../../../workbench/log/log-request.ts";
import type { Workbench } from "../../../workbench/workbench.ts";
import { openAdmin } from "../../admin/admin-server.ts";
import { replaceableEdge } from "../../admin/replaceable-edge.ts";
import { createSettableClock } from "../../admin/settable-clock.ts";
import { type Io, UsageError } from "../../command.ts";
import type { serve } from "../../declarations/serve.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { readBlobs } from "../../input/blobs-option.ts";
import { readBrandOptions } from "../../input/brand-options.ts";
import { openDataStore } from "../../input/data-store.ts";
import { basePathOf, readEdgeOptions } from "../../input/edge/edge-options.ts";
import { readFaultsFile } from "../../input/faults-file.ts";
import { acceptsUndecided } from "../../input/imports/undecided.ts";
import { fileOfWorld } from "../../input/paths/expand.ts";
import { readServerOptions, type ServerSettings } from "../../input/server-options.ts";
import { openWorkbench, type ShownData } from "../../input/workbench-options.ts";
import { loadWorld } from "../../input/world-file.ts";
import { escapeControlCharacters } from "../../output/escape-control-characters.ts";
import { openVerdictLog } from "../../output/verdict-log.ts";
import { waitForStop } from "./stop.ts";

export async function run({ options, io }: InvocationOf<typeof serve>): Promise<number> {
  const given = await readFaults(options, await readEdgeOptions(options, io), io);
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
  const clock = createSettableClock();
  const loaded = await loadWorld(options, io, {
    ...given,
    ...(options.adminPort !== undefined && { clock: clock.now }),
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
  const { undecided } = loaded;
  const onError = (error: unknown) =>
    io.stderr.write(`administration: ${(error as Error)?.stack ?? error}\n`);
  const replaceable = replaceableEdge(loaded.edge, loaded.reopen, onError);
  const { edge } = replaceable;
  prepareUploads(io);
  if (!acceptsUndecided(undecided, options, io)) {
    await edge.close();
    return 1;
  }
  const deliveryBase = deliveryBaseUrl ?? (publicBaseUrl && `${publicBaseUrl}${deliveryPath}`);
  const page = await startPage(options, io, { edge, ...(deliveryBase && { deliveryBase }) });
  const keepsData = store && "The data are kept in the store of `--data`; only data in memory can be reset.";
  const administered = { ...replaceable, clock, keepsData, onError };
  const admin = await openAdmin(options, administered, allowedHosts).catch(async (error: unknown) => {
    await page?.close();
    throw error;
  });
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
    await Promise.all([page?.close(), admin?.close()]);
    throw new UsageError(`cannot listen on port ${port}: ${error.message}`);
  });
  printAddresses(
    `${server.url}${basePathOf(given)}`,
    { workbench: page?.url, admin: admin?.url },
    options,
    io,
  );
  if (store) continueLookbacks(edge, io);
  await waitForStop(io.signal);
  await Promise.all([page?.close(), admin?.close(), server.close()]);
  await edge.close();
  return 0;
}

/** Loads the libraries of uploads while files can be opened: under load there may be no descriptor left. */
function prepareUploads(io: Io): void {
  try {
    loadFormParser();
    loadSharp();
  } catch (error) {
    io.stderr.write(`${(error as Error).message}: requests that need pixels are answered with 503\n`);
  }
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

function printAddresses(
  url: string,
  more: Readonly<Record<"workbench" | "admin", string | undefined>>,
  options: OptionsOf<typeof serve>,
  io: Io,
): void {
  if (options.json) {
    io.stdout.write(`${JSON.stringify({ url, ...more })}\n`);
    return;
  }
  io.stdout.write(`edgeproof listens on ${url}\n`);
  if (more.workbench !== undefined) io.stdout.write(`edgeproof workbench: ${more.workbench}\n`);
  if (more.admin !== undefined) io.stdout.write(`edgeproof administration: ${more.admin}/-/\n`);
}

/** The options with the faults of the command line, which replace those of the options file. */
async function readFaults(
  options: OptionsOf<typeof serve>,
  given: EdgeOptions,
  io: Io,
): Promise<EdgeOptions> {
  const faults = options.faults && (await readFaultsFile(options.faults, basePathOf(given), io));
  return { ...given, ...(faults && { faults }), ...(options.allowFaults && { requestFaults: true }) };
}

/** Time that the store has to close after the grace period, in milliseconds. */
const maxCloseMs = 2_000;

function readZoneHost(word: string): readonly [host: string, zone: string] {
  const at = word.indexOf("=");
  return [word.slice(0, at), word.slice(at + 1)];
}

/** Uploads by URL are rejected unless one of the options is set. */
function readFetcher(options: OptionsOf<typeof serve>): EdgeOptions["fetchImage"] {
  if (options.fetchPrivate) return guardedFetchImage({ allow: isPublicOrPrivateAddress });
  return options.fetchUrls ? guardedFetchImage() : undefined;
}
