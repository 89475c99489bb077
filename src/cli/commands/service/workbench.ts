/** `edgeproof workbench`: serves a local page over the data of a world or a store. */

import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { upperFirst } from "../../../core/text/sentence.ts";
import type { Edge, EdgeOptions } from "../../../edge.ts";
import { createEdge } from "../../../edge.ts";
import { readRun } from "../../../workbench/log/read-run.ts";
import type { SampleRequest } from "../../../workbench/messages.ts";
import { type Io, UsageError } from "../../command.ts";
import type { workbench } from "../../declarations/workbench.ts";
import type { InvocationOf, OptionsOf } from "../../declare.ts";
import { demoAccount } from "../../demo/account.ts";
import { mintDemoKeys } from "../../demo/api-world.ts";
import { demoRequestsForCustomRules, demoWorldWithCustomRules } from "../../demo/custom-rules.ts";
import type { DemoRequest } from "../../demo/tokens.ts";
import { readBlobs } from "../../input/blobs-option.ts";
import { readBrandOptions } from "../../input/brand-options.ts";
import { openDataStore } from "../../input/data-store.ts";
import { readEdgeOptions } from "../../input/edge/edge-options.ts";
import { readTextInput } from "../../input/files.ts";
import { acceptsUndecided } from "../../input/imports/undecided.ts";
import { fileOfWorld } from "../../input/paths/expand.ts";
import { openWorkbench, type ShownData } from "../../input/workbench-options.ts";
import { type LoadedWorld, loadWorld } from "../../input/world-file.ts";
import { waitForStop } from "./stop.ts";

export async function run({ options, io }: InvocationOf<typeof workbench>): Promise<number> {
  // First: a stop while the store is opened closes it too.
  io.handleSignals?.();
  const shown = await readShownData(options, io);
  try {
    if (!acceptsUndecided(shown.undecided ?? [], options, io)) return 1;
    const recorded = await readRecordedRun(options, io, shown.edge);
    const running = await openWorkbench(
      { workbenchPort: options.port, workbenchHost: options.host },
      { ...shown, ...recorded },
      io,
    );
    const line = options.json ? JSON.stringify({ url: running.url }) : `edgeproof workbench: ${running.url}`;
    io.stdout.write(`${line}\n`);
    await waitForStop(io.signal);
    await running.close();
    return 0;
  } finally {
    // The connections of an open store would keep the process alive.
    await Promise.race([shown.edge.close(), sleep(1_000, undefined, { ref: false })]);
  }
}

/** The shown data, and the parts that the file of the world does not decide. */
interface LoadedData extends ShownData {
  readonly undecided?: LoadedWorld["undecided"];
}

async function readShownData(options: OptionsOf<typeof workbench>, io: Io): Promise<LoadedData> {
  const worldPath = fileOfWorld(options.world, io);
  const data = options.data;
  const edgeOptions = await readEdgeOptions(options, io);
  const given = { ...edgeOptions, brand: { ...edgeOptions.brand, ...readBrandOptions(options) } };
  if (worldPath === undefined && data === undefined) return demoData(given);
  const { edge, undecided } = await openEdge(options, io, given, data);
  return { edge, undecided, ...(worldPath !== undefined && { worldPath }) };
}

/** The verdicts that `--open` names. @throws {UsageError} */
async function readRecordedRun(
  options: OptionsOf<typeof workbench>,
  io: Io,
  edge: Edge,
): Promise<Pick<ShownData, "entries" | "run">> {
  const path = options.open;
  if (path === undefined) return {};
  const read = await readRun(await readTextInput(path, io), edge);
  if (read.ok) return { entries: read.value, run: basename(path) };
  throw new UsageError(`${path}: ${read.problems[0]}`);
}

async function openEdge(
  options: OptionsOf<typeof workbench>,
  io: Io,
  given: EdgeOptions,
  data: string | undefined,
): Promise<LoadedWorld> {
  const blobs = readBlobs(options, io);
  const store = data === undefined ? undefined : await openDataStore(data, blobs);
  try {
    return await loadWorld(options, io, {
      ...given,
      appliesUndecided: options.partial,
      ...(store && { store }),
    });
  } catch (error) {
    await store?.close();
    throw error;
  }
}

/** The shop of `edgeproof demo`, with new keys and a request for each kind of verdict. */
async function demoData(given: EdgeOptions): Promise<ShownData> {
  const keys = await mintDemoKeys();
  // With each load of the page, since their titles state their times.
  const samples = async () => (await demoRequestsForCustomRules(keys)).map(sampleOf);
  const world = demoWorldWithCustomRules(keys, demoAccount());
  return { edge: createEdge({ ...given, world }), samples };
}

function sampleOf({ title, method, url, headers, ip }: DemoRequest): SampleRequest {
  return {
    title: upperFirst(title).replaceAll("`", ""),
    method,
    url,
    headers: Object.entries(headers),
    ...(ip !== undefined && { ip }),
  };
}
