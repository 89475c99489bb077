/** Writers of one zone in several pools of PostgreSQL: they queue, and none is answered 503. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { hasty, postgresUrl, temporarySchemas } from "../../store/open.ts";
import { clientOf } from "../../support/client.ts";

const writers = 8;
const movesEach = 12;
const rules = 20;

describe.skipIf(postgresUrl === undefined)("PostgreSQL", () => {
  const nextSchema = temporarySchemas();

  test("eight pools that move rules of one zone queue: every move is done, and none is a 503", {
    timeout: 120_000,
  }, async () => {
    const place = { connectionString: hasty(postgresUrl!), schema: nextSchema(), maxConnections: 2 };
    const reported: unknown[] = [];
    const edges = [];
    for (let i = 0; i < writers; i++)
      edges.push(
        createEdge({ store: await openPostgresStore(place), onError: (error) => reported.push(error) }),
      );
    const zones = edges.map((edge) => clientOf(edge, "/zones/z1/token_validation"));
    const config = (
      await zones[0]!.ok("POST", "/config", {
        title: "IdP",
        description: "",
        token_type: "JWT",
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [{ kty: "EC", kid: "k", alg: "ES256", crv: "P-256", ...point }] },
      })
    ).result;
    const rule = {
      title: "r",
      description: "",
      action: "log",
      enabled: true,
      expression: `is_jwt_valid("${config.id}")`,
      selector: {},
    };
    const created = await zones[0]!.ok("POST", "/rules/bulk", Array(rules).fill(rule));
    const ids = created.result.map(({ id }: { id: string }) => id) as string[];

    const times: number[] = [];
    const statuses: number[] = [];
    await Promise.all(
      zones.map(async (zone, writer) => {
        for (let i = 0; i < movesEach; i++) {
          const start = performance.now();
          const id = ids[(writer * 7 + i * 3) % rules];
          const { status } = await zone("PATCH", `/rules/${id}`, {
            position: { index: 1 + ((i * 5) % rules) },
          });
          times.push(performance.now() - start);
          statuses.push(status);
        }
      }),
    );
    times.sort((a, b) => a - b);
    const [median, max] = [times[times.length >> 1]!, times.at(-1)!];
    console.info(
      `median ${median.toFixed(1)} ms, max ${max.toFixed(1)} ms, ratio ${(max / median).toFixed(2)}`,
    );
    expect(reported).toEqual([]);
    expect(statuses).toEqual(Array(writers * movesEach).fill(200));
    const listed = await zones[1]!.ok("GET", `/rules?per_page=${rules}`);
    expect(listed.result.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    for (const edge of edges) await edge.close();
  });

  test("200 clients that write in one zone at once succeed without a rollback, and the positions of the rules are 1 to 100", {
    timeout: 120_000,
  }, async () => {
    let rollbacks = 0;
    const store = await openPostgresStore({
      connectionString: hasty(postgresUrl!),
      schema: nextSchema(),
      onRollback: () => {
        rollbacks++;
      },
    });
    const edge = createEdge({ store });
    const zone = clientOf(edge, "/zones/z1");
    const rule = { title: "r", description: "", action: "log", enabled: true, selector: {} };
    const expression = 'http.host eq "a.example"';
    const write = (i: number) => {
      if (i % 2 === 0) return zone("POST", "/token_validation/rules", { ...rule, expression });
      if (i % 4 === 1)
        return zone("PATCH", "/settings/transformations", { value: i % 8 === 1 ? "on" : "off" });
      const rules = [{ action: "log", expression, description: `${i}` }];
      return zone("PUT", "/rulesets/phases/http_request_firewall_custom/entrypoint", { rules });
    };
    const answers = await Promise.all(Array.from({ length: clients }, (_, i) => write(i)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(rollbacks).toBe(0);
    const stored = await store.read((tx) => tx.find("token_rules", "z1"));
    const positions = stored.map(({ position }) => position).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: clients / 2 }, (_, i) => i + 1));
    await edge.close();
  });
});

const clients = 200;

/** A point of the curve P-256. */
const point = {
  x: "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
  y: "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
};
