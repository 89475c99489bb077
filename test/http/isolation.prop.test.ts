/** Records of one zone or account can neither be read nor changed through the id of another, by any endpoint. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createEdge, type Edge } from "../../src/edge.ts";
import type { Endpoint } from "../../src/http/endpoints/endpoint.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { collectionNames } from "../../src/store/collections.ts";
import type { Json } from "../support/client.ts";
import { formOf, png } from "../support/images.ts";
import { validating } from "../support/interface.ts";
import { configBody, ruleBody, type TestKeys, testKeys } from "../support/keys.ts";
import { addressOf } from "../support/places.ts";
import { runs } from "../support/runs.ts";

/** Two owners; every string that one of them stores contains its marker, and must never contain the other's. */
const sides = ["alpha", "omega"] as const;
type Side = (typeof sides)[number];
const other = { alpha: "omega", omega: "alpha" } as const;
const zones = { alpha: "za", omega: "zb" } as const;
const accounts = { alpha: "aa", omega: "ab" } as const;

let keys: TestKeys;
let pictures: Readonly<Record<Side, Buffer>>;
beforeAll(async () => {
  keys = await testKeys();
  pictures = { alpha: await png(10), omega: await png(200) };
});

const world = {
  accounts: sides.map((side) => ({
    id: accounts[side],
    brand: {
      queries: [{ tag: side, string_matches: [{ pattern: "shop", max_edit_distance: 0 }] }],
      observed: [`${side}-shop.example`, `${side}-shops.example`],
    },
    images: { account_hash: `hash-${side}` },
  })),
  zones: sides.map((side) => ({ id: zones[side], name: `${side}.example`, account_id: accounts[side] })),
};

/** Values for parameters, of both owners. */
type Pools = Record<string, Set<string>>;

type Body = (side: Side, n: number) => object | FormData;

const options = { fit: "cover", width: 5, height: 5, metadata: "none" };

function application(side: Side, n: number) {
  const name = `${side}${n}.${side}.example`;
  return { protocol: "tcp/22", dns: { type: "CNAME", name }, origin_direct: ["tcp://192.0.2.1:22"] };
}

const logo: Body = (side, n) => ({
  tag: `${side}${n}`,
  image_data: pictures[side].toString("base64"),
  similarity_threshold: 0.5,
});

const customRule: Body = (side, n) => ({
  ref: `${side}${n}`,
  action: "log",
  expression: `http.host eq "${side}"`,
});
const ruleset: Body = (side, n) => ({ name: side, rules: [customRule(side, n)] });

const rulesetBodies: Readonly<Record<string, Body>> = {
  create: (side, n) => ({
    ...ruleset(side, n),
    kind: "custom",
    phase: "http_request_firewall_custom",
  }),
  replace: (side, n) => ({ ...ruleset(side, n), description: side }),
  replaceEntryPoint: ruleset,
  "rules.create": customRule,
  "rules.edit": (side) => ({ description: side, position: { index: 1 } }),
};

/** Bodies that are usually accepted. */
const bodies: Readonly<Record<string, Body>> = {
  "tokens.configs.create": (side) => configBody([keys.es256], { title: side, description: side }),
  "tokens.configs.edit": (side) => ({ title: side }),
  "tokens.configs.credentials": () => ({ keys: [keys.es384.jwk] }),
  "tokens.rules.create": (side) => ruleBody('http.host eq "a"', { title: side, description: side }),
  "tokens.rules.bulkCreate": (side) => [ruleBody('http.host eq "a"', { title: side, description: side })],
  "tokens.rules.edit": (side) => ({ title: side, position: { index: 1 } }),
  "brand.domains.queries.create": (side) => ({
    tag: side,
    string_matches: [{ pattern: "shop", max_edit_distance: 1 }],
  }),
  "brand.domains.queries.edit": (side) => ({ tag: `${side} again` }),
  "brand.logos.queries.create": logo,
  "proxy.apps.create": application,
  "proxy.apps.edit": application,
  "proxy.apps.replace": application,
  "images.upload": (side, n) => formOf({ file: pictures[side], id: `${side}/${n}`, creator: side }, side),
  "images.drafts.create": (side) => formOf({ metadata: JSON.stringify({ of: side }) }),
  "images.drafts.fill": (side) => formOf({ file: pictures[side] }, side),
  "images.variants.create": (side, n) => ({ id: `${side}${n}`, options }),
  "images.variants.edit": () => ({ options: { ...options, width: 6 } }),
  "images.edit": (side) => ({ metadata: { of: side } }),
  "lists.create": (side, n) => ({ name: `${side}${n}`, kind: "hostname", description: side }),
  "lists.edit": (side) => ({ description: side }),
  "lists.items.append": (side, n) => [{ hostname: { url_hostname: `${side}${n}.example` } }],
  "lists.items.replace": (side) => [{ hostname: { url_hostname: `${side}.example` } }],
  ...Object.fromEntries(
    ["zones", "accounts"].flatMap((owners) =>
      Object.entries(rulesetBodies).map(([name, body]) => [`rulesets.${owners}.${name}`, body]),
    ),
  ),
};

/** Bodies that reference records. */
function bodyOf(row: Endpoint, side: Side, n: number, pick: (name: string) => string) {
  if (row.id === "tokens.rules.bulkEdit") return [{ id: pick("rule_id"), title: side }];
  if (row.id === "tokens.rules.edit" && n % 2) return { position: { before: pick("rule_id") } };
  return bodies[row.id]?.(side, n);
}

/** Ids in a response that later requests can use. */
function learn({ id }: Endpoint, answer: Json, pools: Pools): void {
  const add = (name: string, value: unknown) => {
    if (value !== undefined) pools[name] = new Set(pools[name]).add(String(value));
  };
  const { result } = answer ?? {};
  if (id === "tokens.configs.create") add("config_id", result.id);
  if (id === "tokens.rules.create") add("rule_id", result.id);
  if (id === "proxy.apps.create") add("app_id", result.id);
  if (id.endsWith("queries.create")) add("query_id", answer.query_id);
  if (id.startsWith("images.variants")) add("variant_id", result.variant?.id);
  if (id === "images.upload" || id === "images.edit") add("image_id", result.id);
  if (id === "images.drafts.create") {
    add("image_id", result.id);
    add("upload_token", result.uploadURL.split("/").at(-1));
  }
  if (id === "lists.create") add("list_id", result.id);
  if (id.startsWith("lists.items.")) add("operation_id", result.operation_id);
  if (id.startsWith("rulesets.") && result?.id !== undefined) {
    add("ruleset_id", result.id);
    for (const rule of result.rules ?? []) add("ruleset_rule_id", rule.id);
  }
  if (id === "images.listFrom") add("continuation_token", result.continuation_token ?? undefined);
}

const queryPools: Readonly<Record<string, string>> = {
  id: "query_id",
  rule_id: "rule_id",
  token_configuration: "config_id",
  query_id: "query_id",
  continuation_token: "continuation_token",
};

interface Step {
  readonly row: Endpoint;
  readonly side: Side;
  readonly picks: readonly number[];
}

function requestOf({ row, side, picks }: Step, pools: Pools) {
  const sent: string[] = [];
  let turn = 0;
  const pick = (name: string) => {
    const pool = [...(pools[name] ?? ["1"])];
    const value = pool[picks[turn++ % picks.length]! % pool.length]!;
    sent.push(value);
    return value;
  };
  const fixed: Readonly<Record<string, () => string>> = {
    zone_id: () => zones[side],
    account_id: () => accounts[side],
    account_hash: () => `hash-${side}`,
    path: () => `hash-${side}/${pick("image_id")}/${pick("variant_id")}`,
  };
  const names = [...row.path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name!);
  const values = Object.fromEntries(names.map((name) => [name, fixed[name]?.() ?? pick(name)]));
  const address = row.takesRawPath
    ? `https://edge.test${row.path.replace(/\{.*/, "")}${values["path"]}`
    : addressOf(row, values);
  const url = new URL(address);
  for (const name of Object.keys(row.query?.shape ?? {})) {
    const pool = queryPools[name];
    const isNeeded = name === "query_id";
    if (pool && (isNeeded || picks[0]! % 2)) url.searchParams.set(name, pick(pool));
    if (name === "per_page") url.searchParams.set(name, "2");
  }
  const body = row.method === "GET" ? undefined : bodyOf(row, side, picks[0]!, pick);
  const json = { "content-type": "application/json" };
  const request = new Request(url, {
    method: row.method,
    headers: { authorization: "Bearer t", ...(body && !(body instanceof FormData) && json) },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  return { request, sent };
}

/** Everything stored that belongs to one owner. */
async function belongings({ store }: Edge, side: Side): Promise<string> {
  return store.read(async (tx) => {
    const parts: unknown[] = [];
    for (const name of collectionNames) {
      for (const scope of [zones[side], accounts[side]]) parts.push(await tx.find(name, scope));
    }
    return JSON.stringify(parts);
  });
}

function expectNothingOf(side: Side, text: string, sent: readonly string[], what: string): void {
  // A response may repeat the request.
  const said = sent.reduce((rest, value) => rest.replaceAll(value, ""), text);
  expect(said.includes(side), `${what} shows something of ${side}: ${text}`).toBe(false);
}

async function run(edge: Edge, step: Step, pools: Pools): Promise<boolean> {
  const theirs = await belongings(edge, other[step.side]);
  const { request, sent } = requestOf(step, pools);
  const what = `${step.row.id} for ${step.side}`;
  const response = await validating(edge.fetch)(request);
  const isJson = response.headers.get("content-type") === "application/json";
  const text = isJson ? await response.text() : "";
  expect(response.status, text).toBeLessThan(500);
  expectNothingOf(other[step.side], text, sent, what);
  expect(await belongings(edge, other[step.side]), `${what} changed the other's`).toBe(theirs);
  if (response.ok && isJson) learn(step.row, JSON.parse(text), pools);
  if (response.ok && !isJson) {
    const named = sent.find((value) => value.includes("/")) ?? "";
    expectNothingOf(other[step.side], named, [], `${what} delivered`);
  }
  return response.ok;
}

/** Endpoints that return no records. */
const rows = endpoints.filter(({ area }) => area !== "shared");

/** Endpoints that create the records that other endpoints need, and need none themselves. */
const first = rows.filter(
  (row) => row.method === "POST" && /(create|upload)$/.test(row.id) && !row.path.includes("{ruleset_id}"),
);

async function seed(edge: Edge, pools: Pools): Promise<void> {
  for (const [n, row] of first.entries()) {
    for (const side of sides) {
      const accepted = await run(edge, { row, side, picks: [2 * n] }, pools);
      expect(accepted, `${row.id} for ${side}`).toBe(true);
    }
  }
}

const step = fc.record({
  row: fc.constantFrom(...rows),
  side: fc.constantFrom(...sides),
  picks: fc.array(fc.nat(99), { minLength: 3, maxLength: 3 }),
});

test("no sequence of calls lets one owner read or change records of the other", async () => {
  const succeeded = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const edge = createEdge({ world });
      const pools: Pools = {
        // A key is created under the name in its path, so these names belong to neither.
        signing_key_name: new Set(["default", "first", "second"]),
        domain_id: new Set(["1", "2", "3"]),
        variant_id: new Set(["public"]),
        ruleset_phase: new Set(["http_request_firewall_custom"]),
      };
      await seed(edge, pools);
      for (const next of steps) if (await run(edge, next, pools)) succeeded.add(next.row.id);
    }),
    { numRuns: runs(12, 12) },
  );
  // The sequences test little when most calls fail.
  expect(succeeded.size).toBeGreaterThan(rows.length / 2);
});
