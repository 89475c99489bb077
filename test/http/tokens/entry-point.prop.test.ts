/** Law of entry points: what is put is what is read, and decides as when it is compiled alone. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { compileZone } from "../../../src/entries/tokens.ts";
import { clientOf, type Json } from "../../support/client.ts";
import { runs } from "../../support/runs.ts";

const phase = "http_request_firewall_custom";
const entry = `/phases/${phase}/entrypoint`;
const lists = [{ id: "l1", name: "office", kind: "ip" as const, items: ["192.0.2.0/24"] }];
const world = {
  accounts: [{ id: "a1", lists }],
  zones: [{ id: "z1", account_id: "a1", name: "example.com" }],
};
const values = ["/a", "/b", "/admin"];
const leaf = fc.oneof(
  fc.constantFrom(...values).map((path) => `http.request.uri.path eq "${path}"`),
  fc.constantFrom("GET", "POST").map((method) => `http.request.method ne "${method}"`),
  fc.constant("ip.src in $office"),
  fc.constant("ssl"),
);
const ruleOf = fc.record({
  action: fc.constantFrom("block", "log", "managed_challenge", "js_challenge"),
  expression: fc
    .tuple(leaf, fc.constantFrom("and", "or", "xor"), leaf)
    .map(([a, operator, b]) => `${a} ${operator} not (${b})`),
  enabled: fc.boolean(),
  description: fc.string({ maxLength: 20 }),
});

test("any rules that were put are those that are read, and decide as when they are compiled alone", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.array(ruleOf, { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...values),
    fc.constantFrom("192.0.2.7", "203.0.113.7"),
    async (puts, path, ip) => {
      const edge = createEdge({ world, clock: () => 0 });
      const zone = clientOf(edge, "/zones/z1/rulesets");
      for (const rules of puts) {
        const put = (await zone.ok("PUT", entry, { rules })).result;
        expect((await zone.ok("GET", entry)).result).toEqual(put);
        expect(put.rules.map(({ id, ref, version, last_updated, ...rule }: Json) => rule)).toEqual(rules);
        const request = { method: "GET", url: `https://example.com${path}`, ip };
        const ruleset = { id: "e", kind: "zone", phase, rules: put.rules } as const;
        const alone = await compileZone({
          configs: [],
          rules: [],
          rulesets: [ruleset],
          lists: { office: { kind: "ip", items: ["192.0.2.0/24"] } },
        });
        const [stored, compiled] = [await edge.tokens.evaluate("z1", request), await alone.evaluate(request)];
        expect(stored.action).toBe(compiled.action);
        expect(stored.custom?.rule?.rule).toBe(compiled.custom?.rule?.rule);
      }
    },
  );
  await fc.assert(property, { numRuns: runs(400) });
});
