/** Several processes on one store: it is set up once, and every race is decided once. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CollectionTable } from "../../../src/store/definition.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { type ProbeStore, probes, thing } from "../../../src/testing/contract/probe.ts";
import { postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";
import { startWorker } from "./processes.ts";
import { listLength, racesEach, type Task } from "./worker.ts";

const folder = await temporaryFolder();
const collections = probes as CollectionTable;
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
const racers = 4;

interface Place {
  readonly task: Pick<Task, "sqlite" | "postgres">;
  open(): Promise<ProbeStore>;
}

const places: Record<string, (name: string) => Place> = {
  SQLite: (name) => {
    const path = join(folder, `${name}.db`);
    const open = () => openSqliteStore({ path, collections }) as Promise<unknown> as Promise<ProbeStore>;
    return { task: { sqlite: path }, open };
  },
  PostgreSQL: () => {
    const postgres = { connectionString: postgresUrl!, schema: nextSchema() };
    const open = () =>
      openPostgresStore({ ...postgres, collections }) as Promise<unknown> as Promise<ProbeStore>;
    return { task: { postgres }, open };
  },
};

async function prepareRaces(store: ProbeStore): Promise<void> {
  const list = Array.from({ length: listLength }, (_, rank) => ({
    ...thing(`l${rank}`, { rank }),
    scope: "list",
  }));
  const coupons = Array.from({ length: racers * racesEach }, (_, i) => ({
    ...thing(`c${i}`),
    scope: "coupons",
  }));
  const counter = { ...thing("n"), scope: "counter" };
  await store.write((tx) => tx.insertMissing("things", [...list, ...coupons, counter]));
}

const started = Object.keys(places).map((engine) => ({
  engine,
  skip: engine === "PostgreSQL" && !postgresUrl,
}));

for (const { engine, skip } of started) {
  describe.skipIf(skip)(engine, () => {
    test("ten processes that start together set the store up once", { timeout: 120_000 }, async () => {
      const { task, open } = places[engine]!("start");
      const workers = Array.from({ length: 10 }, (_, i) =>
        startWorker({ ...task, work: "start", name: `${i}` }),
      );
      const ends = await Promise.all(workers.map((w) => w.ended));
      expect(ends).toEqual(Array(10).fill(["ready"]));
      const store = await open();
      expect(await store.write((tx) => tx.sequence("s", "n"))).toBe(1);
      await store.close();
    });

    test("races between four processes have one winner each", { timeout: 120_000 }, async () => {
      const { task, open } = places[engine]!("race");
      const store = await open();
      await prepareRaces(store);
      const workers = Array.from({ length: racers }, (_, i) =>
        startWorker({ ...task, work: "race", name: `${i}` }),
      );
      const lines = (await Promise.all(workers.map((w) => w.ended))).flat();
      const said = (kind: string) =>
        lines.filter((l) => l.startsWith(`${kind} `)).map((l) => l.split(" ")[1]!);

      await store.read(async (tx) => {
        expect((await tx.get("things", "counter", "n"))?.rank).toBe(racers * racesEach);
        const ranks = (await tx.find("things", "list")).map((t) => t.rank).sort();
        expect(ranks).toEqual(Array.from({ length: listLength }, (_, i) => i));
        expect(await tx.count("things", "coupons")).toBe(0);
      });
      const numbers = said("number").map(Number);
      expect(numbers.sort((a, b) => a - b)).toEqual(
        Array.from({ length: racers * racesEach }, (_, i) => i + 1),
      );
      expect(
        said("won")
          .map(Number)
          .sort((a, b) => a - b),
      ).toEqual(Array.from({ length: racesEach }, (_, i) => i));
      expect(new Set(said("used")).size).toBe(racers * racesEach);
      await store.close();
    });
  });
}
