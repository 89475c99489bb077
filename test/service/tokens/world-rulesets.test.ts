/** Rulesets and lists of a world: stored, evaluated, and reported where they are invalid. */
import { createEdge, type EdgeOptions, InvalidInputError } from "edgeproof";
import { compileZone } from "edgeproof/tokens";
import { expect, test } from "vitest";
import { createLists } from "../../../src/service/tokens/rulesets/stored-rulesets.ts";
import { parseWorld } from "../../../src/service/world/parse.ts";
import { accountRulesets, zoneRulesets } from "../../../src/service/world/rulesets/world-rulesets.ts";

type World = NonNullable<EdgeOptions["world"]>;
type Account = NonNullable<World["accounts"]>[number];
type Ruleset = NonNullable<Account["rulesets"]>[number];

const phase = "http_request_firewall_custom";
const office: NonNullable<Account["lists"]>[number] = { name: "office", kind: "ip", items: ["192.0.2.0/24"] };
const entry: Ruleset = {
  id: "zone-entry",
  kind: "zone",
  phase,
  rules: [
    { id: "deletes", action: "block", expression: 'http.request.method eq "DELETE"' },
    { id: "outside", action: "managed_challenge", expression: "not ip.src in $office" },
  ],
};
const root: Ruleset = {
  id: "account-entry",
  kind: "root",
  phase,
  rules: [
    { action: "execute", action_parameters: { id: "shared" }, expression: "true" },
    { action: "block", enabled: false, expression: "true" },
  ],
};
const shared: Ruleset = {
  id: "shared",
  kind: "custom",
  phase,
  rules: [{ id: "admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' }],
};

const world: World = {
  accounts: [{ id: "a1", rulesets: [root, shared], lists: [office] }, { id: "a2" }],
  zones: [
    { id: "z1", name: "example.com", account_id: "a1", rulesets: [entry] },
    { id: "z2", name: "example.org", account_id: "a1" },
    { id: "z3", name: "example.net", account_id: "a2", rulesets: [entry] },
  ],
};

const request = (method: string, path: string, ip = "192.0.2.7") => ({
  method,
  url: `https://example.com${path}`,
  ip,
});

function problemsOf(broken: unknown): readonly (string | undefined)[][] {
  try {
    createEdge({ world: broken as World });
  } catch (error) {
    if (error instanceof InvalidInputError)
      return error.problems.map(({ pointer, message }) => [pointer, message]);
    throw error;
  }
  return [];
}

test("a zone has the custom rules of its world: those of its account first, then its own", async () => {
  const { tokens } = createEdge({ world });
  const verdictOf = async (zone: string, ...args: Parameters<typeof request>) => {
    const { action, custom } = await tokens.evaluate(zone, request(...args));
    return [action, custom?.rule?.rule];
  };
  expect(await verdictOf("z1", "DELETE", "/admin")).toEqual(["block", "admin"]);
  expect(await verdictOf("z1", "DELETE", "/")).toEqual(["block", "deletes"]);
  expect(await verdictOf("z1", "GET", "/", "198.51.100.1")).toEqual(["challenge", "outside"]);
  expect(await verdictOf("z1", "GET", "/")).toEqual(["allow", undefined]);
  expect(await verdictOf("z2", "GET", "/admin")).toEqual(["block", "admin"]);
  expect(await verdictOf("z2", "DELETE", "/")).toEqual(["allow", undefined]);
  // The list belongs to the other account.
  expect(await verdictOf("z3", "GET", "/admin")).toEqual(["undecided", undefined]);
  expect((await tokens.evaluate("z3", request("GET", "/"))).custom?.needs).toEqual(["$office"]);
});

test("a change of a list is used by the next evaluation of each zone of the account", async () => {
  const edge = createEdge({ world });
  const actionOf = async () => (await edge.tokens.evaluate("z3", request("GET", "/"))).action;
  expect(await actionOf()).toBe("undecided");
  const times = { created_on: "2026-01-01T00:00:00Z", modified_on: "2026-01-01T00:00:00Z" };
  await edge.store.write((tx) => createLists(tx, "a2", [{ ...office, id: "l1", description: "", ...times }]));
  expect(await actionOf()).toBe("allow");
});

test("rules without ids have the same ones in every run, and a member of responses is ignored", async () => {
  const { id, ...anonymous } = root;
  const rules = [{ action: "block", expression: "true", version: "3", last_updated: null }];
  const given = { accounts: [{ id: "a1", rulesets: [{ ...anonymous, version: "7", rules }] }] };
  const idsOf = async () => {
    const { custom } = await createEdge({ world: given as World }).tokens.evaluate("z", request("GET", "/"));
    return custom?.rules.map(({ ruleset, rule }) => [ruleset, rule]);
  };
  const [[ruleset, rule] = []] = (await idsOf()) ?? [];
  expect(ruleset).toMatch(/^[0-9a-f]{32}$/);
  expect(rule).toMatch(/^[0-9a-f]{32}$/);
  expect(await idsOf()).toEqual([[ruleset, rule]]);
});

test("a rule that an import could not read makes its zone undecided, and is not parsed", async () => {
  const undecided = "`expression` is known after the apply";
  const rules = [{ id: "r1", action: "block", undecided }];
  const edge = createEdge({ world: { zones: [{ id: "z1", rulesets: [{ ...entry, rules }] }] } });
  const { action, custom } = await edge.tokens.evaluate("z1", request("GET", "/"));
  expect([action, custom?.needs]).toEqual(["undecided", [`rule r1: ${undecided}`]]);
});

test.each<readonly [title: string, world: unknown, pointer: string, message: string]>([
  [
    "an action that was removed",
    { zones: [{ id: "z", rulesets: [{ ...entry, rules: [{ action: "allow", expression: "true" }] }] }] },
    "/zones/0/rulesets/0/rules/0/action",
    "in place of it, use a rule with `skip`",
  ],
  [
    "an expression",
    { zones: [{ id: "z", rulesets: [{ ...entry, rules: [{ action: "log", expression: "ssl eq 1" }] }] }] },
    "/zones/0/rulesets/0/rules/0/expression",
    "At line 1, column 5",
  ],
  [
    "a rule without an expression",
    { zones: [{ id: "z", rulesets: [{ ...entry, rules: [{ action: "log" }] }] }] },
    "/zones/0/rulesets/0/rules/0/expression",
    "it is missing",
  ],
  [
    "an entry point of an account in a zone",
    { zones: [{ id: "z", rulesets: [{ ...root, rules: [] }] }] },
    "/zones/0/rulesets/0/kind",
    "belongs to an account",
  ],
  [
    "an entry point of a zone in an account",
    { accounts: [{ id: "a", rulesets: [entry] }] },
    "/accounts/0/rulesets/0/kind",
    "belongs to a zone",
  ],
  [
    "an id that the account has",
    {
      accounts: [{ id: "a", rulesets: [shared] }],
      zones: [{ id: "z", rulesets: [{ ...entry, id: "shared" }] }],
    },
    "/zones/0/rulesets/0/id",
    "already",
  ],
  [
    "a ruleset that does not exist",
    { accounts: [{ id: "a", rulesets: [root] }] },
    "/accounts/0/rulesets/0/rules/0/action_parameters/id",
    "No custom ruleset",
  ],
  [
    "an item of a list",
    { accounts: [{ id: "a", lists: [office, { ...office, name: "b", items: ["192.0.2.0/33"] }] }] },
    "/accounts/0/lists/1/items/0",
    "192.0.2.0/33",
  ],
  [
    "a name of a list",
    { accounts: [{ id: "a", lists: [{ ...office, name: "Office" }] }] },
    "/accounts/0/lists/0/name",
    "lower-case",
  ],
  [
    "two lists with one name",
    { accounts: [{ id: "a", lists: [office, office] }] },
    "/accounts/0/lists/1/name",
    "unique",
  ],
  [
    "a member that does not exist",
    { zones: [{ id: "z", rulesets: [{ ...entry, rule: [] }] }] },
    "/zones/0/rulesets/0/rule",
    "`rules`",
  ],
  [
    "a kind of list",
    { accounts: [{ id: "a", lists: [{ ...office, kind: "redirect" }] }] },
    "/accounts/0/lists/0/kind",
    "hostname",
  ],
  ["rulesets that are not a list", { zones: [{ id: "z", rulesets: {} }] }, "/zones/0/rulesets", "array"],
])("the problem of %s has its pointer", (_, broken, pointer, message) => {
  const problems = problemsOf(broken);
  expect(problems).toEqual([[pointer, expect.stringContaining(message)]]);
});

test("invalid rules that are left out leave no verdict of their zones; other zones have theirs", async () => {
  const broken = { ...root, rules: [{ action: "block", expression: "nonsense" }] };
  const left: string[] = [];
  const { tokens } = createEdge({
    world: {
      ...world,
      accounts: [{ id: "a1", rulesets: [broken] }, { id: "a2" }],
    },
    onLeftOut: (pointer) => left.push(pointer),
  });
  expect(left).toEqual(["/accounts/0/rulesets"]);
  for (const zone of ["z1", "z2"])
    await expect(tokens.evaluate(zone, request("GET", "/"))).rejects.toThrow("custom rules of account `a1`");
  expect((await tokens.evaluate("z3", request("DELETE", "/"))).action).toBe("block");
});

test("an invalid list that is left out is unknown", async () => {
  const { tokens } = createEdge({
    world: {
      accounts: [{ id: "a1", lists: [{ ...office, items: ["nowhere"] }] }],
      zones: [{ id: "z1", rulesets: [entry] }],
    },
    onLeftOut: () => {},
  });
  expect((await tokens.evaluate("z1", request("GET", "/"))).action).toBe("undecided");
});

test("every pointer into the input of a zone leads to the same value in the world", async () => {
  const parsed = parseWorld({
    ...world,
    accounts: [
      { id: "a0" },
      { id: "a1", rulesets: [root, shared], lists: [{ ...office, name: "a" }, office] },
    ],
  });
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  const own = zoneRulesets(parsed.value.world, 0);
  await compileZone({ configs: [], rules: [], ...own.input });
  const pointers = [...pointersOf(own.input, "")].filter(([at]) => !at.endsWith("/id"));
  expect(pointers.length).toBeGreaterThan(30);
  for (const [at, value] of pointers)
    if (at.split("/").length > 3) expect(valueAt(parsed.value.world, own.pointerOf(at)), at).toEqual(value);
  expect(accountRulesets(parsed.value.world, 1).pointerOf("/lists/office")).toBe("/accounts/1/lists/1/name");
});

function* pointersOf(value: unknown, at: string): Generator<readonly [string, unknown]> {
  if (typeof value !== "object" || value === null) yield [at, value];
  else for (const [name, inner] of Object.entries(value)) yield* pointersOf(inner, `${at}/${name}`);
}

function valueAt(value: unknown, at: string): unknown {
  return at
    .split("/")
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}
