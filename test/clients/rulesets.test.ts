/** Rulesets, their rules and lists with the provider's client library: every method, and what it reads can be put back. */
import { describe, expect, test } from "vitest";
import type { Json } from "../support/client.ts";
import { generations, isOlder } from "./provider.ts";

const zone_id = "023e105f4ecef8ad9ca31a8372d0c353";
const phase = "http_request_firewall_custom";
const world = {
  accounts: [{ id: "a1" }],
  zones: [{ id: zone_id, name: "example.com", account_id: "a1" }],
};
const rules = [{ ref: "admins", action: "block" as const, expression: 'http.request.uri.path eq "/admin"' }];
const owners = [
  { name: "a zone", owner: { zone_id }, entryKind: "zone" as const },
  { name: "an account", owner: { account_id: "a1" }, entryKind: "root" as const },
];

/** Calls a method for a part of a ruleset: the older version has the ruleset, or the phase, as its first argument. */
function within(resource: Json, method: string, id: string, params: Json): Promise<Json> {
  const { ruleset_id, ruleset_phase, ...rest } = params;
  return isOlder ? resource[method](ruleset_id ?? ruleset_phase, id, rest) : resource[method](id, params);
}

describe.each(generations)("$name", ({ open }) => {
  /** A client, and the requests that it sent, with the status of each. */
  function recorded() {
    const calls: string[] = [];
    const opened = open({
      world,
      onAnswer: ({ method, endpoint, status }) => calls.push(`${method} ${endpoint} ${status}`),
    });
    return { ...opened, calls };
  }

  test.each(owners)("every method of rulesets and rules of $name succeeds", async ({ owner, entryKind }) => {
    const { client, edge, calls } = recorded();
    const { rulesets } = client;
    const custom: Json = await rulesets.create({ ...owner, name: "Partners", kind: "custom", phase, rules });
    expect(custom).toMatchObject({ name: "Partners", kind: "custom", phase, version: "1", rules });
    const execute = { action: "execute" as const, expression: "true", action_parameters: { id: custom.id } };
    const entry: Json = await rulesets.create({
      ...owner,
      name: "Entry",
      kind: entryKind,
      phase,
      rules: [execute],
    });
    const request = { method: "GET", url: "https://example.com/admin" };
    const actionOf = async () => (await edge.tokens.evaluate(zone_id, request)).action;
    expect(await actionOf()).toBe("block");

    const at = { ...owner, ruleset_id: custom.id };
    const added: Json = await rulesets.rules.create(custom.id, {
      ...owner,
      action: "log",
      expression: "ssl",
      position: { index: 1 },
    });
    const [first, second] = added.rules;
    expect(added.rules).toMatchObject([{ action: "log" }, { ref: "admins" }]);
    const edited: Json = await within(rulesets.rules, "edit", second.id, {
      ...at,
      action: "log",
      expression: second.expression,
      position: { before: first.id },
    });
    expect(edited.rules).toMatchObject([{ id: second.id, action: "log", version: "2" }, { id: first.id }]);
    expect(await actionOf()).toBe("log");
    const removed: Json = await within(rulesets.rules, "delete", first.id, at);
    expect(removed.rules).toMatchObject([{ id: second.id }]);

    const read: Json = await rulesets.get(custom.id, owner);
    expect(read).toEqual(removed);
    const { id, ...back } = read;
    const put: Json = await rulesets.update(id, { ...owner, ...back });
    expect(put.rules).toEqual(read.rules);
    const phased: Json = await rulesets.phases.get(phase, owner);
    expect(await rulesets.get(entry.id, owner)).toEqual(phased);
    expect(await rulesets.phases.update(phase, { ...owner, rules: [execute] })).toMatchObject({
      version: "2",
    });

    const listed: unknown[] = [];
    for await (const ruleset of rulesets.list({ ...owner, per_page: 1 })) listed.push(ruleset.id);
    expect(listed).toEqual([custom.id, entry.id]);
    for await (const { version } of rulesets.versions.list(id, owner))
      expect((await within(rulesets.versions, "get", version, { ...owner, ruleset_id: id })).rules).toEqual(
        put.rules,
      );
    for await (const { version } of rulesets.phases.versions.list(phase, owner))
      expect(
        (await within(rulesets.phases.versions, "get", version, { ...owner, ruleset_phase: phase })).rules,
      ).toMatchObject([execute]);

    await rulesets.delete(entry.id, owner);
    await rulesets.delete(custom.id, owner);
    expect(await actionOf()).toBe("allow");
    const kind = "zone_id" in owner ? "zones" : "accounts";
    const names = [
      ...["POST create", "PUT replace", "DELETE delete", "GET get", "GET list"],
      ...["POST rules.create", "PATCH rules.edit", "DELETE rules.delete", "GET versions", "GET version"],
      ...["GET entrypoint", "PUT replaceEntryPoint", "GET entrypoint.versions", "GET entrypoint.version"],
    ];
    const expected = names.map((name) => {
      const [method, use] = name.split(" ");
      return `${method} rulesets.${kind}.${use} ${use === "delete" ? 204 : 200}`;
    });
    expect(new Set(calls)).toEqual(new Set(expected));
  });

  test.skipIf(isOlder)("a dry run of every write succeeds, and changes nothing", async () => {
    const { client, calls } = recorded();
    const { rulesets } = client;
    const owner = { zone_id, dry_run: true };
    const created: Json = await rulesets.create({ zone_id, name: "Partners", kind: "custom", phase, rules });
    const rule = created.rules[0];
    const at = { ...owner, ruleset_id: created.id };
    expect(await rulesets.create({ ...owner, name: "Entry", kind: "zone", phase })).toBe(null);
    expect(await rulesets.update(created.id, { ...owner, rules: [] })).toBe(null);
    expect(await rulesets.rules.create(created.id, { ...owner, action: "log", expression: "ssl" })).toBe(
      null,
    );
    expect(await rulesets.rules.edit(rule.id, { ...at, position: { after: "" } })).toBe(null);
    expect(await rulesets.rules.delete(rule.id, at)).toBe(null);
    expect(await rulesets.phases.update(phase, { ...owner, rules })).toBe(null);
    await rulesets.delete(created.id, owner);
    expect(await rulesets.get(created.id, { zone_id })).toEqual(created);
    expect(calls.filter((call) => !/ 20[04]$/.test(call))).toEqual([]);
  });

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
