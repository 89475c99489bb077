/** A list of applications has the same violations when it is validated together, and when it is created in order. */
import { type Facts, validateApps } from "edgeproof/proxy";
import { proxyArbitraries } from "edgeproof/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/core/diagnostic.ts";
import { createEdge } from "../../src/edge.ts";
import { ApiError } from "../../src/errors.ts";
import { notesOf } from "../../src/service/proxy/notes.ts";
import { runs } from "../support/runs.ts";

const { app } = proxyArbitraries(fc);

/** Few names and ports, so that the applications of a list get into each other's way. */
const crowded = fc
  .tuple(
    fc.constantFrom("ssh", "tcp/22", "tcp/20-22", "udp/22", "tcp/80"),
    fc.constantFrom("a.example.com", "A.example.com.", "b.example.com", "c.example.com", "x.example.net"),
    fc.constantFrom({}, { edge_ips: { type: "dynamic", connectivity: "ipv6" } }, { tls: "full" }),
  )
  .map(([protocol, name, more]) => {
    const scheme = protocol.startsWith("udp") ? "udp" : "tcp";
    const ports = protocol === "ssh" ? "22" : protocol.slice(4);
    return {
      protocol,
      dns: { name, type: "CNAME" },
      origin_direct: [`${scheme}://192.0.2.1:${ports}`],
      ...more,
    };
  });

const lists = fc.array(fc.oneof({ weight: 4, arbitrary: crowded }, app), { maxLength: 8 });

test("validateApps and POST in order agree on every code, for both plans, profiles and any quota", async () => {
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.constantFrom("pay-as-you-go", "add-on"),
      fc.constantFrom("note", "enforce"),
      fc.option(fc.nat({ max: 3 }), { nil: undefined }),
      async (bodies, plan, restrictions, quota) => {
        const zones = [
          { id: "z1", name: "example.com" },
          { id: "z2", name: "example.net" },
        ];
        const ipv4 = quota === undefined ? {} : { ipv4_quota: quota };
        const edge = createEdge({
          restrictions,
          proxyErrors: "all",
          world: {
            accounts: [{ id: "a", proxy: { plan } }],
            zones: zones.map((zone, i) => ({ ...zone, account_id: "a", ...(i === 0 && { proxy: ipv4 }) })),
          },
        });
        const facts: Facts = {
          plan,
          zone: "z1",
          zones,
          apps: [],
          hostnames: [],
          edge_ips: [],
          ipv4: { used: 0, ...(quota !== undefined && { quota }) },
        };
        const together = validateApps(bodies, facts, { restrictions });
        const created = [];
        for (const body of bodies) {
          const notes: Diagnostic[] = [];
          const codes = await edge.proxy.apps.create("z1", body, { notes }).then(
            () => [],
            (error: unknown) => {
              if (!(error instanceof ApiError)) throw error;
              return error.problems.map(({ code }) => code);
            },
          );
          created.push({ codes, notes: codes.length > 0 ? undefined : notes });
        }
        await edge.close();
        rejected += created.filter(({ codes }) => codes.length > 0).length;
        expect(
          together.map((validation) => ({
            codes: validation.violations.map(({ code }) => code),
            notes: validation.violations.length > 0 ? undefined : notesOf(validation),
          })),
        ).toEqual(created);
      },
    ),
    { numRuns: runs(150, 20) },
  );
  expect(rejected).toBeGreaterThan(runs(150, 20) / 3);
});
