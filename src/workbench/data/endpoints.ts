/** The table of everything that the page can ask for. */
import type { Edge } from "../../edge.ts";
import { isRemoved, worldScope } from "../../store/records/world.ts";
import type { Named, Overview, SampleRequest } from "../messages.ts";
import { appEndpoints } from "./app-endpoints.ts";
import { brandEndpoints } from "./brand-endpoints.ts";
import type { DataEndpoints } from "./data-endpoint.ts";
import { imageEndpoints } from "./image-endpoints.ts";
import { requestEndpoints } from "./request-endpoints.ts";

/** The data of the command that serves it. */
export interface DataContext {
  /** Version of the package. */
  readonly version: string;
  /** Path of the world file for texts to copy. Default `world.json`. */
  readonly worldPath?: string;
  /** The start of delivery addresses. Default: the path of delivery, without an origin. */
  readonly deliveryBase?: string;
  /** Requests to begin with, asked for with each load of the page. Default: one for each zone. */
  readonly samples?: () => Promise<readonly SampleRequest[]>;
  /** Name of the recorded run that the log shows. */
  readonly run?: string;
  /** Whether a server writes to the log. */
  readonly isServing?: boolean;
}

/** All endpoints by name. */
export function dataEndpoints(context: DataContext): DataEndpoints {
  return {
    overview: { method: "GET", handle: ({ edge }) => readOverview(edge, context) },
    ...appEndpoints,
    ...brandEndpoints,
    ...imageEndpoints(context.deliveryBase),
    ...requestEndpoints(context.worldPath ?? "world.json"),
  };
}

async function readOverview(edge: Edge, context: DataContext): Promise<Overview> {
  const { version, samples, run, isServing = false } = context;
  const { zones, accounts } = await edge.store.read(async (tx) => ({
    zones: await tx.find("zones", worldScope),
    accounts: await tx.find("accounts", worldScope),
  }));
  const named = (records: typeof zones | typeof accounts): readonly Named[] =>
    records
      .filter((record) => !isRemoved(record))
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  const known = named(zones);
  return {
    version,
    zones: known,
    accounts: named(accounts),
    samples:
      (await samples?.()) ??
      known.map(({ name }) => ({ title: name, method: "GET", url: `https://${name}/`, headers: [] })),
    ...(run !== undefined && { run }),
    isServing,
  };
}
