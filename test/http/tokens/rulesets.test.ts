/** Rulesets and lists over HTTP: a page and its next one, and what a response has of a rule. */
import { expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { clientOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";

const phase = "http_request_firewall_custom";
const rule = { id: "r1", action: "block", expression: "ssl" };
const world: NonNullable<EdgeOptions["world"]> = {
  accounts: [
    {
      id: "a1",
      rulesets: [
        {
          id: "root",
          kind: "root",
          phase,
          rules: [{ ...rule, action: "execute", action_parameters: { id: "c0" } }],
        },
        ...Array.from({ length: 45 }, (_, i) => ({ id: `c${i}`, kind: "custom" as const, phase })),
      ],
      lists: [
        {
          id: "l1",
          name: "office",
          kind: "ip",
          items: Array.from({ length: 230 }, (_, i) => `192.0.2.${i}`),
        },
        { id: "l2", name: "hosts", kind: "hostname", items: ["*.example.org"] },
        { id: "l3", name: "systems", kind: "asn", items: [64_500] },
      ],
    },
  ],
  zones: [{ id: "z1", account_id: "a1", rulesets: [{ id: "entry", kind: "zone", phase, rules: [rule] }] }],
};
const edge = createEdge({ world, clock: () => Date.UTC(2026, 0, 1) });
const zone = clientOf(edge, "/zones/z1/rulesets");
const account = clientOf(edge, "/accounts/a1");

const last_updated = "2026-01-01T00:00:00.000000Z";

test("the entry point of a phase is the ruleset with its rules, as by its id and by its version", async () => {
  const { result } = await zone.ok("GET", `/phases/${phase}/entrypoint`);
  const shown = { name: "default", description: "", kind: "zone", phase, version: "1" };
  expect(result).toMatchObject({
    id: "entry",
    ...shown,
    rules: [{ ...rule, ref: "r1", enabled: true, description: "", version: "1" }],
  });
  expect(Date.parse(result.last_updated)).toBe(Date.parse(last_updated));
  expect(result).not.toHaveProperty("scope");
  for (const path of ["/entry", "/entry/versions/1"])
    expect((await zone.ok("GET", path)).result).toEqual(result);
  const { rules, ...listed } = result;
  for (const path of ["", "/entry/versions"]) expect((await zone.ok("GET", path)).result).toEqual([listed]);
});

interface Page {
  readonly result: readonly Record<string, string>[];
  readonly result_info: { readonly cursors: { readonly after?: string } };
}

test("pages by cursors have every ruleset and every item once, in order", async () => {
  const all = async (path: string, size: number) => {
    const found: Record<string, string>[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page: Page = await account.ok("GET", `${path}?per_page=${size}${query}`);
      expect(page.result.length).toBeLessThanOrEqual(size);
      found.push(...page.result);
      cursor = page.result_info.cursors.after;
    }
    return found;
  };
  expect((await all("/rulesets", 7)).map(({ id }) => id)).toEqual(
    world.accounts?.[0]?.rulesets?.map(({ id }) => id),
  );
  const items = await all("/rules/lists/l1/items", 23);
  expect(items.map(({ ip }) => ip)).toEqual(world.accounts?.[0]?.lists?.[0]?.items);
  expect(new Set(items.map(({ id }) => id)).size).toBe(230);
});

test("items of each kind have the member of their kind", async () => {
  const itemOf = async (id: string) => (await account.ok("GET", `/rules/lists/${id}/items`)).result[0];
  expect(await itemOf("l2")).toMatchObject({ hostname: { url_hostname: "*.example.org" } });
  expect(await itemOf("l3")).toMatchObject({ asn: 64_500 });
  const { result } = await account.ok("GET", "/rules/lists");
  expect(result.map((record: Record<string, unknown>) => [record["name"], record["num_items"]])).toEqual([
    ["office", 230],
    ["hosts", 1],
    ["systems", 1],
  ]);
  expect((await account.ok("GET", "/rules/lists/l2")).result).toEqual(result[1]);
});

test.each([
  ["/rulesets/nothing", 404, 10404],
  [`/rulesets/phases/http_ratelimit/entrypoint`, 404, 10404],
  ["/rulesets/phases/nothing/entrypoint", 400, 10400],
  ["/rulesets/root/versions/2", 404, 10404],
  ["/rulesets?cursor=MDE", 400, 10400],
  ["/rulesets?per_page=51", 400, 10400],
  ["/rules/lists/nothing/items", 404, 10404],
  ["/rules/lists/l1/items?per_page=501", 400, 10400],
])("GET %s is an error", async (path, status, code) => {
  await expectFailure(await account("GET", path), { status, code });
});
