/** A database that goes away is 10002 with 503, and requests are answered again when it is back. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { DependencyUnavailableError } from "../../../src/errors.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { startProxy } from "../../store/faults/proxy.ts";
import { postgresUrl, temporarySchemas } from "../../store/open.ts";
import { clientOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { configBody, testKeys } from "../../support/keys.ts";

/** The slowest answer that is still one, in milliseconds: far above the time-outs, far below a hang. */
const longestMs = 10_000;

describe.skipIf(postgresUrl === undefined)("requests while PostgreSQL is down", () => {
  const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

  test("are rejected in time, and succeed again without a restart", async () => {
    const { hostname, port } = new URL(postgresUrl!);
    const proxy = await startProxy({ host: hostname, port: Number(port || 5432) });
    const url = new URL(postgresUrl!);
    url.hostname = "127.0.0.1";
    url.port = String(proxy.port);
    const waits = { connectTimeoutMs: 400, statementTimeoutMs: 800, conflictMs: 1_000 };
    const store = await openPostgresStore({ connectionString: String(url), schema: nextSchema(), ...waits });
    const errors: unknown[] = [];
    const edge = createEdge({ store, onError: (error) => errors.push(error) });
    const client = clientOf(edge, "/zones/z1/token_validation");
    const { es256 } = await testKeys();
    const create = () => client("POST", "/config", configBody([es256]));
    const count = async () => (await client.ok("GET", "/config")).result_info.total_count;
    const rejected = async () => {
      const start = performance.now();
      const away = { status: 503, code: 10002 };
      await Promise.all([
        client("GET", "/config").then((r) => expectFailure(r, away)),
        create().then((r) => expectFailure(r, away)),
        client("GET", "/rules").then((r) => expectFailure(r, away)),
      ]);
      const verdict = edge.tokens.evaluate("z1", { method: "GET", url: "https://api.example.com/" });
      await expect(verdict).rejects.toThrow(DependencyUnavailableError);
      expect(performance.now() - start).toBeLessThan(longestMs);
    };

    expect((await create()).status).toBe(200);
    await proxy.cut();
    await rejected();
    await proxy.restore();
    expect(await count()).toBe(1);
    expect((await create()).status).toBe(200);
    proxy.freeze();
    await rejected();
    await proxy.restore();
    expect(await count()).toBe(2);
    expect((await create()).status).toBe(200);
    expect(errors.length).toBeGreaterThan(0);
    await edge.close();
    await proxy.close();
  });
});
