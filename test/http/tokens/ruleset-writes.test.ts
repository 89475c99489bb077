/** Writes of rulesets and of single rules over HTTP: codes, pointers, positions, and that nothing is lost or half written. */
import { describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { clientOf, type Json } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { isMissing, storeKinds } from "../../support/stores.ts";

const kinds = await storeKinds();
const phase = "http_request_firewall_custom";
const lists = [{ id: "l1", name: "office", kind: "ip" as const, items: ["192.0.2.0/24"] }];
const world = {
  accounts: [{ id: "a1", lists }],
  zones: [
    { id: "z1", account_id: "a1", name: "example.com" },
    { id: "z2", account_id: "a1", name: "example.org" },
  ],
};
const log = (ref: string) => ({ ref, action: "log", expression: "ssl" });
const custom = { name: "Ours", kind: "custom", phase };

function open(options: EdgeOptions = {}) {
  const edge = createEdge({ world, clock: () => Date.UTC(2026, 0, 1), ...options });
  const zone = clientOf(edge, "/zones/z1/rulesets");
  const account = clientOf(edge, "/accounts/a1/rulesets");
  const create = async (body: Json = { ...custom, rules: [log("a"), log("b"), log("c")] }) =>
    (await zone.ok("POST", "", body)).result;
  const refsOf = async (id: string) =>
    (await zone.ok("GET", `/${id}`)).result.rules.map(({ ref }: Json) => ref).join("");
  return { edge, zone, account, create, refsOf };
}

describe("POST", () => {
  test("creates a custom ruleset, whose rules have ids, refs and versions", async () => {
    const { zone, create } = open();
    const created = await create({
      ...custom,
      description: null,
      rules: [{ action: "log", expression: "ssl" }],
    });
    expect(created).toMatchObject({ ...custom, description: "", version: "1" });
    const [rule] = created.rules;
    expect(rule).toMatchObject({ action: "log", description: "", enabled: true, version: "1", ref: rule.id });
    expect([created.id, rule.id]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{32}$/)));
    expect((await zone.ok("GET", `/${created.id}`)).result).toEqual(created);
  });

  test.each([
    ["zones", "z1", "zone", "root"],
    ["accounts", "a1", "root", "zone"],
  ])("a phase of %s has one entry point", async (owners, owner, kind, other) => {
    const client = clientOf(open().edge, `/${owners}/${owner}/rulesets`);
    const { result } = await client.ok("POST", "", { name: "Entry", kind, phase });
    expect((await client.ok("GET", `/phases/${phase}/entrypoint`)).result).toEqual(result);
    await expectFailure(await client("POST", "", { name: "Second", kind, phase }), {
      status: 400,
      code: 20217,
      pointer: "/kind",
      message: new RegExp(`has an entry point already: change the ruleset \`${result.id}\``),
    });
    await expectFailure(await client("POST", "", { name: "Other", kind: other, phase }), {
      status: 400,
      code: 20217,
      pointer: "/kind",
    });
    await client.ok("POST", "", { name: "Limits", kind, phase: "http_ratelimit" });
  });

  test.each<[string, Json, string]>([
    ["no name", { kind: "custom", phase }, "/name"],
    ["an empty name", { ...custom, name: "" }, "/name"],
    ["no phase", { name: "n", kind: "custom" }, "/phase"],
    ["an unknown phase", { ...custom, phase: "http_request" }, "/phase"],
    ["a phase whose expressions are not known", { ...custom, phase: "ddos_l4" }, "/phase"],
    ["a rule with an id", { ...custom, rules: [{ ...log("a"), id: "a" }] }, "/rules/0/id"],
    [
      "an invalid expression",
      { ...custom, rules: [log("a"), { ...log("b"), expression: "ssl or" }] },
      "/rules/1/expression",
    ],
    [
      "a custom ruleset that executes one",
      { ...custom, rules: [{ ...log("a"), action: "execute", action_parameters: { id: "x" } }] },
      "/rules/0/action_parameters/id",
    ],
  ])("%s is rejected, and nothing is created", async (_name, body, pointer) => {
    const { zone } = open();
    await expectFailure(await zone("POST", "", body), { status: 400, code: 10400, pointer });
    expect((await zone.ok("GET", "")).result).toEqual([]);
  });
});

describe("PUT of a ruleset", () => {
  test("replaces the rules: each found by its id or its ref keeps its id", async () => {
    const { zone, create } = open();
    const { id, rules } = await create();
    const [a, b, c] = rules;
    const body = {
      rules: [{ ...log("c"), enabled: false }, { id: a.id, action: "log", expression: "true" }, log("d")],
    };
    const { result } = await zone.ok("PUT", `/${id}`, body);
    expect(result.version).toBe("2");
    expect(result.rules.map((rule: Json) => [rule.id, rule.ref, rule.version])).toEqual([
      [c.id, "c", "2"],
      [a.id, "a", "2"],
      [expect.not.stringMatching(b.id), "d", "1"],
    ]);
  });

  test("without rules they stay, with null there are none, and null removes the description", async () => {
    const { zone, create } = open();
    const { id, rules } = await create({ ...custom, description: "One.", rules: [log("a")] });
    const kept = (await zone.ok("PUT", `/${id}`, { description: "Two." })).result;
    expect(kept).toMatchObject({ description: "Two.", rules });
    const { result } = await zone.ok("PUT", `/${id}`, { description: null, rules: null });
    expect(result).toMatchObject({ description: "", rules: [], version: "3" });
  });

  test.each([
    ["kind", "zone"],
    ["phase", "http_ratelimit"],
  ])("%s cannot be changed", async (name, value) => {
    const { zone, create } = open();
    const { id } = await create();
    await expectFailure(await zone("PUT", `/${id}`, { [name]: value }), {
      status: 400,
      code: 10400,
      pointer: `/${name}`,
    });
  });

  test("another name is rejected in profile provider, and a message in profile spec", async () => {
    const strict = open({ profile: "provider" });
    const { id } = await strict.create();
    await strict.zone.ok("PUT", `/${id}`, { name: custom.name });
    await expectFailure(await strict.zone("PUT", `/${id}`, { name: "Other" }), {
      status: 400,
      code: 10400,
      pointer: "/name",
    });
    const { zone, create } = open();
    const { messages, result } = await zone.ok("PUT", `/${(await create()).id}`, { name: "Other" });
    expect(result.name).toBe("Other");
    expect(messages).toMatchObject([{ source: { pointer: "/name" } }]);
  });

  test("a ruleset that does not exist is not created", async () => {
    const { zone } = open();
    const unknown = { status: 404, code: 10404, message: /There is no ruleset `none`/ };
    await expectFailure(await zone("PUT", "/none", { rules: [] }), unknown);
    await expectFailure(await zone("POST", "/none/rules", log("a")), unknown);
    await expectFailure(await zone("PATCH", "/none/rules/r", {}), unknown);
    await expectFailure(await zone("DELETE", "/none/rules/r"), unknown);
    await expectFailure(await zone("DELETE", "/none"), unknown);
  });
});

describe("DELETE of a ruleset", () => {
  test("answers 204 without a body, and removes its rules from the evaluation", async () => {
    const { edge, zone, create } = open();
    const { id } = await create({
      name: "Entry",
      kind: "zone",
      phase,
      rules: [{ ...log("a"), action: "block" }],
    });
    const request = { method: "GET", url: "https://example.com/" };
    expect((await edge.tokens.evaluate("z1", request)).action).toBe("block");
    const response = await zone("DELETE", `/${id}`);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect((await edge.tokens.evaluate("z1", request)).action).toBe("allow");
    expect((await zone("GET", `/${id}`)).status).toBe(404);
    await create({ name: "Entry", kind: "zone", phase });
  });

  test("one that a rule executes stays until that rule is gone, of any zone of its account", async () => {
    const { edge, account } = open();
    const { id } = (await account.ok("POST", "", { ...custom, rules: [log("a")] })).result;
    const execute = { action: "execute", expression: "true", action_parameters: { id } };
    const other = clientOf(edge, "/zones/z2/rulesets");
    const entry = (await other.ok("POST", "", { name: "Entry", kind: "zone", phase, rules: [execute] }))
      .result;
    await expectFailure(await account("DELETE", `/${id}`), {
      status: 400,
      code: 10400,
      message: new RegExp(
        `The rule \`${entry.rules[0].id}\` of the ruleset \`${entry.id}\` of the zone \`z2\``,
      ),
    });
    await other.ok("DELETE", `/${entry.id}/rules/${entry.rules[0].id}`);
    const root = (await account.ok("POST", "", { name: "Root", kind: "root", phase, rules: [execute] }))
      .result;
    await expectFailure(await account("DELETE", `/${id}?dry_run=true`), { status: 400, code: 10400 });
    expect((await account("DELETE", `/${root.id}`)).status).toBe(204);
    expect((await account("DELETE", `/${id}?dry_run=true`)).status).toBe(204);
    expect((await account("DELETE", `/${id}`)).status).toBe(204);
  });
});

describe("POST of a rule", () => {
  test.each<[string, Json, string]>([
    ["nothing", undefined, "abcx"],
    ["null", null, "abcx"],
    ["the first index", { index: 1 }, "xabc"],
    ["the last index", { index: 4 }, "abcx"],
    ["before all", { before: "" }, "xabc"],
    ["after all", { after: "" }, "abcx"],
    ["before a rule", { before: 1 }, "axbc"],
    ["after a rule", { after: 1 }, "abxc"],
  ])("with the position of %s", async (_name, position, order) => {
    const { zone, create, refsOf } = open();
    const { id, rules } = await create();
    const named = (at: unknown) => (typeof at === "number" ? rules[at].id : at);
    const sent =
      position && !("index" in position)
        ? Object.fromEntries(Object.entries(position).map(([name, at]) => [name, named(at)]))
        : position;
    const { result } = await zone.ok("POST", `/${id}/rules`, {
      ...log("x"),
      ...(position !== undefined && { position: sent }),
    });
    expect(result).toMatchObject({ id, version: "2" });
    expect(await refsOf(id)).toBe(order);
    expect(result.rules.map(({ version }: Json) => version)).toEqual(["1", "1", "1", "1"]);
  });

  test.each<[string, Json, string]>([
    ["an index of 0", { position: { index: 0 } }, "/position/index"],
    ["an index beyond the end", { position: { index: 5 } }, "/position/index"],
    ["an index with a fraction", { position: { index: 1.5 } }, "/position/index"],
    ["a rule that does not exist", { position: { before: "x" } }, "/position/before"],
    ["two places", { position: { before: "", index: 1 } }, "/position"],
    ["no place", { position: {} }, "/position"],
    ["an empty list", { position: [] }, "/position"],
    ["an id", { id: "x" }, "/id"],
    ["a ref of another rule", { ref: "b" }, "/ref"],
    ["an invalid expression", { expression: "ssl or", position: { index: 1 } }, "/expression"],
    ["an unknown action", { action: "allow" }, "/action"],
    ["parameters of another action", { action_parameters: { id: "x" } }, "/action_parameters/id"],
    ["logging without skip", { logging: { enabled: true } }, "/logging"],
  ])("%s is rejected, and nothing is changed", async (_name, members, pointer) => {
    const { zone, create } = open();
    const before = await create();
    const body = { ...log("x"), ...members };
    const code = pointer === "/logging" ? 20018 : 10400;
    await expectFailure(await zone("POST", `/${before.id}/rules`, body), { status: 400, code, pointer });
    expect((await zone.ok("GET", `/${before.id}`)).result).toEqual(before);
  });

  test("counts against the limits of rules and of rulesets", async () => {
    const { zone, create, refsOf } = open({ limits: { rulesPerRuleset: 4, rulesetsPerOwner: 1 } });
    const { id } = await create();
    await zone.ok("POST", `/${id}/rules`, log("d"));
    const message = /^A ruleset must have at most 4 rules; found 5\.$/;
    await expectFailure(await zone("POST", `/${id}/rules`, log("e")), { status: 400, code: 10400, message });
    expect(await refsOf(id)).toBe("abcd");
    await expectFailure(await zone("POST", "", custom), {
      status: 400,
      code: 10400,
      message: /^The zone must have at most 1 rulesets; found 2\.$/,
    });
  });
});

describe("PATCH of a rule", () => {
  const response = { status_code: 451, content: "no", content_type: "text/plain" };

  test("changes the given members and the versions, and keeps the id, the ref and the other members", async () => {
    const { zone, create } = open();
    const { id, rules } = await create();
    const [a, b, c] = rules;
    const { result } = await zone.ok("PATCH", `/${id}/rules/${b.id}`, {
      enabled: false,
      description: "Off.",
    });
    expect(result).toMatchObject({
      version: "2",
      rules: [a, { ...b, enabled: false, description: "Off.", version: "2" }, c],
    });
    const again = (await zone.ok("PATCH", `/${id}/rules/${b.id}`, { description: null, id: b.id })).result;
    expect(again.rules[1]).toMatchObject({ enabled: false, description: "", version: "3" });
  });

  test.each<[string, (ids: readonly string[]) => Json, string]>([
    ["the first index", () => ({ index: 1 }), "bac"],
    ["the last index", () => ({ index: 3 }), "acb"],
    ["before all", () => ({ before: "" }), "bac"],
    ["after all", () => ({ after: "" }), "acb"],
    ["before a rule", ([a]) => ({ before: a }), "bac"],
    ["after a rule", ([, , c]) => ({ after: c }), "acb"],
    ["its own place", () => ({ index: 2 }), "abc"],
  ])("moves it to %s without another version of the rule", async (_name, positionOf, order) => {
    const { zone, create, refsOf } = open();
    const { id, rules } = await create();
    const position = positionOf(rules.map((rule: Json) => rule.id));
    const { result } = await zone.ok("PATCH", `/${id}/rules/${rules[1].id}`, { position });
    expect(result.version).toBe("2");
    expect(await refsOf(id)).toBe(order);
    expect(result.rules.find(({ ref }: Json) => ref === "b")).toEqual(rules[1]);
  });

  test("an action is given with its parameters; without it both stay", async () => {
    const { zone, create } = open();
    const block = { ref: "a", action: "block", expression: "ssl", action_parameters: { response } };
    const { id, rules } = await create({ ...custom, rules: [block] });
    const path = `/${id}/rules/${rules[0].id}`;
    const kept = (await zone.ok("PATCH", path, { expression: "true" })).result.rules[0];
    expect(kept.action_parameters).toEqual({ response });
    await expectFailure(await zone("PATCH", path, { action_parameters: { response } }), {
      status: 400,
      code: 10400,
      pointer: "/action_parameters",
      message: /need the `action`/,
    });
    const skip = { action: "skip", action_parameters: { ruleset: "current" }, logging: { enabled: false } };
    expect((await zone.ok("PATCH", path, skip)).result.rules[0]).toMatchObject(skip);
    const challenge = (await zone.ok("PATCH", path, { action: "js_challenge" })).result.rules[0];
    expect(challenge).not.toHaveProperty("action_parameters");
    expect(challenge).not.toHaveProperty("logging");
  });

  test.each<[string, Json, string]>([
    ["an index beyond the end", { position: { index: 4 } }, "/position/index"],
    ["a place before itself", { position: { before: "b" } }, "/position/before"],
    ["another id", { id: "x" }, "/id"],
    ["a ref of another rule", { ref: "c" }, "/ref"],
    ["an invalid expression", { expression: "ssl or" }, "/expression"],
    ["no expression", { expression: null }, "/expression"],
    ["a flag of another type", { enabled: "no" }, "/enabled"],
  ])("%s is rejected, and nothing is changed", async (_name, body, pointer) => {
    const { zone, create } = open();
    const before = await create();
    const path = `/${before.id}/rules/${before.rules[1].id}`;
    const sent = JSON.parse(JSON.stringify(body).replace('"before":"b"', `"before":"${before.rules[1].id}"`));
    await expectFailure(await zone("PATCH", path, sent), { status: 400, code: 10400, pointer });
    expect((await zone.ok("GET", `/${before.id}`)).result).toEqual(before);
  });
});

describe("DELETE of a rule", () => {
  test("answers the ruleset without it", async () => {
    const { zone, create } = open();
    const { id, rules } = await create();
    const [a, b, c] = rules;
    const { result } = await zone.ok("DELETE", `/${id}/rules/${b.id}`);
    expect(result).toMatchObject({ id, version: "2", rules: [a, c] });
    await expectFailure(await zone("DELETE", `/${id}/rules/${b.id}`), {
      status: 404,
      code: 10404,
      message: /There is no rule/,
    });
  });

  test("is possible while another rule is invalid, and a change then names that rule", async () => {
    const { edge, account, zone, create } = open();
    const { id, rules } = await create({
      ...custom,
      rules: [log("a"), { ...log("b"), expression: "ip.src in $office" }],
    });
    // A list of the same name with another type of items.
    const client = clientOf(edge, "/accounts/a1/rules/lists");
    await client.ok("DELETE", "/l1");
    await client.ok("POST", "", { name: "office", kind: "asn" });
    const failure = await zone("PATCH", `/${id}/rules/${rules[0].id}`, { enabled: false });
    const { errors } = (await failure.json()) as Json;
    expect([failure.status, errors[0].source]).toEqual([400, undefined]);
    expect(errors[0].message).toContain(`The rule \`${rules[1].id}\`: At line 1`);
    await zone.ok("DELETE", `/${id}/rules/${rules[0].id}`);
    await zone.ok("DELETE", `/${id}/rules/${rules[1].id}`);
    expect((await account.ok("GET", "")).result).toEqual([]);
  });
});

test("dry_run checks each write without a change, and has its status", async () => {
  const { zone, create } = open();
  const before = await create();
  const at = `/${before.id}`;
  const rule = `${at}/rules/${before.rules[0].id}`;
  const dry = async (method: string, path: string, body?: Json) => {
    expect((await zone.ok(method, `${path}?dry_run=true`, body)).result).toBe(null);
    for (const word of ["1", ""])
      await expectFailure(await zone(method, `${path}?dry_run=${word}`, body), { status: 400, code: 10400 });
  };
  await dry("POST", "", custom);
  await dry("PUT", at, { rules: [] });
  await dry("POST", `${at}/rules`, log("d"));
  await dry("PATCH", rule, { enabled: false });
  await dry("DELETE", rule);
  expect((await zone("DELETE", `${at}?dry_run=true`)).status).toBe(204);
  await expectFailure(await zone("POST", `${at}/rules?dry_run=true`, { ...log("d"), expression: "ssl or" }), {
    status: 400,
    code: 10400,
    pointer: "/expression",
  });
  expect((await zone.ok("GET", at)).result).toEqual(before);
  expect((await zone.ok("GET", "")).result).toHaveLength(1);
});

test("each write needs the permission to write", async () => {
  const edge = createEdge({
    world: { ...world, api_tokens: [{ token: "r", permissions: ["rulesets:read" as const] }] },
  });
  for (const owner of ["/zones/z1/rulesets", "/accounts/a1/rulesets"]) {
    const client = clientOf(edge, owner);
    const headers = { authorization: "Bearer r" };
    for (const [method, path] of [
      ["POST", ""],
      ["PUT", "/x"],
      ["DELETE", "/x"],
      ["POST", "/x/rules"],
      ["PATCH", "/x/rules/y"],
      ["DELETE", "/x/rules/y"],
    ] as const)
      await expectFailure(await client(method, path, method === "DELETE" ? undefined : {}, headers), {
        status: 403,
        code: 9109,
      });
  }
});

describe.each(Object.entries(kinds))("%s", (kind, create) => {
  test.skipIf(isMissing(kind))("simultaneous writes of two processes lose nothing", async () => {
    const place = create();
    const first = open({ store: await place.open() });
    const second = createEdge({ store: await place.open() });
    const clients = [first.zone, clientOf(second, "/zones/z1/rulesets")];
    const { id, rules } = await first.create();
    const count = 6;
    const writes = Array.from({ length: count }, (_, i) => {
      const client = clients[i % 2]!;
      return [
        client.ok("POST", `/${id}/rules`, { ...log(`n${i}`), position: { index: 1 + (i % 3) } }),
        client.ok("PATCH", `/${id}/rules/${rules[i % 2].id}`, {
          description: `${i}`,
          position: { after: "" },
        }),
      ];
    });
    const removal = clients[1]!.ok("DELETE", `/${id}/rules/${rules[2].id}`);
    const answers = await Promise.all([...writes.flat(), removal]);
    const total = 2 * count + 1;
    const versions = answers.map(({ result }) => Number(result.version)).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: total }, (_, i) => i + 2));
    const { result } = await first.zone.ok("GET", `/${id}`);
    const refs = result.rules.map(({ ref }: Json) => ref).sort();
    expect(refs).toEqual(["a", "b", ...Array.from({ length: count }, (_, i) => `n${i}`)]);
    const changes = result.rules.filter(({ ref }: Json) => ref === "a" || ref === "b");
    expect(changes.map(({ version }: Json) => Number(version))).toEqual([count / 2 + 1, count / 2 + 1]);
    await Promise.all([first.edge.close(), second.close()]);
  });
});
