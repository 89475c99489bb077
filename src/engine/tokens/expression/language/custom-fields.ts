/**
 * The fields of custom rules: one entry each (`observed`; the values of an absent member are listed in
 * docs/decisions/0014-custom-rule-facts.md). How they are read is in a table of `custom/`.
 */

import type { CustomType } from "./custom-types.ts";

/** Where a value is from: what makes it unknown, if anything. */
export const fieldSources = {
  request: "the request",
  claims: "verified tokens",
  clock: "the clock",
  constant: "a constant, unless the test has a value in `fields`",
  ip: "`ip` of the request; unknown without it",
  body: "`body` of the request; unknown without it",
  given: "`fields` of the request; unknown without it",
} as const;

/** The name of a source. */
export type FieldSource = keyof typeof fieldSources;

/** Everything about a field of custom rules; an entry without one of the members does not compile. */
export interface CustomFieldEntry {
  /** The type; a map has fields `.names` and `.values` besides it. */
  readonly type: CustomType;
  /** Where the value is from. */
  readonly source: FieldSource;
  /** One sentence, for completion and the reference. */
  readonly help: string;
}

const texts = (source: FieldSource, prefix: string, names: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(names).map(([name, help]) => [
      `${prefix}${name}`,
      { type: "String" as const, source, help },
    ]),
  );

const flag = (source: FieldSource, help: string) => ({ type: "Bool" as const, source, help });
const integer = (source: FieldSource, help: string) => ({ type: "Int" as const, source, help });
const text = (source: FieldSource, help: string) => ({ type: "String" as const, source, help });
const textLists = (source: FieldSource, help: string) => ({
  type: "Map<Array<String>>" as const,
  source,
  help,
});

/** The fields that are read from the request, the clock and tokens; each has a reader. */
export const readFields = {
  "http.host": text("request", "The host of the URL, in lower case, without port."),
  "http.request.method": text("request", "The method, in upper case."),
  "http.request.uri": text("request", "The path, with the query when there is one."),
  "http.request.uri.path": text("request", "The path of the URL."),
  "http.request.uri.path.extension": text(
    "request",
    "The extension of the path, in lower case, without dot.",
  ),
  "http.request.uri.query": text("request", "The query without its question mark."),
  "http.request.full_uri": text("request", "The URL without fragment."),
  "http.request.version": text(
    "request",
    "The version of HTTP; `HTTP/1.1` unless the request has `httpVersion`.",
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
  "http.request.timestamp.sec": integer("clock", "The time in seconds since 1970."),
  "http.request.timestamp.msec": integer("clock", "The milliseconds of the second, 0 to 999."),
  "http.request.body.raw": text("body", "The body."),
  "http.request.body.mime": text("body", "The media type of the body, from its header, in lower case."),
  "http.request.body.size": integer("body", "The size of the body in bytes."),
  "http.request.body.truncated": flag("body", "Whether the body was cut off; always false."),
  "http.request.body.form": textLists("body", "The values of a form, not decoded."),
  "ip.src": { type: "IP", source: "ip", help: "The address of the client." },
  "http.request.jwt.claims": textLists("claims", "The claims of the valid token, as JSON, by configuration."),
  "http.request.jwt.claims.aud": textLists("claims", "The claim `aud`, by configuration."),
  "http.request.jwt.claims.iss": textLists("claims", "The claim `iss`, by configuration."),
  "http.request.jwt.claims.jti": textLists("claims", "The claim `jti`, by configuration."),
  "http.request.jwt.claims.sub": textLists("claims", "The claim `sub`, by configuration."),
  "http.request.jwt.claims.iat.sec": {
    type: "Map<Array<Int>>",
    source: "claims",
    help: "The claim `iat` in whole seconds, by configuration.",
  },
  "http.request.jwt.claims.nbf.sec": {
    type: "Map<Array<Int>>",
    source: "claims",
    help: "The claim `nbf` in whole seconds, by configuration.",
  },
} as const satisfies Readonly<Record<string, CustomFieldEntry>>;

/** A field that has a reader. */
export type ReadFieldName = keyof typeof readFields;

/** The fields that only a test can say. */
const givenFields: Readonly<Record<string, CustomFieldEntry>> = {
  "ip.src.asnum": integer("given", "The number of the autonomous system."),
  ...texts("given", "ip.src.", {
    country: "The country, as two letters.",
    continent: "The continent, as two letters.",
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
  "cf.bot_management.score": integer("given", "The bot score, 1 to 99."),
  "cf.bot_management.verified_bot": flag("given", "Whether it is a verified bot."),
  "cf.bot_management.detection_ids": {
    type: "Array<Int>",
    source: "given",
    help: "The ids of the detections.",
  },
  "cf.client.bot": flag("given", "Whether it is a known good bot."),
  "cf.verified_bot_category": text("given", "The category of a verified bot."),
  "cf.random_seed": text("given", "Random bytes."),
  "cf.waf.score": integer("given", "The attack score, 1 to 99."),
  "cf.waf.score.class": text("given", "The class of the attack score."),
  "cf.waf.score.rce": integer("given", "The score of remote code execution."),
  "cf.waf.score.sqli": integer("given", "The score of SQL injection."),
  "cf.waf.score.xss": integer("given", "The score of cross-site scripting."),
};

/** The fields with a documented constant. */
const constantFields: Readonly<Record<string, CustomFieldEntry>> = {
  "cf.threat_score": integer("constant", "The threat score, which always is 0."),
  "cf.worker.upstream_zone": text("constant", "The zone of the worker that sent the request."),
  "cf.tls_client_auth.cert_presented": flag("constant", "Whether the client has a certificate."),
  "cf.tls_client_auth.cert_revoked": flag("constant", "Whether the certificate is revoked."),
  "cf.tls_client_auth.cert_verified": flag("constant", "Whether the certificate is valid."),
  ...texts("constant", "cf.tls_client_auth.cert_", {
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
  ...Object.fromEntries(
    ["uri", "uri.path", "uri.path.extension", "uri.query", "uri.args", "full_uri"].map((name) => [
      `raw.http.request.${name}`,
      `http.request.${name}`,
    ]),
  ),
};

/** A field, and how its value is found: that of another field, or a part of a map. */
export interface CustomField extends CustomFieldEntry {
  /** The field in the tables above. */
  readonly base: string;
  /** The part of the map that the field is; absent for the value itself. */
  readonly part?: "names" | "values";
}

/** All fields by name. */
export const customFields: ReadonlyMap<string, CustomField> = new Map(
  Object.entries<CustomFieldEntry>({ ...readFields, ...givenFields, ...constantFields }).flatMap(
    ([base, entry]) => [
      ...expand(base, base, entry),
      ...Object.entries(aliases)
        .filter(([, target]) => target === base)
        .flatMap(([alias]) => expand(alias, base, { ...entry, help: `The same as \`${base}\`.` })),
    ],
  ),
);

/** A field with its fields of names and values. */
function expand(name: string, base: string, entry: CustomFieldEntry): [string, CustomField][] {
  const { type, source } = entry;
  if (!type.startsWith("Map<")) return [[name, { ...entry, base }]];
  const values = type.slice("Map<".length, -1) as CustomType;
  const namesHelp = `The names in \`${name}\`, each once.`;
  return [
    [name, { ...entry, base }],
    [`${name}.names`, { type: "Array<String>", source, help: namesHelp, base, part: "names" }],
    [`${name}.values`, { type: values, source, help: `All values in \`${name}\`.`, base, part: "values" }],
  ];
}

/** The phases of fields that custom rules lack, by their names or, with a final dot, the starts of their names (`observed`; phase names `chosen`). */
const otherPhases: Readonly<Record<string, string>> = {
  "http.response.": "http_response_headers_transform",
  "ip.src.timezone.name": "http_request_transform",
  "http.request.accepted_languages": "http_request_transform",
};

/** The phase that has a field which custom rules lack; undefined for all other names. */
export function phaseOfField(name: string): string | undefined {
  return Object.entries(otherPhases).find(([start]) =>
    start.endsWith(".") ? name.startsWith(start) : name === start,
  )?.[1];
}
