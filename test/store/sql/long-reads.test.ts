/** Long reads of PostgreSQL have a part of the connections, so that short ones never wait for them. */
import { describe, expect, test } from "vitest";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { postgresUrl, temporarySchemas } from "../open.ts";

describe.skipIf(postgresUrl === undefined)("with 8 connections", () => {
  const nextSchema = temporarySchemas();

  test("two long reads run at a time, and a short read and a write are done while ten are not", async () => {
    const store = await openPostgresStore({
      connectionString: postgresUrl!,
      schema: nextSchema(),
      maxConnections: 8,
    });
    let running = 0;
    let maxRunning = 0;
    let openGate = () => {};
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const long = Array.from({ length: 10 }, (_, i) =>
      store.read(
        async (tx) => {
          maxRunning = Math.max(maxRunning, ++running);
          await tx.count("accounts", "world");
          await gate;
          running--;
          if (i === 9) throw new Error("failed");
        },
        { long: true },
      ),
    );
    await store.write((tx) => tx.insert("accounts", { scope: "world", id: "a1", name: "A" }));
    expect(await store.read((tx) => tx.count("accounts", "world"))).toBe(1);
    openGate();
    const states = (await Promise.allSettled(long)).map(({ status }) => status);
    expect(states).toEqual([...Array(9).fill("fulfilled"), "rejected"]);
    expect(maxRunning).toBe(2);
    await store.close();
  });
});
