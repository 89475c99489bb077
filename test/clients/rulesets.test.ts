/** Entry points of custom rules with the provider's client library. */
import { describe, expect, test } from "vitest";
import { generations } from "./provider.ts";

const zone_id = "023e105f4ecef8ad9ca31a8372d0c353";
const phase = "http_request_firewall_custom";
const world = { zones: [{ id: zone_id, name: "example.com", account_id: "a1" }] };
const rules = [{ ref: "admins", action: "block" as const, expression: 'http.request.uri.path eq "/admin"' }];

describe.each(generations)("$name", ({ open }) => {
  test("an entry point is replaced, read, and then decides", async () => {
    const { client, edge } = open({ world });
    const { phases } = client.rulesets;
    const put = await phases.update(phase, { zone_id, rules });
    expect(put).toMatchObject({ kind: "zone", phase, version: "1", rules });
    expect(await phases.get(phase, { zone_id })).toEqual(put);
    const request = { method: "GET", url: "https://example.com/admin" };
    expect((await edge.tokens.evaluate(zone_id, request)).action).toBe("block");
    await expect(
      phases.update(phase, { zone_id, rules: [{ ...rules[0]!, expression: "ssl or" }] }),
    ).rejects.toMatchObject({ status: 400 });
    expect(await phases.get(phase, { zone_id })).toEqual(put);
  });

  test("a list is created, filled and read", async () => {
    const { client } = open({ world });
    const account_id = "a1";
    const { lists } = client.rules;
    const { id } = await lists.create({ account_id, name: "office", kind: "ip" });
    const { operation_id } = await lists.items.update(id, { account_id, body: [{ ip: "192.0.2.0/24" }] });
    const operation = await lists.bulkOperations.get(operation_id, { account_id });
    expect(operation).toMatchObject({ id: operation_id, status: "completed" });
    const values: unknown[] = [];
    for await (const item of lists.items.list(id, { account_id })) values.push((item as { ip?: string }).ip);
    expect(values).toEqual(["192.0.2.0/24"]);
    expect(await lists.delete(id, { account_id })).toEqual({ id });
  });
});
