/** Laws of the merge: what several files say about one resource. */
import { type ImportFile, worldFrom } from "edgeproof/world";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResourceKind } from "../../../src/import/reading.ts";
import { runs } from "../../support/runs.ts";
import { config, configId, key, operation, rule, zone, zoneId } from "../terraform/documents.ts";

const hex = "1234567890abcdef1234567890abcdef";
const phase = "http_request_firewall_custom";

/** A resource as the interface answers it, and its decisive members with another value. */
interface Sample {
  readonly object: object;
  readonly others: Readonly<Record<string, unknown>>;
}

const app = {
  id: hex,
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
  edge_ips: { type: "dynamic", connectivity: "all" },
  ip_firewall: false,
  proxy_protocol: "off",
  tls: "off",
  traffic_type: "direct",
};

/** Every kind has a sample: the compiler rejects a kind without one. */
const samples: Readonly<Record<ResourceKind, Sample>> = {
  zone: { object: zone, others: { name: "example.net", account: { id: hex } } },
  token_config: {
    object: config,
    others: {
      token_sources: ['http.request.cookies["t"][0]'],
      credentials: { keys: [{ ...key, kid: "other" }] },
    },
  },
  token_rule: {
    object: { ...rule, selector: { include: [{ host: ["api.example.com"] }] } },
    others: {
      action: "log",
      enabled: false,
      expression: `not is_jwt_valid("${configId}")`,
      selector: { include: [{ host: ["www.example.com"] }] },
    },
  },
  operation: {
    object: { ...operation, operation_id: operation.id },
    others: { method: "POST", host: "www.example.com", endpoint: "/v2" },
  },
  ruleset: {
    object: {
      id: hex,
      name: "default",
      kind: "zone",
      phase,
      version: "1",
      rules: [{ id: "r1", action: "block", expression: "true", enabled: true }],
    },
    others: {
      rules: [{ id: "r1", action: "block", expression: "true", enabled: false }],
      phase: "http_ratelimit",
    },
  },
  rule_list: {
    object: { id: hex, name: "office", kind: "ip", num_items: 1, items: [{ ip: "192.0.2.1" }] },
    others: { name: "home", kind: "asn", items: [{ ip: "192.0.2.2" }] },
  },
  rule_list_item: { object: { id: "i1", ip: "192.0.2.1", created_on: "2026-01-01T00:00:00Z" }, others: {} },
  image_variant: {
    object: {
      id: "hero",
      options: { fit: "cover", width: 10, height: 10, metadata: "none" },
      neverRequireSignedURLs: false,
    },
    others: {
      options: { fit: "cover", width: 11, height: 10, metadata: "none" },
      neverRequireSignedURLs: true,
    },
  },
  image_key: { object: { name: "default", value: "s3cr3t-value" }, others: { value: "an0ther-value" } },
  image_config: {
    object: { flexible_variants: true, browser_ttl: 3_600, preserve_content_credentials: false },
    others: { flexible_variants: false, browser_ttl: 7_200 },
  },
  domain_query: {
    object: {
      query_id: 1,
      query_tag: "shop",
      parameters: { string_matches: [{ pattern: "shop", max_edit_distance: 1 }] },
    },
    others: { parameters: { string_matches: [{ pattern: "shop", max_edit_distance: 0 }] } },
  },
  proxy_application: {
    object: app,
    others: { protocol: "tcp/23", origin_direct: ["tcp://192.0.2.2:22"], tls: "full", ip_firewall: true },
  },
  zone_setting: { object: { id: "image_resizing", value: "on", editable: true }, others: { value: "off" } },
  url_normalization: {
    object: { type: "cloudflare", scope: "incoming" },
    others: { type: "rfc3986", scope: "both" },
  },
  dns_record: {
    object: { id: "d1", name: "a.example.com", type: "A", content: "192.0.2.1", proxied: true },
    others: { proxied: false, name: "b.example.com" },
  },
};

const kinds = Object.keys(samples) as ResourceKind[];
const someKinds = fc.shuffledSubarray(kinds, { minLength: 1 });

function saved(name: string, object: object): ImportFile {
  return { name, text: JSON.stringify({ success: true, errors: [], messages: [], result: [object] }) };
}

const zoneFile = saved("zones.json", zone);
const options = { withSecrets: true, zoneNames: { [zoneId]: "example.com" } };

function filesOf(names: readonly ResourceKind[], folder: string): readonly ImportFile[] {
  return names.map((kind) => saved(`${folder}/${kind}.json`, samples[kind].object));
}

describe("files with the same resources", () => {
  test("a copy of every file changes nothing", () => {
    fc.assert(
      fc.property(someKinds, (names) => {
        const files = [zoneFile, ...filesOf(names, "a")];
        const once = worldFrom(files, options);
        expect(once.report.invalid).toEqual([]);
        const twice = worldFrom([...files, ...files], options);
        expect(twice.world).toEqual(once.world);
        expect({ ...twice.report, formats: [] }).toEqual({ ...once.report, formats: [] });
        const copied = worldFrom([...files, ...filesOf(names, "b")], options);
        expect(copied.world).toEqual(once.world);
        expect(copied.report.invalid).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });

  test("their order does not matter", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(kinds, { minLength: kinds.length }), (names) => {
        const world = (order: readonly ResourceKind[]) =>
          worldFrom([zoneFile, ...filesOf(order, "a"), ...filesOf(order.toReversed(), "b")], options).world;
        expect(world(names)).toEqual(world(kinds));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("files that differ in one member of one resource", () => {
  const changes = kinds.flatMap((kind) =>
    Object.entries(samples[kind].others).map(([member, other]) => ({ kind, member, other })),
  );

  test.each(changes)("are an error that names both: $member of $kind", ({ kind, member, other }) => {
    const changed = saved("newer.json", { ...samples[kind].object, [member]: other });
    const first = saved("older.json", samples[kind].object);
    for (const files of [
      [first, changed],
      [changed, first],
    ]) {
      const { report } = worldFrom([...(kind === "zone" ? [] : [zoneFile]), ...files], options);
      expect(report.invalid.map(({ level }) => level)).toEqual(["error"]);
      expect(report.invalid[0]?.message).toContain("older.json:1:");
      expect(report.invalid[0]?.message).toContain("newer.json:1:");
      expect(JSON.stringify(report.invalid)).not.toMatch(/s3cr3t|an0ther/);
    }
  });
});
