/** The world of the demo: the API of a small shop with two identity providers. */
import type { World } from "../../service/world/schema.ts";
import { type MintedKey, mintKey } from "../../testing/tokens/mint.ts";

/** The keys that sign the tokens of the demo. `stranger` is in no configuration but has the kid of a configured key. */
export interface DemoKeys {
  readonly staff: MintedKey;
  readonly staffNext: MintedKey;
  readonly partner: MintedKey;
  readonly stranger: MintedKey;
}

export async function mintDemoKeys(): Promise<DemoKeys> {
  const [staff, staffNext, partner, stranger] = await Promise.all([
    mintKey("RS256", "staff-2026-1"),
    mintKey("PS256", "staff-2026-2"),
    mintKey("ES256", "partner-1"),
    mintKey("RS256", "staff-2026-1"),
  ]);
  return { staff, staffNext, partner, stranger };
}

export const demoZone = "shop";

export const staffId = "6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a11";
const partnerId = "b7d2a4c0-53c6-4c1b-9a55-3f0d9f0c1e22";
const host = "api.shop.example";
const everywhere = { include: [{ host: [host] }] };

const staffValid = `is_jwt_valid("${staffId}")`;
const partnerValid = `is_jwt_valid("${partnerId}")`;

export function demoWorld({ staff, staffNext, partner }: DemoKeys): World {
  const staffConfig = {
    id: staffId,
    title: "Staff identity provider",
    token_sources: ['http.request.headers["authorization"][0]', 'http.request.cookies["session"][0]'],
    credentials: { keys: [staff.jwk, staffNext.jwk] },
  };
  const partnerConfig = {
    id: partnerId,
    title: "Partner identity provider",
    token_sources: ['http.request.headers["x-partner-token"][0]'],
    credentials: { keys: [partner.jwk] },
  };
  const token_validation = { operations, configs: [staffConfig, partnerConfig], rules };
  return { zones: [{ id: demoZone, name: "shop.example", token_validation }] };
}

const operations = [
  ["list-products", "GET", "/v1/products"],
  ["get-product", "GET", "/v1/products/{id}"],
  ["place-order", "POST", "/v1/orders"],
  ["get-order", "GET", "/v1/orders/{id}"],
  ["preflight-order", "OPTIONS", "/v1/orders"],
  ["login", "POST", "/v1/login"],
  ["partner-feed", "GET", "/v1/partners/{partner}/feed"],
  ["admin-report", "GET", "/v1/admin/reports/{id}"],
].map(([operation_id = "", method = "", endpoint = ""]) => ({ operation_id, method, host, endpoint }));

/** A selector of the whole host that excludes every operation but these. */
function only(...ids: readonly string[]) {
  const others = operations.map((o) => o.operation_id).filter((id) => !ids.includes(id));
  return { ...everywhere, exclude: [{ operation_ids: others }] };
}

const rules: NonNullable<NonNullable<NonNullable<World["zones"]>[number]["token_validation"]>["rules"]> = [
  {
    id: "c0a7c2d4-1f0e-4b6a-8d57-2a4f9c3e1b01",
    title: "Trial: staff only, everywhere",
    action: "block",
    enabled: false,
    expression: staffValid,
    selector: everywhere,
  },
  {
    id: "c0a7c2d4-1f0e-4b6a-8d57-2a4f9c3e1b02",
    title: "Products: count anonymous readers",
    action: "log",
    expression: `${staffValid} or ${partnerValid}`,
    selector: only("list-products", "get-product"),
  },
  {
    id: "c0a7c2d4-1f0e-4b6a-8d57-2a4f9c3e1b03",
    title: "Orders: staff, and preflights as they are",
    action: "block",
    expression: `http.request.method eq "OPTIONS" or ${staffValid}`,
    selector: only("place-order", "get-order", "preflight-order"),
  },
  {
    id: "c0a7c2d4-1f0e-4b6a-8d57-2a4f9c3e1b04",
    title: "Partner feed: partners or staff",
    action: "block",
    expression: `${partnerValid} or ${staffValid}`,
    selector: only("partner-feed"),
  },
  {
    id: "c0a7c2d4-1f0e-4b6a-8d57-2a4f9c3e1b05",
    title: "Admin: staff, and never with a partner's token",
    action: "block",
    expression: `${staffValid} and not is_jwt_present("${partnerId}")`,
    selector: only("admin-report"),
  },
];
