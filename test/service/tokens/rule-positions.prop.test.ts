/** The order of rules in every store, against a plain list; positions between which there is no number left. */
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { movePosition } from "../../../src/engine/tokens/zone/rule-order.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../../store/open.ts";
import { runs } from "../../support/runs.ts";

const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();

const stores: Record<string, { readonly open: () => Promise<Store>; readonly numRuns: number }> = {
  memory: { open: async () => createMemoryStore(), numRuns: runs(100) },
  SQLite: { open: () => openSqliteStore({ path: join(folder, "rules.db") }), numRuns: runs(15) },
  PostgreSQL: {
    open: () => openPostgresStore({ connectionString: hasty(postgresUrl!), schema: nextSchema() }),
    numRuns: runs(5),
  },
};

const body = (i: number) => ({
  title: `r${i}`,
  description: "",
  action: i % 2 ? ("log" as const) : ("block" as const),
  enabled: true,
  expression: 'http.request.method eq "GET"',
  selector: {},
});

const idOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
const now = "2026-01-01T00:00:00.000000Z";

/** Stores rules as another version could have left them. */
async function insertAt(store: Store, zone: string, positions: readonly number[]): Promise<string[]> {
  const rules = positions.map((position, i) => {
    return { scope: zone, id: idOf(i), position, created_at: now, last_updated: now, ...body(i) };
  });
  await store.write((tx) => tx.insertMissing("token_rules", rules));
  return rules.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

/** All pages of a list together; checks that each reports the total. */
async function listed(edge: Edge, zone: string, filter: object, total: number): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; ; page++) {
    const { items, info } = await edge.tokens.rules.list(zone, { ...filter, page, per_page: 4 });
    expect(info.total_count).toBe(total);
    found.push(...items.map(({ id }) => id));
    if (items.length === 0) return found;
  }
}

const place = fc.record({ member: fc.constantFrom("index", "before", "after"), at: fc.nat(30) });
const edit = fc.record(
  { rule: fc.nat(30), place, enabled: fc.boolean(), action: fc.constantFrom("log", "block") },
  { requiredKeys: ["rule"] },
);
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("create" as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      edits: fc.array(edit, { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), rule: fc.nat(30) }) },
);
const smallest = Number.EPSILON;
/** Positions of stored rules: dense, without numbers between them, equal, and too large to be exact. */
const start = fc.oneof(
  fc.nat(12).map((size) => Array.from({ length: size }, (_, i) => i + 1)),
  fc.array(
    fc.integer({ min: 0, max: 6 }).map((n) => 1 + n * smallest),
    { maxLength: 12 },
  ),
  fc.array(fc.constantFrom(-1e308, -(2 ** 33), 0, 5, 5, 2 ** 33, 2 ** 53, 1e308), { maxLength: 12 }),
);

interface Model {
  order: string[];
  readonly members: Map<string, { enabled: boolean; action: string }>;
}

/** The state after edits by the moves of a plain list; undefined when one of them is rejected. */
function edited(
  model: Model,
  edits: readonly { readonly id: string; readonly patch: object }[],
): Model | undefined {
  const members = new Map(model.members);
  let order: readonly string[] = model.order;
  for (const { id, patch } of edits) {
    const { position, ...fields } = patch as { position?: unknown };
    members.set(id, { ...members.get(id)!, ...fields });
    if (position === undefined) continue;
    const moved = movePosition(order, id, position);
    if (!moved.ok) return undefined;
    order = moved.value.order;
  }
  return { order: [...order], members };
}

for (const [name, { open, numRuns }] of Object.entries(stores))
  describe.skipIf(name === "PostgreSQL" && postgresUrl === undefined)(`rules in ${name}`, () => {
    let zones = 0;
    let store: Store | undefined;
    afterAll(() => store?.close());

    test("any sequence of creations, edits, moves and deletions leaves the list that a plain list would be", {
      timeout: 120_000,
    }, async () => {
      store ??= await open();
      const edge = createEdge({ store });
      const { rules } = edge.tokens;
      await fc.assert(
        fc.asyncProperty(start, fc.array(step, { maxLength: 10 }), async (positions, steps) => {
          const zone = `zone${zones++}`;
          let model: Model = { order: await insertAt(store!, zone, positions), members: new Map() };
          for (const id of model.order) model.members.set(id, body(Number(id.slice(-12))));
          const pick = (n: number) => model.order[n % model.order.length]!;
          for (const next of steps) {
            if (next.kind === "create") {
              const created = await rules.createMany(
                zone,
                Array.from({ length: next.count }, (_, i) => body(i)),
              );
              for (const [i, { id }] of created.entries()) {
                model.order.push(id);
                model.members.set(id, body(i));
              }
            } else if (model.order.length === 0) continue;
            else if (next.kind === "delete") {
              const id = pick(next.rule);
              await rules.delete(zone, id);
              model.order = model.order.filter((other) => other !== id);
              model.members.delete(id);
            } else {
              const edits = next.edits.map(({ rule, place, ...fields }) => {
                const position = place && {
                  [place.member]: place.member === "index" ? place.at : pick(place.at),
                };
                return { id: pick(rule), patch: { ...fields, ...(position && { position }) } };
              });
              const after = edited(model, edits);
              const many = edits.map(({ id, patch }) => ({ id, ...patch }));
              const [first] = edits;
              const done =
                edits.length === 1 && first
                  ? rules.edit(zone, first.id, first.patch)
                  : rules.editMany(zone, many);
              if (after) await done;
              else await expect(done).rejects.toThrow();
              model = after ?? model;
            }
          }
          const { order, members } = model;
          expect(await listed(edge, zone, {}, order.length)).toEqual(order);
          for (const filter of [{ enabled: false }, { action: "log" }, { action: "block", enabled: true }]) {
            const expected = order.filter((id) =>
              Object.entries(filter).every(
                ([field, value]) => members.get(id)?.[field as "action"] === value,
              ),
            );
            expect(await listed(edge, zone, filter, expected.length)).toEqual(expected);
          }
        }),
        { numRuns },
      );
    });

    test("moves of several requests at once leave each rule once", async () => {
      store ??= await open();
      const edge = createEdge({ store });
      const ids = await insertAt(
        store,
        "at once",
        Array.from({ length: 9 }, (_, i) => i + 1),
      );
      await Promise.all(
        ids.flatMap((id, i) => [
          edge.tokens.rules.edit("at once", id, { position: { index: 1 + ((i * 4) % 9) } }),
          edge.tokens.rules.edit("at once", id, { position: { before: ids[(i + 5) % 9] } }),
        ]),
      );
      expect((await listed(edge, "at once", {}, 9)).sort()).toEqual([...ids].sort());
    });
  });

test("moves into one place change few rules each on average, also when there is no number left between its neighbors", async () => {
  const store = createMemoryStore();
  const edge = createEdge({ store });
  const size = 400;
  let order: readonly string[] = await insertAt(
    store,
    "z",
    Array.from({ length: size }, (_, i) => i + 1),
  );
  const positions = async () =>
    new Map((await store.read((tx) => tx.find("token_rules", "z"))).map((rule) => [rule.id, rule.position]));
  let before = await positions();
  let changes = 0;
  const moves = 300;
  for (let i = 0; i < moves; i++) {
    const id = order.at(i % 2 ? -1 : 0)!;
    const position = { index: 200 };
    await edge.tokens.rules.edit("z", id, { position });
    const moved = movePosition(order, id, position);
    order = moved.ok ? moved.value.order : [];
    const after = await positions();
    changes += [...after].filter(([rule, number]) => before.get(rule) !== number).length;
    before = after;
  }
  expect(changes).toBeLessThan(6 * moves);
  expect((await edge.tokens.rules.list("z", { per_page: 50 })).items.map(({ id }) => id)).toEqual(
    order.slice(0, 50),
  );
  expect([...before].sort((a, b) => a[1] - b[1]).map(([id]) => id)).toEqual(order);
});
