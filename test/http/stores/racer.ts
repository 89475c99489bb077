/** A process of its own that races others through the interface: it waits for a line, races, and prints what it won. */
import { once } from "node:events";
import { createEdge } from "../../../src/edge.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";

/** The task of a racer. */
export interface RaceTask {
  readonly connectionString: string;
  readonly schema: string;
  readonly racer: number;
  /** Rules of the zone `moves`. */
  readonly rules: readonly string[];
  /** Addresses that take one upload each. */
  readonly uploads: readonly string[];
  /** Matched names that are dismissed. */
  readonly dismissals: readonly string[];
  /** A small PNG, as base64. */
  readonly picture: string;
  readonly configBody: object;
}

export const names = 4;
export const configQuota = 5;
export const ipv4Quota = 3;
export const imageQuota = 6;
export const feed = Array.from({ length: 100 }, (_, i) => `paypal-${i}.example`);
export const movesEach = 5;

const task = JSON.parse(process.argv[2] ?? "null") as RaceTask | null;
if (task) await race(task);

async function race({ connectionString, schema, racer, ...task }: RaceTask): Promise<void> {
  const store = await openPostgresStore({ connectionString, schema, maxConnections: 4, conflictMs: 60_000 });
  const limits = { imagesPerAccount: imageQuota };
  const edge = createEdge({
    store,
    configsPerZone: configQuota,
    limits,
    onError: (error) => console.error(error),
  });
  const send = async (method: string, path: string, body?: object): Promise<number> => {
    const url = path.startsWith("/") ? `https://edge.test/client/v4${path}` : path;
    const isForm = body instanceof FormData;
    const headers = {
      authorization: "Bearer t",
      ...(body && !isForm && { "content-type": "application/json" }),
    };
    const sent = isForm ? body : body ? JSON.stringify(body) : null;
    return (await edge.fetch(new Request(url, { method, headers, body: sent }))).status;
  };
  const won: Record<string, number[]> = {};
  const note = async (kind: string, i: number, status: Promise<number>) => {
    const code = await status;
    const [list, entry] = (code >= 500 ? ["failed", code] : [kind, i]) as [string, number];
    if (code === 200 || code >= 500) won[list] = [...(won[list] ?? []), entry];
  };
  const app = (name: string) => ({
    protocol: "tcp/22",
    dns: { type: "CNAME", name },
    origin_direct: ["tcp://192.0.2.1:22"],
  });
  const form = (id?: string) => {
    const data = new FormData();
    data.append("file", new Blob([Buffer.from(task.picture, "base64")]), "a.png");
    if (id !== undefined) data.append("id", id);
    return data;
  };

  await edge.store.read(async () => {});
  process.stdout.write("ready\n");
  await once(process.stdin, "data");

  for (let i = 0; i < names; i++)
    await note("name", i, send("POST", `/zones/name${racer}/app_service/apps`, app(`n${i}.example.com`)));
  for (let i = 0; i < ipv4Quota; i++)
    await note("ipv4", i, send("POST", "/zones/quota/app_service/apps", app(`${racer}-${i}.example.net`)));
  for (let i = 0; i < configQuota; i++)
    await note("config", i, send("POST", "/zones/quota/token_validation/config", task.configBody));
  for (const [i, address] of task.uploads.entries()) await note("upload", i, send("POST", address, form()));
  for (let i = 0; i < 2; i++)
    await note("image", i, send("POST", "/accounts/same/images/v1", form(`same${i}`)));
  for (let i = 0; i < imageQuota / 2; i++)
    await note("room", i, send("POST", "/accounts/full/images/v1", form(`${racer}-${i}`)));
  for (const [i, path] of task.dismissals.entries()) await note("dismissal", i, send("POST", path));
  for (let i = 0; i < movesEach; i++) {
    const rule = task.rules[(i * 5 + racer * 3) % task.rules.length]!;
    const position = { index: 1 + ((i * 7 + racer) % task.rules.length) };
    await note("move", i, send("PATCH", `/zones/moves/token_validation/rules/${rule}`, { position }));
  }
  const { matches } = await edge.brand.observe("feed", feed);
  process.stdout.write(`${JSON.stringify({ won, matches })}\n`);
  await edge.close();
  process.stdin.destroy();
}
