/**
 * Lists of a million: 1,000,000 domain matches in one query and 1,000,000 images in one account, asked for through the
 * fetch handler, without targets. In steps, each of which takes at most minutes: `npm run bench -- stores-large <place>
 * <step>`. A place is a file of SQLite or a URL of PostgreSQL (with `?schema=`); steps are `matches` and `images`, which fill it, then
 * `lists`, which prints milliseconds, and `feed`, which prints what feeding a million more names takes. The step `rules`
 * needs no other, and the place can be `memory`: it prints what requests cost in zones of 100, 1,000 and 10,000 rules.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createEdge, createMemoryStore, type Edge, type Store } from "edgeproof";
import { openPostgresStore } from "edgeproof/stores/postgres";
import { openSqliteStore } from "edgeproof/stores/sqlite";
import { generateNames } from "./brand-names.ts";
import { median } from "./harness.ts";

const size = Number(process.env["EDGEPROOF_LARGE"] ?? 1_000_000);
const batch = 1_000;
const account = "large";
const [place, step] = process.argv.slice(2);

async function open(): Promise<Store> {
  if (place === undefined) throw new RangeError("name a file or a URL, and a step");
  if (place === "memory") return createMemoryStore();
  if (!place.startsWith("postgres")) return openSqliteStore({ path: place });
  const url = new URL(place);
  const schema = url.searchParams.get("schema") ?? "large";
  url.searchParams.delete("schema");
  return openPostgresStore({ connectionString: String(url), schema });
}

/** A number below `size` that looks random and is never the same for two. */
const scattered = (i: number) => (i * 7_368_787) % size;

const match = (i: number) => {
  const domain = `paypal-${scattered(i)}.example`;
  return {
    scope: account,
    id: `${domain} 1`,
    match_id: i + 1,
    query_id: 1,
    domain_id: i + 1,
    domain,
    first_seen: Date.UTC(2026, 0, 1) + Math.floor(i / 100) * 1000,
    registrar: `Registrar ${scattered(i) % 300}`,
    // Nearly all are dismissed: the list without them must not look at each.
    dismissed: i % 1000 !== 0,
  };
};

const image = (i: number) => ({
  scope: account,
  id: `image-${scattered(i)}`,
  sequence: i + 1,
  uploaded: new Date(Date.UTC(2026, 0, 1) + Math.floor(i / 10) * 1000).toISOString(),
  draft: false,
  creator: i % 1000 === 0 ? null : `creator-${scattered(i) % 1000}`,
  meta: { n: i, kind: i % 10_000 === 0 ? "rare" : "usual" },
  requireSignedURLs: false,
  upload_token: null,
  expires_at: null,
});

async function fill(store: Store, collection: string, record: (i: number) => object): Promise<void> {
  const start = performance.now();
  for (let from = 0; from < size; from += batch) {
    const records = Array.from({ length: Math.min(batch, size - from) }, (_, i) => record(from + i));
    await store.write((tx) => tx.insertMissing(collection as never, records as never));
    if (from % 100_000 === 0) console.error(`${from} ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(`filled ${collection}: ${Math.round(size / seconds)} records a second`);
}

async function fillMatches(store: Store): Promise<void> {
  const edge = createEdge({ store });
  const query = (pattern: string) => ({ tag: pattern, string_matches: [{ pattern, max_edit_distance: 0 }] });
  await edge.brand.queries.create(account, query("paypal"));
  await edge.brand.queries.create(account, query("example"));
  await fill(store, "brand_domain_matches", match);
  await store.write(async (tx) => {
    await tx.sequence(account, "brand_domains", size);
    await tx.sequence(account, "brand_domain_matches", size);
  });
  // The second query has ten thousand of the same names.
  const some = Array.from({ length: Math.min(size, 10_000) }, (_, i) => match(i));
  const second = some.map((m) => ({ ...m, id: `${m.domain} 2`, query_id: 2, match_id: m.match_id + size }));
  await store.write((tx) => tx.insertMissing("brand_domain_matches", second as never));
}

async function fillImages(store: Store): Promise<void> {
  await fill(store, "images", image);
  await store.write((tx) => tx.sequence(account, "images", size));
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  "base64",
);

async function lists(store: Store): Promise<void> {
  const edge = createEdge({ store, limits: { imagesPerAccount: 2 * size } });
  const send = senderOf(edge);
  const matches = `/accounts/${account}/intel/v2/brand-protection/domain/matches`;
  const images = `/accounts/${account}/images`;
  const ask = (path: string) => () => send("GET", path);
  const fast: Record<string, () => Promise<unknown>> = {
    "matches: first page": ask(`${matches}?query_id=1&include_dismissed=true`),
    "matches: first page, oldest first": ask(`${matches}?query_id=1&include_dismissed=true&order=asc`),
    "matches: not dismissed (1 in 1,000)": ask(`${matches}?query_id=1`),
    "matches: not dismissed, by domain": ask(`${matches}?query_id=1&orderBy=domain`),
    "matches: by domain": ask(`${matches}?query_id=1&include_dismissed=true&orderBy=domain`),
    "matches: by registrar": ask(`${matches}?query_id=1&include_dismissed=true&orderBy=registrar&order=desc`),
    "matches: offset 1,000": ask(`${matches}?query_id=1&include_dismissed=true&offset=1000`),
    "images v1: first page": ask(`${images}/v1`),
    "images v1: a creator": ask(`${images}/v1?creator=creator-7`),
    "images v1: no creator": ask(`${images}/v1?creator=`),
    "images v2: first page of 100": ask(`${images}/v2?per_page=100`),
    "images v2: oldest first": ask(`${images}/v2?per_page=100&sort_order=asc`),
    "images v2: a creator": ask(`${images}/v2?per_page=100&creator=creator-7`),
    "images v2: last page within the listing limit": await lastPage(send, images),
    "images: usage": ask(`${images}/v1/stats`),
    "images: upload": () => {
      const form = new FormData();
      form.append("file", new Blob([png]), "a.png");
      return send("POST", `${images}/v1`, form);
    },
  };
  const slow: Record<string, () => Promise<unknown>> = {
    "matches: offset at the end": ask(`${matches}?query_id=1&include_dismissed=true&offset=${size - 60}`),
    "matches: domain_search, rare": ask(`${matches}?query_id=1&include_dismissed=true&domain_search=l-77777`),
    "matches: domain_search, common": ask(`${matches}?query_id=1&include_dismissed=true&domain_search=7`),
    "matches: of two queries": ask(`${matches}?query_id=1,2&include_dismissed=true`),
    "images v1: last page": ask(`${images}/v1?page=${size / 100}`),
    "images v2: metadata filter, 1 in 10,000": ask(`${images}/v2?per_page=100&meta.kind[eq]=rare`),
    "images v2: metadata filter, none": ask(`${images}/v2?per_page=100&meta.kind[eq]=never`),
  };
  for (const [what, work] of Object.entries(fast)) await report(what, work, 30);
  for (const [what, work] of Object.entries(slow)) await report(what, work, 3);
  await edge.close();
}

type Send = (method: string, path: string, body?: FormData | object) => Promise<Answer>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

function senderOf(edge: Edge): Send {
  return async (method, path, body) => {
    const isForm = body === undefined || body instanceof FormData;
    const type: Record<string, string> = isForm ? {} : { "content-type": "application/json" };
    const init = {
      method,
      headers: { authorization: "Bearer t", ...type },
      body: isForm ? (body ?? null) : JSON.stringify(body),
    };
    const response = await edge.fetch(new Request(`https://edge.test/client/v4${path}`, init));
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
}

/** Reads a listing up to its last page, and returns a function that requests that page. */
async function lastPage(send: Send, images: string): Promise<() => Promise<unknown>> {
  let path = `${images}/v2?per_page=1000`;
  for (;;) {
    const { continuation_token } = (await send("GET", path)).result;
    const next = `${images}/v2?per_page=1000&continuation_token=${continuation_token}`;
    if ((await send("GET", next)).result.continuation_token === null) return () => send("GET", next);
    path = next;
  }
}

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Prints the median time, the longest time without a turn for others, and the peak of the heap. */
async function report(what: string, work: () => Promise<unknown>, runs: number): Promise<void> {
  if (runs > 3) await work();
  const times: number[] = [];
  const before = heapMegabytes();
  let peak = before;
  const sampling = setInterval(() => {
    if (runs <= 3) peak = Math.max(peak, heapMegabytes());
  }, 500);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  if (runs > 3) delay.enable();
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  clearInterval(sampling);
  const held = runs > 3 ? "" : `, heap at most ${(peak - before).toFixed(1)} MB more`;
  const blocked = runs > 3 ? `, longest turn ${(delay.max / 1e6).toFixed(0)} ms` : "";
  console.log(`${what.padEnd(48)} ${median(times).toFixed(1).padStart(9)} ms${blocked}${held}`);
}

/** Names that match nothing are forgotten, one in a hundred matches. */
function* names(): Generator<string> {
  let i = 0;
  for (let seed = 0; seed < Math.ceil(size / 10_000); seed++)
    for (const name of generateNames(10_000, seed + 1)) yield i++ % 100 ? name : `paypal-fed-${i}.example`;
}

async function feed(store: Store): Promise<void> {
  const edge = createEdge({ store });
  const rss = () => {
    globalThis.gc?.();
    return process.memoryUsage().rss / 1e6;
  };
  for (const retain of [false, true]) {
    const fed = `${account}-${retain}`;
    await edge.brand.queries.create(fed, {
      tag: "paypal",
      string_matches: [{ pattern: "paypal", max_edit_distance: 0 }],
    });
    // Code is compiled and caches are filled by a first part.
    await edge.brand.observe(fed, generateNames(20_000, 999), { retain });
    const before = rss();
    let peak = before;
    let batches = 0;
    const start = performance.now();
    const onProgress = () => {
      if (++batches % 50 === 0) peak = Math.max(peak, process.memoryUsage().rss / 1e6);
    };
    const { matches } = await edge.brand.observe(fed, names(), { retain, onProgress });
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `feed, retain ${retain}: ${size} names, ${matches} matches, ${Math.round(size / seconds)} names a second, ` +
        `process grew by ${(rss() - before).toFixed(0)} MB, at most ${(peak - before).toFixed(0)} MB`,
    );
  }
  await edge.close();
}

const zoneSizes = [100, 1_000, 10_000];
/** Runs of a request, as far as they take no longer than this together. */
const ruleRuns = 40;
const ruleMs = 3_000;

/** The requests of a zone's rules, which leave the number of rules as it is. */
async function ruleRequests(store: Store, size: number): Promise<Record<string, () => Promise<unknown>>> {
  const zone = `rules-${size}`;
  const edge = createEdge({ store });
  const send = senderOf(edge);
  const path = `/zones/${zone}/token_validation/rules`;
  const idOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
  const body = (i: number) => ({
    action: i % 2 ? ("log" as const) : ("block" as const),
    title: `Rule ${i}`,
    description: "Requests to the API carry a valid token",
    enabled: true,
    expression: 'http.request.method eq "GET"',
    selector: { include: [{ host: [`h${i % (size / 10)}.example.com`] }] },
  });
  const now = "2026-01-01T00:00:00.000000Z";
  const dates = { created_at: now, last_updated: now };
  const rule = (i: number) => ({ scope: zone, id: idOf(i), position: i + 1, ...dates, ...body(i) });
  for (let from = 0; from < size; from += batch) {
    const rules = Array.from({ length: Math.min(batch, size - from) }, (_, i) => rule(from + i));
    await store.write((tx) => tx.insertMissing("token_rules", rules as never));
  }
  let turn = 0;
  const pages = Math.ceil(size / 20);
  const list = async (query = "") => (await send("GET", `${path}?${query}`)).result;
  // A rule is created again for each that is deleted; the first and the last one are read before the time is taken.
  const moving = (from: "first" | "last") => async () => {
    const rules = await list(from === "first" ? "" : `page=${pages}`);
    const id = rules.at(from === "first" ? 0 : -1).id;
    const index = from === "first" ? size : 1;
    return timed(() => send("PATCH", `${path}/${id}`, { position: { index } }));
  };
  return {
    "GET page 1": () => timed(() => list()),
    "GET last page": () => timed(() => list(`page=${pages}`)),
    "GET page 1 after a change": async () => {
      await send("PATCH", `${path}/${idOf(7)}`, { enabled: turn++ % 2 === 0 });
      return timed(() => list());
    },
    "GET by host": () => timed(() => list("host=h3.example.com")),
    "GET by action": () => timed(() => list("action=log")),
    "PATCH enabled": () => timed(() => send("PATCH", `${path}/${idOf(7)}`, { enabled: turn++ % 2 === 0 })),
    "move first to last": moving("first"),
    "move last to first": moving("last"),
    "move to the middle": async () => {
      const id = idOf((turn++ * 7) % size);
      return timed(() => send("PATCH", `${path}/${id}`, { position: { index: size / 2 } }));
    },
    "move before another": async () => {
      const [id, before] = [idOf((turn++ * 7) % size), idOf((turn * 13 + 1) % size)];
      if (id === before) return 0;
      return timed(() => send("PATCH", `${path}/${id}`, { position: { before } }));
    },
    "DELETE first": async () => {
      const [first] = await list();
      const taken = await timed(() => send("DELETE", `${path}/${first.id}`));
      await send("POST", path, body(turn++));
      return taken;
    },
    "PATCH of 10, each moved": async () => {
      const rules = await list("per_page=10");
      const edits = rules.map(({ id }: { id: string }, i: number) => ({ id, position: { index: 10 - i } }));
      return timed(() => send("PATCH", `${path}/bulk`, edits));
    },
  };
}

/** Milliseconds that work takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function rules(store: Store): Promise<void> {
  const requests = [];
  for (const size of zoneSizes) requests.push(await ruleRequests(store, size));
  console.log(`${"".padEnd(28)}${zoneSizes.map((size) => String(size).padStart(10)).join("")}  ms`);
  for (const what of Object.keys(requests[0]!)) {
    const medians = [];
    for (const ofSize of requests) {
      for (let i = 0; i < 3; i++) await ofSize[what]!();
      const times: number[] = [];
      const end = performance.now() + ruleMs;
      while (times.length < ruleRuns && performance.now() < end)
        times.push((await ofSize[what]!()) as number);
      medians.push(median(times));
    }
    const ratio = (medians.at(-1)! / medians[0]!).toFixed(1);
    console.log(`${what.padEnd(28)}${medians.map((ms) => ms.toFixed(2).padStart(10)).join("")}  x ${ratio}`);
  }
}

const steps: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  matches: fillMatches,
  images: fillImages,
  lists,
  feed,
  rules,
};
const work = steps[step ?? ""];
if (!work) throw new RangeError(`name one of the steps ${Object.keys(steps).join(", ")}`);
const store = await open();
await work(store);
await store.close().catch(() => {});
