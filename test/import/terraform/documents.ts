/** Builds files of Terraform for tests. */
import type { ImportFile } from "edgeproof/world";

export const zoneId = "0da42c8d2132a9ddaf714f9e7c920711";
export const configId = "52973293-cb04-4a97-8f55-e7d2ad1107dd";

export const key = {
  alg: "RS256",
  kty: "RSA",
  kid: "web",
  e: "AQAB",
  n: "mmI4KiCPdLEKRV8xW3IeupXVzgR7G1HiWRqGUOmvNfdyEK63LfsSPf8fpTv_HS_tZOMlApVjj4ndRemUKB73bvLxtmEnjU8d97hrxznXu5a7bN6yoQFS8BXTN7XNROBXrlXZ9fdB75aQAfWfbC_6Qk1UNwjBPkE04ZNPcQugCrXt_1f6d5ruQdGsoX3eM9Cug4w4oWlcCNMbRFw3vJlwRxw1VTd5CLUK1wFFRmolnBE3b56JXD7x4oYcPtSATW60LU-t9LrT_LSJ0H8ZlDhlN0m_bL5d-7SOHnSrvQso6xtVbQr4m90FO63jUHk7qFlK8ZQj9Dt0-LKQhMwh37NaGQ",
};

export const config = {
  id: configId,
  zone_id: zoneId,
  title: "Web",
  description: "",
  token_type: "JWT",
  token_sources: ['http.request.headers["authorization"][0]'],
  credentials: { keys: [key] },
};

export const rule = {
  id: "7f1b7a64-2d35-4c5b-9a8e-0d8f2f6f0c11",
  zone_id: zoneId,
  title: "Enforce",
  description: "",
  action: "block",
  enabled: true,
  expression: `is_jwt_valid("${configId}")`,
  selector: { include: [{ host: ["api.example.com"] }], exclude: null },
};

export const operation = {
  id: "f9c5615e-fe15-48ce-bec6-cfc1946f1bec",
  zone_id: zoneId,
  method: "GET",
  host: "api.example.com",
  endpoint: "/v1/orders",
};

export const zone = { id: zoneId, name: "example.com", account: { id: "a67e14daa5f8dceeb91fe5449ba496eb" } };

/** A resource of a state: its type, name, values and other members. */
export type Entry = readonly [type: string, name: string, values: object, more?: object];

const entryTypes = {
  config: "cloudflare_token_validation_config",
  rule: "cloudflare_token_validation_rules",
  operation: "cloudflare_api_shield_operation",
  zone: "cloudflare_zone",
  app: "cloudflare_spectrum_application",
  setting: "cloudflare_zone_setting",
  normalization: "cloudflare_url_normalization_settings",
} as const;

export function entry(kind: keyof typeof entryTypes, name: string, values: object, more: object = {}): Entry {
  return [entryTypes[kind], name, values, more];
}

function resourceOf([type, name, values, more = {}]: Entry) {
  return { address: `${type}.${name}`, mode: "managed", type, name, values, sensitive_values: {}, ...more };
}

export function stateFile(...entries: readonly Entry[]): ImportFile {
  const root_module = { resources: entries.map(resourceOf) };
  const state = { format_version: "1.0", terraform_version: "1.11.4", values: { root_module } };
  return { name: "state.json", text: JSON.stringify(state, null, 2) };
}

/** A change that creates a resource; `more` has `after_unknown` and other members of the change. */
export function planFile(entries: readonly Entry[], more: object = {}): ImportFile {
  const resource_changes = entries.map(([type, name, after, change = {}]) => ({
    address: `${type}.${name}`,
    mode: "managed",
    type,
    name,
    change: { actions: ["create"], before: null, after, after_unknown: {}, after_sensitive: {}, ...change },
  }));
  return {
    name: "plan.json",
    text: JSON.stringify({ format_version: "1.2", resource_changes, ...more }, null, 2),
  };
}

export function testFile(...entries: readonly Entry[]): ImportFile {
  const records = [
    { "@module": "terraform.ui", type: "version", terraform: "1.11.4" },
    {
      "@module": "terraform.ui",
      type: "test_state",
      "@testrun": "world",
      test_state: { state_format_version: "1.0", root_module: { resources: entries.map(resourceOf) } },
    },
  ];
  return { name: "test.ndjson", text: records.map((record) => `${JSON.stringify(record)}\n`).join("") };
}
