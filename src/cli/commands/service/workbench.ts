/** `edgeproof workbench`: serves a local page over the data of a world or a store. */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Edge, EdgeOptions } from "../../../edge.ts";
import { createEdge } from "../../../edge.ts";
import { readRun } from "../../../workbench/log/read-run.ts";
import type { SampleRequest } from "../../../workbench/messages.ts";
import {
  booleanOption,
  type CommandDefinition,
  type CommandInput,
  type Io,
  jsonOption,
  stringOption,
  UsageError,
} from "../../command.ts";
import { demoAccount } from "../../demo/account.ts";
import { demoWorld, mintDemoKeys } from "../../demo/api-world.ts";
import { demoRequests } from "../../demo/tokens.ts";
import { brandOptions, readBrandOptions } from "../../input/brand-options.ts";
import { dataOption, openDataStore } from "../../input/data-store.ts";
import { edgeOptions, readEdgeOptions } from "../../input/edge-options.ts";
import { readTextInput } from "../../input/files.ts";
import { partialOption } from "../../input/imports/import-options.ts";
import { assertDecided } from "../../input/imports/undecided.ts";
import { readBlobs } from "../../input/stores/blobs-option.ts";
import {
  openWorkbench,
  readWorkbenchAddress,
  type ShownData,
  workbenchOptions,
} from "../../input/workbench-options.ts";
import { loadWorld, printLeftOut, profileOption, worldOption } from "../../input/world-file.ts";
import { waitForStop } from "./stop.ts";

export const workbench: CommandDefinition = {
  about: [
    "Opens a page on this machine that answers why a request was blocked: paste a curl command, a HAR, a URL with headers or a JWT, and edit the rules with the result beside them. It also shows proxy applications with their codes, matches of names and logos, and pictures through every variant and fit. The data is that of a world file or a store; without either, that of the demo.",
    "The command prints the address of the page. It ends with a token that every request for data needs, so do not pass it on. The page sends requests to this address only.",
  ],
  positionals: "",
  options: {
    ...worldOption,
    ...dataOption,
    ...profileOption,
    ...partialOption,
    ...brandOptions,
    ...edgeOptions,
    open: {
      type: "string",
      value: "file",
      help: "Show the verdicts of this file, which `edgeproof serve --log-verdicts` wrote, in the log of the page.",
    },
    ...workbenchOptions,
    ...jsonOption,
  },
  exits: {
    0: "The workbench was stopped (Ctrl-C or SIGTERM).",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof workbench",
    "edgeproof workbench --world world.json",
    "edgeproof workbench --data ./edge.db --workbench-port 0",
    "edgeproof workbench --world world.json --open run.ndjson",
  ],
  run: runWorkbench,
};

async function runWorkbench(input: CommandInput, io: Io): Promise<number> {
  const address = readWorkbenchAddress(input);
  const shown = await readShownData(input, io);
  try {
    const recorded = await readRecordedRun(input, io, shown.edge);
    io.handleSignals?.();
    const running = await openWorkbench(address, { ...shown, ...recorded }, io);
    const line = booleanOption(input, "json")
      ? JSON.stringify({ url: running.url })
      : `edgeproof workbench: ${running.url}`;
    io.stdout.write(`${line}\n`);
    await waitForStop(io.signal);
    await running.close();
    return 0;
  } finally {
    // The connections of an open store would keep the process alive.
    await Promise.race([shown.edge.close(), sleep(1_000, undefined, { ref: false })]);
  }
}

async function readShownData(input: CommandInput, io: Io): Promise<ShownData> {
  const worldPath = stringOption(input, "world");
  const data = stringOption(input, "data");
  const given = { ...(await readEdgeOptions(input, io)), brand: readBrandOptions(input) };
  if (worldPath === undefined && data === undefined) return demoData(given);
  const edge = await openEdge(input, io, given, data);
  return { edge, ...(worldPath !== undefined && { worldPath }) };
}

/** The verdicts that `--open` names. @throws {UsageError} */
async function readRecordedRun(
  input: CommandInput,
  io: Io,
  edge: Edge,
): Promise<Pick<ShownData, "entries" | "run">> {
  const path = stringOption(input, "open");
  if (path === undefined) return {};
  const read = await readRun(await readTextInput(path, io), edge);
  if (read.ok) return { entries: read.value, run: basename(path) };
  throw new UsageError(`${path}: ${read.problems[0]}`);
}

async function openEdge(
  input: CommandInput,
  io: Io,
  given: EdgeOptions,
  data: string | undefined,
): Promise<Edge> {
  const blobs = readBlobs(input, io);
  const store = data === undefined ? undefined : await openDataStore(data, blobs);
  try {
    // A store would never get what a new account lacks.
    const leavesOut = store === undefined;
    const loaded = await loadWorld(input, io, { ...given, leavesOut, ...(store && { store }) });
    printLeftOut(loaded, io);
    assertDecided(loaded.undecided, input);
    return loaded.edge;
  } catch (error) {
    await store?.close();
    throw error;
  }
}

/** The shop of `edgeproof demo`, with new keys and a request for each kind of verdict. */
async function demoData(given: EdgeOptions): Promise<ShownData> {
  const keys = await mintDemoKeys();
  const samples = (await demoRequests(keys)).map(
    ({ title, method, url, headers }): SampleRequest => ({
      title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
      method,
      url,
      headers: Object.entries(headers),
    }),
  );
  const world = { ...demoWorld(keys), accounts: [demoAccount()] };
  return { edge: createEdge({ ...given, world }), samples };
}
