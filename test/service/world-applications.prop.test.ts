/** The applications of a world are validated from its own facts as the interface validates them with its store. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import type { App, Validation } from "../../src/engine/proxy/model.ts";
import {
  type ApplicationChange,
  checkApplications,
  createAppLedger,
  validateChanges,
} from "../../src/service/world/applications.ts";
import type { World } from "../../src/service/world/schema.ts";
import { runs } from "../support/runs.ts";

const names = ["a.example.com", "A.example.com.", "b.example.com", "c.example.net", "d.example.org"];
const ips = ["198.51.100.1", "198.51.100.2", "2001:db8::1", "2001:DB8:0::1"];

/** With the members of pay-as-you-go accounts only. */
const plainApplication = fc
  .tuple(fc.integer({ min: 22, max: 24 }), fc.constantFrom(...names))
  .map(([port, name]) => {
    return { protocol: `tcp/${port}`, dns: { name }, origin_direct: [`tcp://192.0.2.1:${port}`] };
  });

/** Few names, ports and addresses, so that applications get into each other's way. */
const richApplication = fc
  .record({
    protocol: fc.constantFrom("ssh", "tcp/22", "tcp/20-22", "udp/22", "tcp/80", "nothing"),
    name: fc.constantFrom(...names),
    edge: fc.oneof(
      fc.constant({}),
      fc.constant({ edge_ips: { type: "dynamic", connectivity: "ipv6" } }),
      fc
        .subarray(ips, { minLength: 1, maxLength: 2 })
        .map((list) => ({ edge_ips: { type: "static", ips: list } })),
    ),
    more: fc.constantFrom<object>({}, {}, { tls: "full" }, { smart_routing: true }, { unknown: 1 }),
    byName: fc.option(fc.constantFrom(...names), { freq: 4, nil: undefined }),
  })
  .map(({ protocol, name, edge, more, byName }) => {
    const scheme = protocol.startsWith("udp") ? "udp" : "tcp";
    const ports = protocol === "ssh" ? "22" : protocol.slice(4);
    const origin =
      byName === undefined
        ? { origin_direct: [`${scheme}://192.0.2.1:${ports}`] }
        : { origin_dns: { name: byName }, origin_port: ports };
    return { protocol, dns: { name }, ...origin, ...edge, ...more };
  });

const application = fc.oneof(plainApplication, richApplication);

const zone = fc.record(
  {
    name: fc.constant(true),
    account_id: fc.constantFrom("a1", "a2"),
    ipv4_quota: fc.nat(2),
    hostnames: fc.subarray(names, { maxLength: 1 }),
    applications: fc.array(application, { maxLength: 4 }),
  },
  { requiredKeys: ["account_id", "applications"] },
);

const account = fc.record(
  {
    plan: fc.constantFrom("pay-as-you-go" as const, "add-on" as const),
    features: fc.record(
      { edge_ips: fc.constantFrom(true, true, false), smart_routing: fc.boolean() },
      { requiredKeys: [] },
    ),
    prefixes: fc.subarray(["198.51.100.0/24", "2001:db8::/32"]),
    protocols: fc.record(
      { allowed: fc.constant<string[]>(["tcp/1-79", "udp/22"]), reserved: fc.constant<string[]>(["udp/22"]) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const worlds = fc
  .record({
    accounts: fc.tuple(account, account),
    zones: fc.array(zone, { minLength: 1, maxLength: 4 }),
    orphaned_edge_ips: fc.subarray(ips.slice(0, 1)),
  })
  .map(({ accounts, zones, orphaned_edge_ips }): World => {
    const domains = ["example.com", "example.net", "b.example.com", "example.org"];
    return {
      accounts: accounts.map((proxy, i) => ({ id: `a${i + 1}`, proxy })),
      zones: zones.map(({ name, account_id, ...proxy }, i) => {
        return { id: `z${i + 1}`, account_id, proxy, ...(name && { name: domains[i] as string }) };
      }),
      orphaned_edge_ips,
    };
  });

const restrictions = fc.constantFrom("note" as const, "enforce" as const);

/** The world without its applications. */
function factsOf({ zones = [], ...world }: World): World {
  return {
    ...world,
    zones: zones.map(({ proxy, ...rest }) => {
      const { applications, ...facts } = proxy ?? {};
      return { ...rest, proxy: facts };
    }),
  };
}

describe("the applications of a world", () => {
  test("have the validations of creating them one after another in an edge with the facts only", async () => {
    const codes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(worlds, restrictions, async (world, settings) => {
        const checked = checkApplications(world, { restrictions: settings });
        const edge = createEdge({ world: factsOf(world), restrictions: settings });
        const created: Validation[] = [];
        for (const { zone: id, body } of checked) {
          const validation = await edge.proxy.apps.validate(id, body);
          created.push(validation);
          if (validation.app) await edge.proxy.apps.create(id, body);
          for (const { code } of validation.violations) codes.add(code);
        }
        await edge.close();
        expect(checked.map(({ validation }) => validation)).toEqual(created);
      }),
      { numRuns: runs(400, 80) },
    );
    const rare = runs(400, 80) === 400 ? [11018, 11019, 11026, 11033] : [];
    for (const code of [10012, 11034, 11050, 12005, 13002, 16001, ...rare]) expect(codes).toContain(code);
  });

  test("are rejected by `createEdge` at once, at the same places, or the edge answers", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const violations = checkApplications(world, {}).flatMap(({ at, validation }) =>
          validation.violations.map(({ pointer }) => at + pointer),
        );
        const pointers = problemsOf(() => createEdge({ world }));
        expect(pointers).toEqual(violations);
        if (violations.length > 0) return;
        const edge = createEdge({ world });
        expect(await edge.proxy.apps.list("z1")).toBeDefined();
        await edge.close();
      }),
      { numRuns: runs(200, 20) },
    );
  });

  test("are validated as updates like those of PUT, after any changes", async () => {
    const updates = fc.array(fc.tuple(fc.nat(20), application), { minLength: 1, maxLength: 6 });
    const codes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(worlds, updates, restrictions, async (world, changes, settings) => {
        const facts = factsOf(world);
        const ledger = createAppLedger(facts, { restrictions: settings });
        const edge = createEdge({ world: facts, restrictions: settings });
        const stored: { zone: string; id: string; app: App; remove: () => void }[] = [];
        for (const { zone: id, body, validation } of checkApplications(world, { restrictions: settings })) {
          if (!validation.app) continue;
          const record = await edge.proxy.apps.create(id, body);
          stored.push({
            zone: id,
            id: record.id,
            app: record.app,
            remove: ledger.add(id, record.app, record.id),
          });
        }
        for (const [index, body] of stored.length > 0 ? changes : []) {
          const app = stored[index % stored.length] as (typeof stored)[number];
          app.remove();
          const found = ledger.validate(app.zone, body, { ...app.app, id: app.id });
          expect(found).toEqual(await edge.proxy.apps.validateReplacement(app.zone, app.id, body));
          if (found.app) await edge.proxy.apps.replace(app.zone, app.id, body);
          app.app = found.app ?? app.app;
          app.remove = ledger.add(app.zone, app.app, app.id);
          for (const { code } of found.violations) codes.add(code);
        }
        await edge.close();
      }),
      { numRuns: runs(300, 60) },
    );
    expect(codes).toContain(11004);
  });
});

describe("the changes of a plan", () => {
  const worldWith = (proxy: { ipv4_quota?: number }): World => ({
    accounts: [{ id: "a1", proxy: { plan: "pay-as-you-go" } }],
    zones: [
      { id: "z1", name: "example.com", proxy },
      { id: "z2", name: "example.net" },
    ],
  });
  const bodies = fc
    .tuple(fc.integer({ min: 22, max: 25 }), fc.constantFrom("a", "b", "c"))
    .map(([port, label]) => ({
      protocol: `tcp/${port}`,
      dns: { name: `${label}.example.com` },
      origin_direct: [`tcp://192.0.2.1:${port}`],
    }));
  const changes = fc
    .array(
      fc.record({
        zone: fc.constantFrom("z1", "z2"),
        body: bodies,
        before: fc.option(bodies),
        isReplaced: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((list) =>
      list.map(({ zone: id, body, before, isReplaced }, i): ApplicationChange => {
        return { zone: id, body, ...(before && { previous: { id: `${i}`, body: before, isReplaced } }) };
      }),
    );

  /** The service must have accepted the previous applications. */
  const isPossible = (world: World, list: readonly ApplicationChange[]) => {
    const before = list.flatMap(({ zone: id, previous }) =>
      previous ? [{ zone: id, body: previous.body }] : [],
    );
    return validateChanges(before, createAppLedger(world, {})).every(({ app }) => app);
  };

  test("are all accepted exactly when some order of the requests is", () => {
    expectOrders(worldWith({}), (isAccepted, hasOrder) => expect(isAccepted).toBe(hasOrder));
  });

  test("are all accepted only when some order of the requests is, also with a quota", () => {
    expectOrders(worldWith({ ipv4_quota: 2 }), (isAccepted, hasOrder) => {
      if (isAccepted) expect(hasOrder).toBe(true);
    });
  });

  /** Compares the verdict about random changes with those of the requests in every order. */
  function expectOrders(world: World, compare: (isAccepted: boolean, hasOrder: boolean) => void): void {
    const seen = { accepted: 0, rejected: 0, reordered: 0 };
    fc.assert(
      fc.property(changes, (list) => {
        fc.pre(isPossible(world, list));
        const isAccepted = validateChanges(list, createAppLedger(world, {})).every(({ app }) => app);
        const orders = permutations(list.map((_, i) => i));
        const accepting = orders.filter((order) => areAccepted(world, list, order));
        seen[isAccepted ? "accepted" : "rejected"]++;
        if (isAccepted && accepting.length < orders.length) seen.reordered++;
        compare(isAccepted, accepting.length > 0);
      }),
      { numRuns: runs(2_000, 400) },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  }

  /** Whether requests in one order are all accepted: each is a creation, an update, or a creation and a deletion. */
  function areAccepted(world: World, list: readonly ApplicationChange[], order: readonly number[]): boolean {
    const edge = createAppLedger(world, {});
    const removals = list.map(({ zone: id, previous }) => {
      const [found] = previous ? checkOne(id, previous.body) : [];
      return found && { app: found, remove: edge.add(id, found, previous?.id) };
    });
    return order.every((i) => {
      const { zone: id, body, previous } = list[i] as ApplicationChange;
      const before = removals[i];
      const isUpdate = before && !previous?.isReplaced;
      if (isUpdate) before.remove();
      const { app } = edge.validate(
        id,
        body,
        isUpdate ? { ...before.app, id: previous?.id ?? "" } : undefined,
      );
      if (app) edge.add(id, app, isUpdate ? previous?.id : undefined);
      if (app && !isUpdate) before?.remove();
      return app !== undefined;
    });
  }

  function checkOne(id: string, body: unknown): App[] {
    const { app } = createAppLedger({}, {}).validate(id, body);
    return app ? [app] : [];
  }
});

function permutations(list: readonly number[]): readonly (readonly number[])[] {
  if (list.length === 0) return [[]];
  return list.flatMap((index) =>
    permutations(list.filter((other) => other !== index)).map((rest) => [index, ...rest]),
  );
}

function problemsOf(create: () => unknown): readonly string[] {
  try {
    create();
    return [];
  } catch (error) {
    return (error as { problems: readonly { pointer: string }[] }).problems.map(({ pointer }) => pointer);
  }
}
