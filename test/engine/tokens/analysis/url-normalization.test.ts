import { analyze, auditOperations, compareZones, suiteFor } from "edgeproof/analysis";
import { compileZone, type UrlNormalization, type ZoneInput } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";
import { readRawPath } from "../../../../src/engine/tokens/zone/target.ts";
import { normalizeUrlPath } from "../../../../src/engine/tokens/zone/url-normalization.ts";
import { configs } from "../zone-fixture.ts";

const host = "api.example.com";
const incoming = { type: "cloudflare", scope: "incoming" } as const;
const rfc3986 = { type: "rfc3986", scope: "incoming" } as const;
const [config] = configs;
const operations = [
  { operation_id: "admin", method: "GET", host, endpoint: "/admin/{x}" },
  { operation_id: "home", method: "GET", host, endpoint: "/home" },
];

/** Requests without a valid token are blocked below a prefix. */
function zoneOf(url_normalization: UrlNormalization | undefined, condition?: string): ZoneInput {
  const guard = `starts_with(http.request.uri.path, "/admin/") and not lookup_json_string(http.request.jwt.claims["${config?.id}"][0], "sub") eq "u1"`;
  const rule = { id: "2".repeat(32), action: "block" as const, expression: condition ?? guard };
  const entry = { id: "1".repeat(32), name: "entry", kind: "zone" as const, rules: [rule] };
  return {
    configs: configs.slice(0, 1),
    rules: [],
    operations,
    rulesets: [{ ...entry, phase: "http_request_firewall_custom" }],
    ...(url_normalization && { url_normalization }),
  };
}

const documented = operations.slice(0, 1).map((operation) => ({
  ...operation,
  security: [[{ name: "token", source: config?.token_sources[0] ?? "" }]],
}));

describe("the audit of a zone that is protected by a prefix", () => {
  const outcomeOf = (setting: UrlNormalization | undefined) => {
    const [audited] = auditOperations(zoneOf(setting), documented).operations;
    return [audited?.outcome, audited?.contradiction?.request.url];
  };

  test("finds it protected when URLs are normalized", () => {
    expect(outcomeOf(incoming)).toStrictEqual(["protected", undefined]);
    expect(outcomeOf(rfc3986)).toStrictEqual(["protected", undefined]);
  });

  test("finds an encoded path without normalization", () => {
    for (const setting of [undefined, { type: "cloudflare", scope: "none" } as const])
      expect(outcomeOf(setting)).toStrictEqual([
        "unprotected",
        expect.stringMatching(/^https:\/\/api\.example\.com\/.*%/),
      ]);
  });
});

describe("the suite of a zone with a rule for a prefix", () => {
  const rule = {
    id: "r",
    action: "block" as const,
    enabled: true,
    expression: `not starts_with(http.request.uri.path, "/admin/") or is_jwt_valid("${config?.id}")`,
    selector: { include: [{ host: [host] }] },
  };
  const withRule = (setting: UrlNormalization | undefined): ZoneInput => {
    const { rulesets, ...zone } = zoneOf(setting);
    return { ...zone, rules: [rule] };
  };

  /** The paths without the prefix that normalization would give it, of requests that are allowed. */
  const missedBy = (setting: UrlNormalization | undefined) =>
    suiteFor(withRule(setting)).requests.flatMap(({ request, expected }) => {
      const path = readRawPath(request.url);
      const isMissed = !path.startsWith("/admin/") && expected.action === "allow";
      return isMissed && normalizeUrlPath(path, "cloudflare").startsWith("/admin/") ? [path] : [];
    });

  test("pins a path that the rule misses only without normalization", () => {
    expect(missedBy(undefined)).not.toStrictEqual([]);
    expect(missedBy(incoming)).toStrictEqual([]);
  });

  test("expects of requests without tokens what the engine answers", async () => {
    const zone = await compileZone(zoneOf(rfc3986));
    const { requests } = suiteFor(zoneOf(rfc3986));
    const plain = requests.filter(({ request }) => Object.keys(request.headers ?? {}).length === 0);
    expect(plain.length).toBeGreaterThan(2);
    for (const { request, expected } of plain)
      expect((await zone.evaluate(request)).action).toBe(expected.action);
  });
});

describe("the analysis", () => {
  const checksOf = (condition: string, setting: UrlNormalization | undefined) =>
    analyze(zoneOf(setting, condition)).map(({ rule }) => rule);

  for (const [text, isPossible] of [
    ["//", { none: true, rfc3986: true, cloudflare: false }],
    ["/../", { none: false, rfc3986: false, cloudflare: false }],
    ["%61", { none: true, rfc3986: false, cloudflare: false }],
    ["%2f", { none: true, rfc3986: false, cloudflare: false }],
    ["%2F", { none: true, rfc3986: true, cloudflare: true }],
    ["|", { none: true, rfc3986: false, cloudflare: false }],
    ["%7C", { none: true, rfc3986: true, cloudflare: true }],
  ] as const)
    test(`knows whether a path can contain ${JSON.stringify(text)}`, () => {
      for (const [name, setting] of [
        ["none", undefined],
        ["rfc3986", rfc3986],
        ["cloudflare", incoming],
      ] as const)
        for (const test of [
          `http.request.uri.path contains "${text}"`,
          `http.request.uri eq "/a${text}b?${text}"`,
        ])
          expect(checksOf(test, setting).includes("never-matches"), `${name} ${test}`).toBe(
            !isPossible[name],
          );
    });

  test("does not look into the path as it was sent", () => {
    for (const setting of [undefined, incoming])
      for (const condition of ["/../", "%61", "//"])
        expect(checksOf(`raw.http.request.uri.path contains "${condition}"`, setting)).toContain(
          "not-analyzed",
        );
  });

  test("knows the paths of token rules", () => {
    const selector = { include: [{ host: [host] }] };
    const rule = { id: "r", action: "block", enabled: true, selector } as const;
    const checks = (expression: string, url_normalization: UrlNormalization) =>
      analyze({ configs: [], rules: [{ ...rule, expression }], operations, url_normalization }).map(
        (diagnostic) => diagnostic.rule,
      );
    const encoded = 'http.request.uri.path contains "%61"';
    expect(checks(encoded, incoming)).toContain("always-false");
    expect(checks(encoded, { ...incoming, scope: "none" })).not.toContain("always-false");
  });
});

describe("compareZones", () => {
  test("compares requests that neither zone changes, and does not decide on others", () => {
    expect(compareZones(zoneOf(incoming), zoneOf({ ...incoming, scope: "both" }))).toStrictEqual({
      result: "equivalent",
    });
    const compared = compareZones(zoneOf(incoming), zoneOf(undefined));
    expect(compared).toMatchObject({ result: "undecided", reason: expect.stringContaining("normalize") });
    const other = compareZones(zoneOf(incoming), zoneOf(undefined, "ssl"));
    expect(other.result).toBe("different");
  });

  test("finds zones equal that differ on paths that no request has", () => {
    const encoded = (text: string) => `http.request.uri.path in {"/home" "/${text}"}`;
    expect(compareZones(zoneOf(incoming, encoded("%61")), zoneOf(incoming, encoded("b//c"))).result).toBe(
      "equivalent",
    );
    expect(compareZones(zoneOf(rfc3986, encoded("%61")), zoneOf(rfc3986, encoded("b//c"))).result).toBe(
      "different",
    );
  });
});
