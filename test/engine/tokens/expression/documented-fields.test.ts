/** The fields of request phases that the provider documents (its public reference of fields, read in November 2026): each is known with its type. */
import { compileZone } from "edgeproof/tokens";
import { expect, test } from "vitest";
import { knownFields } from "../../../../src/engine/tokens/expression/language/fields.ts";

const documented: Readonly<Record<string, string>> = {
  Bool: `
    cf.api_gateway.auth_id_present
    cf.api_gateway.fallthrough_detected
    cf.api_gateway.request_violates_schema
    cf.bot_management.corporate_proxy
    cf.bot_management.js_detection.passed
    cf.bot_management.static_resource
    cf.bot_management.verified_bot
    cf.client.bot
    cf.edge.client_tcp
    cf.tls_client_auth.cert_presented
    cf.tls_client_auth.cert_revoked
    cf.tls_client_auth.cert_verified
    cf.tls_client_auth.cert_chain_rfc9440_too_large
    cf.tls_client_auth.cert_rfc9440_too_large
    cf.waf.auth_detected
    cf.waf.content_scan.has_failed
    cf.waf.content_scan.has_malicious_obj
    cf.waf.content_scan.has_obj
    cf.waf.credential_check.password_leaked
    cf.waf.credential_check.username_and_password_leaked
    cf.waf.credential_check.username_leaked
    cf.waf.credential_check.username_password_similar
    cf.llm.prompt.detected
    cf.llm.prompt.pii_detected
    cf.llm.prompt.unsafe_topic_detected
    ip.src.is_in_european_union
    ssl
    http.request.body.truncated
    http.request.headers.truncated`,
  Int: `
    cf.bot_management.score
    cf.edge.l4.delivery_rate
    cf.edge.server_port
    cf.llm.prompt.injection_score
    cf.llm.prompt.token_count
    cf.threat_score
    cf.timings.client_quic_rtt_msec
    cf.timings.client_tcp_rtt_msec
    cf.tls_client_hello_length
    cf.waf.content_scan.num_malicious_obj
    cf.waf.content_scan.num_obj
    cf.waf.score
    cf.waf.score.rce
    cf.waf.score.sqli
    cf.waf.score.xss
    http.request.body.size
    http.request.timestamp.msec
    http.request.timestamp.sec
    ip.src.asnum`,
  String: `
    cf.bot_management.ja3_hash
    cf.bot_management.ja4
    cf.hostname.metadata
    cf.random_seed
    cf.ray_id
    cf.tls_cipher
    cf.tls_ciphers_sha1
    cf.tls_client_auth.cert_chain_rfc9440
    cf.tls_client_auth.cert_fingerprint_sha1
    cf.tls_client_auth.cert_fingerprint_sha256
    cf.tls_client_auth.cert_issuer_dn
    cf.tls_client_auth.cert_issuer_dn_legacy
    cf.tls_client_auth.cert_issuer_dn_rfc2253
    cf.tls_client_auth.cert_issuer_serial
    cf.tls_client_auth.cert_issuer_ski
    cf.tls_client_auth.cert_not_after
    cf.tls_client_auth.cert_not_before
    cf.tls_client_auth.cert_rfc9440
    cf.tls_client_auth.cert_serial
    cf.tls_client_auth.cert_ski
    cf.tls_client_auth.cert_subject_dn
    cf.tls_client_auth.cert_subject_dn_legacy
    cf.tls_client_auth.cert_subject_dn_rfc2253
    cf.tls_client_extensions_sha1
    cf.tls_client_extensions_sha1_le
    cf.tls_client_random
    cf.tls_version
    cf.verified_bot_category
    cf.waf.score.class
    cf.worker.upstream_zone
    cf.zone.name
    cf.zone.plan
    http.cookie
    http.host
    http.referer
    http.request.body.mime
    http.request.body.raw
    http.request.full_uri
    http.request.method
    http.request.uri
    http.request.uri.path
    http.request.uri.path.extension
    http.request.uri.query
    http.request.version
    http.user_agent
    http.x_forwarded_for
    ip.src.city
    ip.src.continent
    ip.src.country
    ip.src.lat
    ip.src.lon
    ip.src.metro_code
    ip.src.postal_code
    ip.src.region
    ip.src.region_code
    ip.src.subdivision_1_iso_code
    ip.src.subdivision_2_iso_code
    raw.http.request.full_uri
    raw.http.request.uri
    raw.http.request.uri.path
    raw.http.request.uri.path.extension
    raw.http.request.uri.query`,
  IP: `
    ip.src
    cf.edge.server_ip`,
  "Array<String>": `
    http.request.body.form.names
    http.request.body.form.values
    cf.waf.content_scan.obj_results
    cf.waf.content_scan.obj_types
    cf.llm.prompt.pii_categories
    cf.llm.prompt.unsafe_topic_categories
    http.request.headers.names
    http.request.headers.values
    http.request.uri.args.names
    http.request.uri.args.values
    http.request.jwt.claims.aud.names
    raw.http.request.uri.args.names
    http.request.body.multipart.values`,
  "Array<Int>": `
    cf.waf.content_scan.obj_sizes
    cf.bot_management.detection_ids`,
  Map: `
    http.request.headers
    http.request.cookies
    http.request.uri.args
    http.request.body.form
    http.request.body.multipart
    cf.llm.prompt.custom_topic_categories
    http.request.jwt.claims`,
};

test.each([
  ['cf.llm.prompt.custom_topic_categories["a b"] lt 30', "block"],
  ['cf.llm.prompt.custom_topic_categories["c"] lt 30', "allow"],
  ['has_key(cf.llm.prompt.custom_topic_categories, "a b")', "block"],
  ["has_value(cf.llm.prompt.custom_topic_categories, 12)", "block"],
])("a map of integers: %s is %s", async (expression, action) => {
  const rules = [{ id: "r", action: "block", expression }] as const;
  const phase = "http_request_firewall_custom";
  const zone = await compileZone({
    configs: [],
    rules: [],
    rulesets: [{ id: "z", kind: "zone", phase, rules }],
  });
  const request = { method: "GET", url: "https://example.com/", headers: [] };
  const fields = { "cf.llm.prompt.custom_topic_categories": { "a b": 12 } };
  expect(zone.evaluateSync({ ...request, fields }).action).toBe(action);
  expect(zone.evaluateSync(request).action).toBe("undecided");
});

test.each(Object.entries(documented))("fields of type %s", (type, names) => {
  for (const name of names.trim().split(/\s+/)) {
    const found = knownFields.get(name)?.type;
    expect([name, type === "Map" ? found?.startsWith("Map<") : found]).toEqual([
      name,
      type === "Map" ? true : type,
    ]);
  }
});
