/**
 * The fields of expressions: one entry each (`observed`; the values of an absent member are listed in
 * docs/decisions/0014-custom-rule-facts.md). How they are read is in a table of `values/`.
 */

import { kindsWith, type RuleKind } from "./rule-kinds.ts";
import type { ScalarType, ValueType } from "./types.ts";

/** Where a value is from: what makes it unknown, if anything. */
export const fieldSources = {
  request: "the request",
  claims: "verified tokens",
  clock: "the clock",
  constant: "a constant, unless the test has a value in `fields`",
  ip: "`ip` of the request; unknown without it",
  body: "`body` of the request; unknown without it",
  zone: "the zone, unless the test has a value in `fields`; unknown when neither says it",
  url: "the URL, unless the test has a value in `fields`",
  given: "`fields` of the request; unknown without it",
  phase: "a phase that is not evaluated",
} as const;

/** The name of a source. */
export type FieldSource = keyof typeof fieldSources;

/** The documented values of an integer: `min` to `max`. `others` are the ends of what requests can have, where that is more. */
export interface IntDomain {
  readonly min: number;
  readonly max: number;
  readonly others?: readonly [first: number, last: number];
}

/** The documented values of a string: those that a pattern matches. */
export interface StringDomain {
  readonly pattern: RegExp;
  /** The description in a message, after "is"; absent where the checks have a more exact one. */
  readonly words?: string;
  readonly example?: string;
}

/** The domain of the values of a type; `any` where none is documented. */
type DomainOf<Type extends ValueType> =
  | "any"
  | (Type extends "Int" ? IntDomain : Type extends "String" ? StringDomain : never);

/** Everything about a field of a type; an entry without one of the members does not compile. */
interface EntryOf<Type extends ValueType> {
  /** The type; a map has fields `.names` and `.values` besides it. */
  readonly type: Type;
  /** Where the value is from. */
  readonly source: FieldSource;
  /** The kinds of expressions that have it; by default all but token rules, which have those of the request alone. */
  readonly rules?: readonly RuleKind[];
  /** The documented values. What a test has in `fields` can be another one. */
  readonly domain: DomainOf<Type>;
  /** One sentence, for completion and the reference. */
  readonly help: string;
}

/** Everything about a field. */
export type FieldEntry = { [Type in ValueType]: EntryOf<Type> }[ValueType];

const all = <Type extends ValueType>(
  type: Type,
  source: FieldSource,
  prefix: string,
  names: Readonly<Record<string, string>>,
) =>
  Object.fromEntries(
    Object.entries(names).map(([name, help]) => [
      `${prefix}${name}`,
      { type, source, domain: "any" as const, help },
    ]),
  );

const field = <Type extends ValueType>(
  type: Type,
  source: FieldSource,
  help: string,
  domain: DomainOf<Type> = "any",
): EntryOf<Type> => ({ type, source, domain, help });

const flag = (source: FieldSource, help: string) => field("Bool", source, help);
const integer = (source: FieldSource, help: string, domain?: IntDomain) => field("Int", source, help, domain);
const text = (source: FieldSource, help: string, domain?: StringDomain) =>
  field("String", source, help, domain);
const textLists = (source: FieldSource, help: string) => field("Map<Array<String>>", source, help);

/** Scores, with the value of a request that has none. */
const score = (help: string, without: 0 | 100) =>
  integer("given", help, { min: 1, max: 99, others: without === 0 ? [0, 99] : [1, 100] });

/** Values of a list, which a pattern matches, as a domain. */
const oneOf = (pattern: RegExp, ...values: readonly [string, ...string[]]): StringDomain => ({
  pattern,
  words: `one of ${values.map((value) => `\`${value}\``).join(", ")}`,
  example: values[0],
});

const ofPhases = <Type extends ValueType>(rules: readonly RuleKind[], type: Type, help: string) => ({
  ...field(type, "phase", help),
  rules,
});

/** Whether a kind of rules has a field. */
export function hasField(kind: RuleKind, { source, rules }: FieldEntry): boolean {
  return rules?.includes(kind) ?? (kind !== "token" || source === "request");
}

/** The fields that are read from the request, the clock and tokens; each has a reader. */
export const readFields = {
  "http.host": text("request", "The host of the URL, in lower case, without port.", {
    pattern: /^[^A-Z/:?#]+$/,
  }),
  "http.request.method": text("request", "The method, in upper case.", {
    pattern: /^[^a-z]+$/,
  }),
  "http.request.uri": text("request", "The path, with the query when there is one."),
  "http.request.uri.path": text("request", "The path of the URL, normalized as the zone says.", {
    pattern: /^\/[^?#]*$/,
  }),
  "http.request.uri.path.extension": text(
    "request",
    "The extension of the path, in lower case, without dot.",
    { pattern: /^[^A-Z./]*$/ },
  ),
  "http.request.uri.query": text("request", "The query without its question mark."),
  "http.request.full_uri": text("request", "The URL without fragment."),
  "raw.http.request.uri": text("request", "`http.request.uri` as it was sent."),
  "raw.http.request.uri.path": text("request", "`http.request.uri.path` as it was sent."),
  "raw.http.request.uri.path.extension": text(
    "request",
    "`http.request.uri.path.extension` as it was sent, in lower case.",
  ),
  "raw.http.request.full_uri": text("request", "`http.request.full_uri` as it was sent."),
  "http.request.version": text(
    "request",
    "The version of HTTP; `HTTP/1.1` unless the request has `httpVersion`.",
    oneOf(
      /^(?:HTTP\/(?:0\.9|1\.[0-2]|2|3)|SPDY\/3\.1)$/,
      "HTTP/1.1",
      "HTTP/2",
      "HTTP/3",
      "HTTP/1.0",
      "HTTP/1.2",
      "HTTP/0.9",
      "SPDY/3.1",
    ),
  ),
  "http.cookie": text("request", "The header `cookie`; empty without one."),
  "http.referer": text("request", "The header `referer`; empty without one."),
  "http.user_agent": text("request", "The header `user-agent`; empty without one."),
  "http.x_forwarded_for": text("request", "The header `x-forwarded-for`; empty without one."),
  "http.request.headers": textLists("request", "The values of headers, by names in lower case."),
  "http.request.cookies": textLists("request", "The values of cookies, by decoded names."),
  "http.request.uri.args": textLists("request", "The values of arguments of the query, not decoded."),
  "http.request.headers.truncated": flag("request", "Whether headers were cut off; always false."),
  ssl: flag("request", "Whether the URL is of https."),
  "http.request.timestamp.sec": integer("clock", "The time in seconds since 1970.", {
    min: 1_000_000_000,
    max: 9_999_999_999,
    others: [0, Number.MAX_SAFE_INTEGER],
  }),
  "http.request.timestamp.msec": integer("clock", "The milliseconds of the second, 0 to 999.", {
    min: 0,
    max: 999,
  }),
  "http.request.body.raw": text("body", "The body."),
  "http.request.body.mime": text("body", "The media type of the body, from its header, in lower case.", {
    pattern: /^([^A-Z/]+\/[^A-Z/]+)?$/,
    words: "a media type in lower case",
  }),
  "http.request.body.size": integer("body", "The size of the body in bytes."),
  "http.request.body.truncated": flag("body", "Whether the body was cut off; always false."),
  "http.request.body.form": textLists("body", "The values of a form, not decoded."),
  "ip.src": field("IP", "ip", "The address of the client."),
  "cf.edge.server_port": integer("url", "The port that the client is connected to.", { min: 1, max: 65_535 }),
  "http.request.jwt.claims": textLists("claims", "The claims of the valid token, as JSON, by configuration."),
  "http.request.jwt.claims.aud": textLists("claims", "The claim `aud`, by configuration."),
  "http.request.jwt.claims.iss": textLists("claims", "The claim `iss`, by configuration."),
  "http.request.jwt.claims.jti": textLists("claims", "The claim `jti`, by configuration."),
  "http.request.jwt.claims.sub": textLists("claims", "The claim `sub`, by configuration."),
  "http.request.jwt.claims.iat.sec": field(
    "Map<Array<Int>>",
    "claims",
    "The claim `iat` in whole seconds, by configuration.",
  ),
  "http.request.jwt.claims.nbf.sec": field(
    "Map<Array<Int>>",
    "claims",
    "The claim `nbf` in whole seconds, by configuration.",
  ),
} as const satisfies Readonly<Record<string, FieldEntry>>;

/** A field that has a reader. */
export type ReadFieldName = keyof typeof readFields;

/** The fields that the zone says. */
const zoneFields: Readonly<Record<string, FieldEntry>> = {
  "cf.zone.name": text("zone", "The name of the zone."),
  "cf.zone.plan": text("zone", "The plan of the zone: `FREE`, `PRO`, `BIZ` or `ENT`."),
};

/** The fields that only a test can say. */
const givenFields: Readonly<Record<string, FieldEntry>> = {
  "ip.src.asnum": integer("given", "The number of the autonomous system."),
  "ip.src.country": text("given", "The country, as two letters.", {
    pattern: /^[A-Z][A-Z0-9]$/,
    example: "US",
  }),
  "ip.src.continent": text(
    "given",
    "The continent, as two letters.",
    oneOf(/^(?:AF|AN|AS|EU|NA|OC|SA|T1)$/, "EU", "AF", "AN", "AS", "NA", "OC", "SA", "T1"),
  ),
  ...all("String", "given", "ip.src.", {
    city: "The city.",
    region: "The region.",
    region_code: "The code of the region.",
    postal_code: "The postal code.",
    metro_code: "The metro code.",
    lat: "The latitude.",
    lon: "The longitude.",
    subdivision_1_iso_code: "The code of the first subdivision.",
    subdivision_2_iso_code: "The code of the second subdivision.",
  }),
  "ip.src.is_in_european_union": flag("given", "Whether the country is in the European Union."),
  "cf.bot_management.score": score("The bot score, 1 to 99.", 0),
  "cf.bot_management.verified_bot": flag("given", "Whether it is a verified bot."),
  "cf.bot_management.detection_ids": field("Array<Int>", "given", "The ids of the detections."),
  "cf.client.bot": flag("given", "Whether it is a known good bot."),
  "cf.verified_bot_category": text("given", "The category of a verified bot."),
  "cf.random_seed": text("given", "Random bytes."),
  "cf.waf.score": score("The attack score, 1 to 99.", 100),
  "cf.waf.score.class": text(
    "given",
    "The class of the attack score.",
    oneOf(
      /^(?:attack|likely_attack|likely_clean|clean)$/,
      "attack",
      "likely_attack",
      "likely_clean",
      "clean",
    ),
  ),
  "cf.waf.score.rce": score("The score of remote code execution.", 100),
  "cf.waf.score.sqli": score("The score of SQL injection.", 100),
  "cf.waf.score.xss": score("The score of cross-site scripting.", 100),
  ...all("Bool", "given", "cf.", {
    "api_gateway.auth_id_present": "Whether the request has an identifier of a session of API Shield.",
    "api_gateway.fallthrough_detected": "Whether the request matches no saved operation of API Shield.",
    "api_gateway.request_violates_schema": "Whether the request does not match its schema in API Shield.",
    "bot_management.corporate_proxy": "Whether the request comes through the proxy of a company.",
    "bot_management.js_detection.passed": "Whether the client has passed the detection by JavaScript.",
    "bot_management.static_resource": "Whether the request is for a static file.",
    "edge.client_tcp": "Whether the client is connected by TCP.",
    "tls_client_auth.cert_chain_rfc9440_too_large":
      "Whether the chain of certificates is too large for a header.",
    "tls_client_auth.cert_rfc9440_too_large": "Whether the certificate is too large for a header.",
    "waf.auth_detected": "Whether the request contains credentials.",
    "waf.content_scan.has_failed": "Whether the scan of an uploaded object has failed.",
    "waf.content_scan.has_malicious_obj": "Whether the request has a malicious object.",
    "waf.content_scan.has_obj": "Whether the request has an object to scan.",
    "waf.credential_check.password_leaked": "Whether the password is known to have leaked.",
    "waf.credential_check.username_and_password_leaked":
      "Whether name and password are known to have leaked together.",
    "waf.credential_check.username_leaked": "Whether the user name is known to have leaked.",
    "waf.credential_check.username_password_similar":
      "Whether a similar password is known to have leaked with the name.",
    "llm.prompt.detected": "Whether the request has a prompt of a language model.",
    "llm.prompt.pii_detected": "Whether the prompt has personal data.",
    "llm.prompt.unsafe_topic_detected": "Whether the prompt is about an unsafe topic.",
  }),
  "cf.llm.prompt.injection_score": score("The score of an injection into the prompt, 1 to 99.", 100),
  ...all("Int", "given", "cf.", {
    "edge.l4.delivery_rate": "The estimated rate of delivery to the client, in bytes per second.",
    "llm.prompt.token_count": "The estimated number of tokens of the prompt.",
    "timings.client_quic_rtt_msec": "The round trip to the client by QUIC, in milliseconds.",
    "timings.client_tcp_rtt_msec": "The round trip to the client by TCP, in milliseconds.",
    tls_client_hello_length: "The length of the client's first message of TLS.",
    "waf.content_scan.num_malicious_obj": "The number of malicious objects.",
    "waf.content_scan.num_obj": "The number of objects.",
  }),
  "cf.tls_version": text("given", "The version of TLS, such as `TLSv1.3`.", {
    pattern: /^(SSLv|TLSv|QUIC|none)/,
    words: "a name such as `TLSv1.2`",
  }),
  ...all("String", "given", "cf.", {
    "bot_management.ja3_hash": "The JA3 fingerprint of the client.",
    "bot_management.ja4": "The JA4 fingerprint of the client.",
    "hostname.metadata": "The metadata of the custom hostname, as JSON.",
    ray_id: "The id of the request.",
    tls_cipher: "The cipher of the connection.",
    tls_ciphers_sha1: "The fingerprint (SHA-1) of the client's list of ciphers.",
    "tls_client_auth.cert_chain_rfc9440": "The chain of certificates (RFC 9440).",
    "tls_client_auth.cert_rfc9440": "The certificate (RFC 9440).",
    tls_client_extensions_sha1: "The fingerprint (SHA-1) of the client's extensions of TLS.",
    tls_client_extensions_sha1_le: "The same in little-endian order.",
    tls_client_random: "The random value of the client, in Base64.",
    tls_version: "The version of TLS, such as `TLSv1.3`.",
  }),
  "cf.edge.server_ip": field("IP", "given", "The address that the client is connected to."),
  ...all("Array<String>", "given", "", {
    "cf.waf.content_scan.obj_results": "The result for each scanned object.",
    "cf.waf.content_scan.obj_types": "The media type of each scanned object.",
    "cf.llm.prompt.pii_categories": "The categories of personal data in the prompt.",
    "cf.llm.prompt.unsafe_topic_categories": "The categories of unsafe topics in the prompt.",
  }),
  ...all("Array<Int>", "given", "", {
    "cf.waf.content_scan.obj_sizes": "The size of each scanned object, in bytes.",
  }),
  "cf.llm.prompt.custom_topic_categories": field(
    "Map<Int>",
    "given",
    "The scores of custom topics of the prompt, 1 to 99, by their names.",
  ),
  ...all("Map<Array<String>>", "given", "", {
    "http.request.body.multipart": "The values of a multipart form, by the names of its parts.",
  }),
};

/** The fields with a documented constant. */
const constantFields: Readonly<Record<string, FieldEntry>> = {
  "cf.threat_score": integer("constant", "The threat score, which always is 0.", { min: 0, max: 0 }),
  "cf.worker.upstream_zone": text("constant", "The zone of the worker that sent the request."),
  "cf.tls_client_auth.cert_presented": flag("constant", "Whether the client has a certificate."),
  "cf.tls_client_auth.cert_revoked": flag("constant", "Whether the certificate is revoked."),
  "cf.tls_client_auth.cert_verified": flag("constant", "Whether the certificate is valid."),
  ...all("String", "constant", "cf.tls_client_auth.cert_", {
    issuer_dn: "The issuer.",
    issuer_dn_legacy: "The issuer, in a legacy format.",
    issuer_dn_rfc2253: "The issuer (RFC 2253).",
    subject_dn: "The subject.",
    subject_dn_legacy: "The subject, in a legacy format.",
    subject_dn_rfc2253: "The subject (RFC 2253).",
    issuer_serial: "The serial number of the issuer.",
    issuer_ski: "The key identifier of the issuer.",
    serial: "The serial number.",
    ski: "The key identifier.",
    fingerprint_sha1: "The fingerprint (SHA-1).",
    fingerprint_sha256: "The fingerprint (SHA-256).",
    not_before: "The start of validity.",
    not_after: "The end of validity.",
  }),
};

const { responses, responseHeaders, errors, rewrites, rewriteValues, characteristics } = kindsWith;

/** The fields that only phases have which are not evaluated. */
const phaseFields: Readonly<Record<string, FieldEntry>> = {
  "http.response.code": ofPhases(responses, "Int", "The status of the response."),
  "http.response.headers": ofPhases(responses, "Map<Array<String>>", "The headers of the response."),
  "http.response.content_type.media_type": ofPhases(responses, "String", "The media type of the response."),
  "raw.http.response.headers": ofPhases(responseHeaders, "Map<Array<String>>", "The headers as received."),
  "raw.http.request.headers": ofPhases(rewrites, "Map<Array<String>>", "The headers as received."),
  "cf.response.1xxx_code": ofPhases(errors, "Int", "The code of an error of the provider."),
  "cf.response.error_type": ofPhases(errors, "String", "The type of the error."),
  "cf.timings.edge_msec": ofPhases(responseHeaders, "Int", "Milliseconds in the provider's network."),
  "cf.timings.origin_ttfb_msec": ofPhases(responseHeaders, "Int", "Milliseconds of the origin."),
  "cf.timings.worker_msec": ofPhases(responseHeaders, "Int", "Milliseconds of workers."),
  "http.request.accepted_languages": ofPhases(
    rewrites,
    "Array<String>",
    "The accepted languages, by weight.",
  ),
  "ip.src.timezone.name": ofPhases(rewriteValues, "String", "The time zone of the client."),
  "cf.colo.id": ofPhases(characteristics, "Int", "The data center."),
  "cf.unique_visitor_id": ofPhases(characteristics, "String", "The client, also behind shared addresses."),
};

/** Other names of fields: the same value. */
const aliases: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "asnum",
      "continent",
      "country",
      "is_in_european_union",
      "subdivision_1_iso_code",
      "subdivision_2_iso_code",
    ].map((name) => [`ip.geoip.${name}`, `ip.src.${name}`]),
  ),
  // Queries are not normalized.
  ...Object.fromEntries(
    ["uri.query", "uri.args"].map((name) => [`raw.http.request.${name}`, `http.request.${name}`]),
  ),
};

/** A field, and how its value is found: that of another field, or a part of a map. */
export type KnownField = FieldEntry & {
  /** The field in the tables above. */
  readonly base: string;
  /** The part of the map that the field is; absent for the value itself. */
  readonly part?: "names" | "values";
};

/** All fields by name. */
export const knownFields: ReadonlyMap<string, KnownField> = new Map(
  Object.entries<FieldEntry>({
    ...readFields,
    ...zoneFields,
    ...givenFields,
    ...constantFields,
    ...phaseFields,
  }).flatMap(([base, entry]) => [
    ...expand(base, base, entry),
    ...Object.entries(aliases)
      .filter(([, target]) => target === base)
      .flatMap(([alias]) => expand(alias, base, { ...entry, help: `The same as \`${base}\`.` })),
  ]),
);

/** A field with its fields of names and values. */
function expand(name: string, base: string, entry: FieldEntry): [string, KnownField][] {
  const { type, source, help: _, ...shared } = entry;
  if (!type.startsWith("Map<Array<")) return [[name, { ...entry, base }]];
  const values = type.slice("Map<".length, -1) as `Array<${ScalarType}>`;
  return [
    [name, { ...entry, base }],
    [
      `${name}.names`,
      {
        ...shared,
        ...field("Array<String>", source, `The names in \`${name}\`, each once.`),
        base,
        part: "names",
      },
    ],
    [
      `${name}.values`,
      { ...shared, ...field(values, source, `All values in \`${name}\`.`), base, part: "values" },
    ],
  ];
}
