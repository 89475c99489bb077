/**
 * A Terraform plan with 60 custom rules and 12 token rules, of the kinds that documentation and users show, evaluated for
 * 40 requests: `fixtures/custom-rules/plan.json`. Its public key is replaced by one that the test signs with.
 */
import { readFileSync } from "node:fs";
import { mintKey, mintToken } from "edgeproof/testing";
import { compileZone, type Zone } from "edgeproof/tokens";
import { worldFrom } from "edgeproof/world";
import { beforeAll, expect, test } from "vitest";
import { parseWorld } from "../../../src/service/world/parse.ts";
import type { ParsedWorld } from "../../../src/service/world/part.ts";
import { zoneRulesets } from "../../../src/service/world/rulesets/world-rulesets.ts";

const url = new URL("../../../fixtures/custom-rules/plan.json", import.meta.url);
const imported = worldFrom([{ name: "plan.json", text: readFileSync(url, "utf8") }]);

/** 2026-01-01T00:00:00Z. */
const nowSeconds = 1_767_225_600;

function parsed(): ParsedWorld {
  const read = parseWorld(imported.world);
  if (!read.ok) throw new Error(read.problems[0].message);
  return read.value.world;
}

let zone: Zone;
let sign: (claims: object) => Promise<string>;
beforeAll(async () => {
  const key = await mintKey("ES256", "plan-key");
  const world = parsed();
  const { configs = [], rules = [] } = world.zones?.[0]?.token_validation ?? {};
  const signed = configs.map((config) => ({ ...config, credentials: { keys: [key.jwk] } }));
  const input = { configs: signed, rules, ...zoneRulesets(world, 0).input };
  zone = await compileZone(input as Parameters<typeof compileZone>[0], { clock: () => nowSeconds * 1_000 });
  sign = (claims) => mintToken(key, { exp: nowSeconds + 600, ...claims });
});

test("the plan is read without loss: 60 custom rules, 12 token rules, 3 lists", () => {
  const { world, report } = imported;
  const rulesets = [...(world.accounts?.[0]?.rulesets ?? []), ...(world.zones?.[0]?.rulesets ?? [])];
  expect(rulesets.flatMap(({ rules = [] }) => rules)).toHaveLength(60);
  expect(world.zones?.[0]?.token_validation?.rules).toHaveLength(12);
  expect(world.accounts?.[0]?.lists?.map(({ name }) => name)).toEqual([
    "office",
    "blocked_networks",
    "partner_systems",
  ]);
  expect([report.undecided, report.dropped]).toEqual([[], []]);
});

interface Asked {
  readonly claims?: object;
  /** Claims of the token in `x-partner-token`. */
  readonly partner?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ip?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The values that the rules need besides a request; a request to `/login` also needs the fields of bots. */
const usual = { "ip.src.country": "DE", "ip.src.asnum": 64_496, "ip.src.is_in_european_union": false };
const bots = {
  "cf.bot_management.score": 90,
  "cf.bot_management.verified_bot": false,
  "cf.bot_management.detection_ids": [],
};
const json = { "content-type": "application/json" };
const past = { exp: nowSeconds - 60 };
const admin = { role: "admin" };

type Row = readonly [request: string, asked: Asked, action: string, rule?: string];

const rows: readonly Row[] = [
  ["GET www.shop.example/", {}, "log", "default-language"],
  ["GET www.shop.example/", { headers: { "accept-language": "de" } }, "allow"],
  ["GET www.shop.example/", { ip: "198.51.100.9" }, "block", "known-bad-networks"],
  ["GET www.shop.example/", { ip: "10.1.2.3" }, "block", "private-networks"],
  ["GET www.shop.example/", { fields: { "ip.src.country": "KP" } }, "block", "embargo"],
  ["GET www.shop.example/", { fields: { "ip.src.asnum": 64_515 } }, "challenge", "hosting-providers"],
  ["GET www.shop.example/x/.env", {}, "block", "dot-files"],
  ["GET www.shop.example/index.PHP", {}, "block", "script-extensions"],
  ["GET www.shop.example/wp-login", {}, "block", "wordpress"],
  ["TRACE www.shop.example/", {}, "block", "trace-method"],
  ["GET www.shop.example/", { headers: { "user-agent": "SQLMap/1" } }, "block", "scanner-agents"],
  ["GET www.shop.example/", { headers: { "user-agent": "" } }, "challenge", "empty-agent"],
  ["GET www.shop.example/?q=1%2520UNION%2520select", {}, "block", "sql-in-arguments"],
  ["GET admin.shop.example/.env", { ip: "192.0.2.5", claims: admin }, "log", "default-language"],
  ["GET admin.shop.example/", { claims: admin }, "block", "admin-host-from-office"],
  ["GET api.shop.example/health", { ip: "10.1.2.3", claims: {} }, "allow"],
  ["GET api.shop.example/health", { ip: "10.1.2.3" }, "block"],
  ["GET www.shop.example/login", { fields: { "cf.bot_management.score": 5 } }, "challenge", "low-bot-score"],
  [
    "GET www.shop.example/administrator",
    { headers: { "accept-language": "de" } },
    "log",
    "regex-read-as-glob",
  ],
  ["GET www.shop.example/v0/carts", {}, "block", "old-api"],
  ["GET www.shop.example/skip-current-ruleset/v0/", { headers: { "accept-language": "de" } }, "allow"],
  ["POST api.shop.example/v1/orders", { claims: admin }, "block", "json-only"],
  ["POST api.shop.example/v1/orders", { claims: admin, headers: json }, "log", "default-language"],
  ["DELETE api.shop.example/v1/orders/1", { claims: admin }, "log", "default-language"],
  ["DELETE api.shop.example/v1/orders/1", { claims: { role: "user" } }, "block", "only-admins-delete"],
  ["DELETE api.shop.example/v1/orders/1", { claims: { ...admin, ...past } }, "block", "only-admins-delete"],
  ["DELETE api.shop.example/v1/orders/1", {}, "block", "only-admins-delete"],
  ["GET www.shop.example/v1/reports", { claims: { role: "user" } }, "block", "reports-for-analysts"],
  // The rule compares with `ne`: a request without a token passes it.
  ["GET www.shop.example/v1/reports", {}, "log", "default-language"],
  [
    "GET api.shop.example/v1/tenants/7",
    { claims: { tenant: { id: "7" } }, headers: { "x-tenant": "7" } },
    "log",
    "default-language",
  ],
  [
    "GET api.shop.example/v1/tenants/7",
    { claims: { tenant: { id: "8" } }, headers: { "x-tenant": "7" } },
    "block",
    "tenant-of-header",
  ],
  ["GET api.shop.example/v2/x", { claims: { groups: ["staff"] } }, "log", "default-language"],
  ["GET api.shop.example/v2/x", { claims: { groups: "staff" } }, "block", "beta-needs-group"],
  ["GET api.shop.example/v1/transfers", { claims: { acr: 1 } }, "challenge", "level-of-transfers"],
  ["GET api.shop.example/v1/billing", { claims: { aud: ["web", "billing"] } }, "log", "default-language"],
  ["GET api.shop.example/v1/billing", { claims: { aud: "web" } }, "block", "audience"],
  ["GET api.shop.example/v1/orders", { claims: { jti: "jti-2" } }, "block", "revoked-token"],
  [
    "POST partner.shop.example/partner/orders",
    { partner: { scope: "orders:read" } },
    "block",
    "partner-scope",
  ],
  [
    "POST partner.shop.example/partner/orders",
    { partner: { scope: "orders:write" } },
    "log",
    "default-language",
  ],
  ["GET www.shop.example/checkout", { fields: { "ip.src.country": undefined } }, "undecided"],
];

/** Fields without a value are unknown. */
function known(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}

test("there are 40 requests", () => {
  expect(rows).toHaveLength(40);
});

const cases = rows.map(([request, asked, action, rule]) => ({ request, asked, action, rule }));

test.each(cases)("$request with $asked: $action by $rule", async ({ request, asked, action, rule }) => {
  const [method = "", address = ""] = request.split(" ");
  const { claims, partner, headers, ip = "198.51.100.200", fields = {} } = asked;
  const isLogin = address.includes("/login");
  const verdict = await zone.evaluate({
    method,
    url: `https://${address}`,
    headers: {
      "user-agent": "Mozilla/5.0",
      ...(claims && { authorization: `Bearer ${await sign(claims)}` }),
      ...(partner && { "x-partner-token": await sign(partner) }),
      ...headers,
    },
    ip,
    fields: known({ ...usual, ...(isLogin && bots), ...fields }),
  });
  const deciding = verdict.custom?.rule?.description?.replaceAll(" ", "-").replace(/\.$/, "").toLowerCase();
  expect([verdict.action, verdict.action === "block" && rule === undefined ? undefined : deciding]).toEqual([
    action,
    rule,
  ]);
  if (action === "undecided") expect(verdict.custom?.needs).toContain("ip.src.country");
});
