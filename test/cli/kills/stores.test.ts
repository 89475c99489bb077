/** Commands that fill a store are killed at any time: when they are repeated, the store has what an uninterrupted run stores. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { collectionNames } from "../../../src/store/collections.ts";
import type { Store } from "../../../src/store/port.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { exportStore } from "../../../src/store/transfer/export.ts";
import { importStore } from "../../../src/store/transfer/import.ts";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../engine/logo/drawings.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../../store/open.ts";
import { bundledCli } from "../../support/bundled.ts";
import { runs } from "../../support/runs.ts";

/**
 * How often each command is killed in each kind of store, by turns at a random moment and when its first change can be
 * seen. Each run of the tests adds other moments.
 */
const kills = runs(5, 1);
/** Names and pictures that are observed, and further blobs that are imported. */
const [manyNames, manyPictures, manyBlobs] = [500, 4, 100];

const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
const at = (name: string) => join(folder, name);
const png = (i: number) => drawPng(drawings["wing"]!, { side: 40 + i });

interface Place {
  /** The value of `--data`. */
  readonly data: string;
  open(): Promise<Store>;
}

const kinds: Readonly<Record<string, () => Promise<Place>>> = {
  SQLite: async () => {
    const path = join(await mkdtemp(at("store-")), "edge.db");
    return { data: path, open: () => openSqliteStore({ path }) };
  },
  PostgreSQL: async () => {
    const schema = nextSchema();
    const open = () => openPostgresStore({ connectionString: postgresUrl!, schema });
    return { data: `${postgresUrl}?schema=${schema}`, open };
  },
};
const isMissing = (kind: string) => kind === "PostgreSQL" && postgresUrl === undefined;

async function exportOf({ open }: Place): Promise<string> {
  const store = await open();
  let text = "";
  await store.blobs.removeUnclaimed(0);
  await exportStore(store, async (piece) => {
    text += piece;
  });
  await store.close();
  return text;
}

/** The entries of an export, without ids and times that differ in each run. */
function comparable(text: string): readonly string[] {
  const lines = text.split("\n").slice(1, -2);
  return lines
    .map((line) =>
      line
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
        .replaceAll(/\b[0-9a-f]{32}\b/g, "<id>")
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
        .replaceAll(/\b1\d{12}\b/g, "<time>"),
    )
    .sort();
}

async function fill(place: Place, text: string): Promise<void> {
  const store = await place.open();
  await importStore(store, async function* () {
    yield Buffer.from(text);
  });
  await store.close();
}

/** Exports that the tests start from. */
const texts = { account: "", imported: "", outdated: "" };

beforeAll(async () => {
  const names = Array.from({ length: manyNames }, (_, i) => `paypa${i}.example\n`);
  await writeFile(at("names.txt"), names.join(""));
  await mkdir(at("shots"));
  for (let i = 0; i < manyPictures; i++) await writeFile(at(`shots/${i}.png`), png(i));
  const place = await kinds["SQLite"]!();
  const queries = [{ tag: "ours", string_matches: [{ pattern: "paypal", max_edit_distance: 2 }] }];
  const world = { accounts: [{ id: "a1", brand: { queries } }] };
  const edge = createEdge({ store: await place.open(), world });
  const image_data = Buffer.from(png(3)).toString("base64");
  await edge.brand.logos.queries.create("a1", { tag: "logo", similarity_threshold: 0.9, image_data });
  await edge.close();
  texts.account = await exportOf(place);
  expect((await run(observe(place))).code).toBe(0);
  const store = await place.open();
  for await (const key of store.blobs.keys()) {
    const bytes = (await store.blobs.get(key))!;
    if (/descriptor/.test(key)) await store.blobs.put(key, Buffer.from(bytes).fill(1, 0, 1));
  }
  texts.outdated = await exportOf(place);
  const keys = Array.from({ length: manyBlobs }, (_, i) => `picture ${i}`);
  for (const key of keys) await store.blobs.put(key, new Uint8Array(20_000).fill(key.length));
  await store.write((tx) => tx.claimBlobs(keys));
  await store.close();
  texts.imported = await exportOf(place);
}, 120_000);

interface Outcome {
  readonly code: number | null;
  readonly err: string;
  readonly ms: number;
}

/** @param killAt when the process is killed; by default never */
async function run(words: readonly string[], killAt?: Promise<unknown>): Promise<Outcome> {
  const start = performance.now();
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, [bundledCli(), "store", ...words], {
    env,
    stdio: [words.includes("-") ? "pipe" : "ignore", "ignore", "pipe"],
  });
  const ended = once(child, "close");
  let err = "";
  child.stderr!.on("data", (chunk) => {
    err += chunk;
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(texts.imported);
  void killAt?.then(() => child.kill("SIGKILL"));
  const [code] = await ended;
  return { code, err, ms: performance.now() - start };
}

function observe({ data }: Place): readonly string[] {
  return ["observe", "--data", data, "--account", "a1", at("names.txt"), at("shots")];
}

/** The collections that have records. */
function recordsIn(store: Store): Promise<string> {
  return store.read(async (tx) => {
    const scopes: string[] = [];
    for (const name of collectionNames) scopes.push(`${await tx.scopes(name)}`);
    return scopes.join(" ");
  });
}

/** The versions of the descriptors. */
async function versionsIn({ blobs }: Store): Promise<string> {
  const keys: string[] = [];
  for await (const key of blobs.keys()) if (key.includes("descriptor")) keys.push(key);
  return (await blobs.getMany(keys)).map((bytes) => bytes?.[0]).join(" ");
}

/** Waits until what can be seen of a store changes, at most for a time. */
async function changed({ open }: Place, { seen }: Command, maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  const store = await open();
  const before = await seen(store);
  while (performance.now() < end && (await seen(store)) === before) await sleep(1);
  await store.close();
}

interface Command {
  /** The export that the store is filled with first. */
  readonly before: () => string | undefined;
  readonly words: (place: Place) => readonly string[];
  /** A description of the part of the store that its first transaction changes. */
  readonly seen: (store: Store) => Promise<string>;
}

const commands: Readonly<Record<string, Command>> = {
  import: { before: () => undefined, words: ({ data }) => ["import", "--data", data, "-"], seen: recordsIn },
  observe: { before: () => texts.account, words: observe, seen: recordsIn },
  reindex: {
    before: () => texts.outdated,
    words: ({ data }) => ["reindex", "--data", data],
    seen: versionsIn,
  },
};

async function prepared(kind: string, { before }: Command): Promise<Place> {
  const place = await kinds[kind]!();
  const text = before();
  if (text !== undefined) await fill(place, text);
  return place;
}

for (const [name, command] of Object.entries(commands)) {
  describe(`store ${name}`, () => {
    for (const kind of Object.keys(kinds))
      test.skipIf(isMissing(kind))(
        `that is killed and repeated fills ${kind} as an uninterrupted run`,
        {
          timeout: 600_000,
        },
        async () => {
          const whole = await prepared(kind, command);
          const { code, ms, err } = await run(command.words(whole));
          expect([code, err]).toEqual([0, expect.any(String)]);
          const expected = comparable(await exportOf(whole));
          expect(expected).not.toEqual(comparable(command.before() ?? ""));
          const first = Math.round(Math.random());
          for (let i = first; i < first + kills; i++) {
            const place = await prepared(kind, command);
            await run(
              command.words(place),
              i % 2 === 0 ? sleep(ms * (0.3 + 0.7 * Math.random())) : changed(place, command, ms),
            );
            const again = await run(command.words(place));
            // An import that was complete has nothing to repeat.
            if (again.code !== 0) expect(again.err).toMatch(/already holds records of accounts/);
            expect(comparable(await exportOf(place))).toEqual(expected);
          }
        },
      );
  });
}

test("standard input is copied to a file that no later import leaves behind", async () => {
  expect((await readdir(folder)).filter((name) => name.endsWith(".partial"))).toEqual([]);
});
