/** Short reads of SQLite beside long ones, by the order in which they are answered. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Store } from "../../../src/store/port.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { temporaryFolder } from "../open.ts";

const folder = await temporaryFolder();
const domains = 5000;

/** A store with many names. */
async function openFilled(name: string): Promise<Store> {
  const store = await openSqliteStore({ path: join(folder, `${name}.db`) });
  await store.write((tx) =>
    tx.insertMissing(
      "brand_domains",
      Array.from({ length: domains }, (_, i) => ({
        scope: "a1",
        id: `name-${i}.example`,
        domain_id: i,
        position: i,
        first_seen: i,
      })),
    ),
  );
  return store;
}

/** Searches, as `domain_search` does, until `isOver`; at most as often as takes far longer than the test needs. */
async function scan(store: Store, started: () => void, isOver: () => boolean): Promise<void> {
  await store.read(async (tx) => {
    for (let i = 0; i < 500 && !isOver(); i++) {
      await tx.count("brand_domains", "a1", [{ field: "id", op: "contains", value: "absent" }]);
      started();
    }
  });
}

test.each([4, 12])("a short read is answered while %i long scans are under way", async (scans) => {
  const store = await openFilled(`scans-${scans}`);
  const answered: string[] = [];
  let running = 0;
  let isOver = false;
  let allRunning = () => {};
  const started = new Promise<void>((resolve) => {
    allRunning = resolve;
  });
  const work = Array.from({ length: scans }, (_, i) => {
    let first = true;
    const onStart = () => {
      if (first && ++running === scans) allRunning();
      first = false;
    };
    return scan(store, onStart, () => isOver).then(() => answered.push(`scan ${i}`));
  });
  await started;
  for (let i = 0; i < 5; i++) {
    await store.read((tx) => tx.get("brand_domains", "a1", "name-7.example"));
    answered.push("short");
  }
  isOver = true;
  await Promise.all(work);
  expect(answered.slice(0, 5)).toEqual(Array(5).fill("short"));
  expect(answered).toHaveLength(5 + scans);
  await store.close();
});

test("a long scan sees one state while others write", async () => {
  const store = await openFilled("state");
  const counts = new Set<number>();
  const reading = store.read(async (tx) => {
    for (let i = 0; i < 40; i++)
      counts.add(await tx.count("brand_domains", "a1", [{ field: "id", op: "contains", value: "name-1" }]));
  });
  for (let i = 0; i < 20; i++) {
    await store.write((tx) => tx.delete("brand_domains", "a1", `name-1${i}.example`));
    await new Promise(setImmediate);
  }
  await reading;
  expect(counts.size).toBe(1);
  await store.close();
});

test("reads that fail give their connections back", async () => {
  const store = await openFilled("failing");
  const failing = Array.from({ length: 100 }, () =>
    store.read(async (tx) => {
      await tx.get("brand_domains", "a1", "name-7.example");
      throw new Error("failed");
    }),
  );
  expect((await Promise.allSettled(failing)).every(({ status }) => status === "rejected")).toBe(true);
  expect(await store.read((tx) => tx.count("brand_domains", "a1"))).toBe(domains);
  await store.close();
});
