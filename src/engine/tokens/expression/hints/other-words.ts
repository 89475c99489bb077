/** Words and signs of other languages, and what they are in an expression (`chosen`, from public reports and other products). */

import type { FunctionName } from "../language/functions.ts";
import { type OperatorName, operators } from "../language/operators.ts";
import type { Combinator } from "../tree.ts";

/** A comparison of a value with an operand: by an operator, or by a function of both. */
export interface Comparing {
  readonly name: OperatorName | "starts_with" | "ends_with";
  readonly isNegated: boolean;
}

/** The spellings of comparisons: words without `_`, `-` and white space, in lower case; and signs. */
const spellings: { readonly [N in Comparing["name"]]?: string } = {
  eq: "eq equal equals equalto is isequalto same === = := : ≡",
  ne: "ne neq notequal notequals notequalto doesnotequal isnot isnotequalto !== <> =! ≠ not!",
  lt: "lt less lessthan islessthan below under",
  le: "le lte lessthanorequal lessorequal lessthanorequalto atmost =< ≤",
  gt: "gt greater greaterthan isgreaterthan morethan above over",
  ge: "ge gte greaterthanorequal greaterorequal greaterthanorequalto atleast => ≥",
  in: "in isin oneof isoneof within inside inlist isinlist inset inrange iniprange memberof anyof isanyof ∈",
  bitwise_and: "bitwiseand bitand",
  contains:
    "contains contain containsany containsanyof containsoneof icontains include includes has hasany *=",
  wildcard: "wildcard like ilike glob globs wildcards matcheswildcard wildcardmatch fnmatch",
  "strict wildcard": "strictwildcard",
  matches:
    "matches match matchesregex matchregex matchesany regex regexp regexmatch regexmatches rlike similarto rx =~ ~= ~* ~~",
  starts_with:
    "startswith startwith beginswith beginwith begins starts prefix hasprefix startswithany istartswith ^=",
  ends_with: "endswith endwith ends suffix hassuffix endswithany iendswith $=",
};

const negations = ["not", "isnot", "doesnot", "donot", "doesnt", "!"];

/** Spellings of a negation in one word. */
const negatedSpellings: { readonly [N in "in" | "contains" | "matches"]: string } = {
  in: "nin noneof ∉",
  contains: "excludes exclude",
  matches: "!~",
};

/** The operators of the language of expressions by their spellings. */
const own: ReadonlyMap<string, OperatorName> = new Map(
  Object.values(operators).flatMap((table) =>
    Object.entries(table).flatMap(([name, { form }]) =>
      [name, ...form].map((spelling): [string, OperatorName] => [spelling, name as OperatorName]),
    ),
  ),
);

const comparings: ReadonlyMap<string, Comparing> = new Map([
  ...entries(spellings, true, negations),
  ...entries(negatedSpellings, true, [""]),
  ...entries(spellings, false, [""]),
]);

/** Whether an operator has this spelling in the language of expressions. */
export const isOperator = (written: string): boolean => own.has(written);

function entries(
  table: Readonly<Partial<Record<Comparing["name"], string>>>,
  isNegated: boolean,
  starts: readonly string[],
): [string, Comparing][] {
  return (Object.entries(table) as [Comparing["name"], string][]).flatMap(([name, words]) =>
    words
      .split(" ")
      .flatMap((word) => starts.map((start): [string, Comparing] => [start + word, { name, isNegated }])),
  );
}

/** The comparison that a word, several words or a sign stand for; undefined for others. */
export function comparingOf(written: string): Comparing | undefined {
  const name = own.get(written);
  if (name !== undefined) return { name, isNegated: false };
  return comparings.get(written.toLowerCase().replace(/[\s_-]+/g, ""));
}

/** Signs and words between tests. */
export const otherCombinators: ReadonlyMap<string, Combinator> = new Map<string, Combinator>([
  ["&", "and"],
  ["&&&", "and"],
  ["|", "or"],
  ["|||", "or"],
  ["^", "xor"],
]);

/** Names of fields in lower case with `_` for `-`, without `http.`, `request.` and `uri.` at their start. */
const fieldSpellings: Readonly<Record<string, string>> = {
  "http.request.uri.path": "path url.path url_path pathname uri_path filename",
  "http.request.uri": "request_uri",
  "http.request.full_uri": "url full_url fulluri fullurl uri_full href",
  "http.request.uri.query": "query query_string querystring querystrings url.query search",
  "http.request.uri.args": "args arg params param query_params parameters query.args url.args get",
  "http.request.uri.path.extension": "extension file_extension ext path.ext",
  "http.request.method": "method verb http_method request_method",
  "http.request.version": "version http_version protocol",
  "http.host": "host hostname host_name server_name domain headers.host header.host url.host authority",
  "http.user_agent": "user_agent useragent ua agent headers.user_agent header.user_agent headers.useragent",
  "http.referer": "referer referrer headers.referer header.referer headers.referrer",
  "http.cookie": "cookie headers.cookie header.cookie",
  "http.x_forwarded_for": "headers.x_forwarded_for header.x_forwarded_for xff",
  "http.request.headers": "header headers",
  "http.request.cookies": "cookies",
  "http.request.body.raw": "body raw_body",
  "http.request.body.size": "body_size content_length body.length",
  "http.request.body.mime": "content_type mime headers.content_type",
  "http.request.body.form": "form post post_args form_data",
  "http.request.timestamp.sec": "timestamp time now",
  ssl: "https scheme tls ssl.enabled is_https http.ssl",
  "ip.src":
    "ip ip.address ip.addr ip.source ip.client ip.remote client.ip client_ip remote_addr remote_ip src.ip source.ip source_ip src_ip origin.ip ip.src.ip ip.src.address ip.src_addr cf.client_ip cf.connecting_ip connecting_ip headers.cf_connecting_ip",
  "ip.src.country":
    "country country_code ip.country ip.country_code ip.src.country_code ip.geo.country geoip.country geo.country geo.country_code ip.geoip.country_code ip.geoip cf.country cf.ipcountry client.country origin.region_code headers.cf_ipcountry",
  "ip.src.continent": "continent ip.continent geo.continent",
  "ip.src.city": "city ip.city ip.geoip.city geo.city",
  "ip.src.region": "region ip.region ip.geoip.region geo.region",
  "ip.src.asnum":
    "asn asnum as_number ip.asn ip.asnum ip.src.asn ip.geoip.asn ip.as ip.src.as geoip.asnum geo.asn client.asn origin.asn",
  "cf.client.bot": "bot is_bot cf.bot cf.known_bot known_bot",
  "cf.bot_management.verified_bot": "verified_bot cf.verified_bot cf.bot.verified cf.bot_management.verified",
  "cf.bot_management.score": "bot_score cf.bot_score cf.bot_management.bot_score cf.bot.score",
  "cf.bot_management.ja3_hash": "ja3 ja3_hash cf.ja3_hash cf.bot_management.ja3 tls.ja3",
  "cf.bot_management.ja4": "ja4 cf.ja4 tls.ja4",
  "cf.threat_score": "threat_score cf.threatscore cf.security.threat_score",
  "cf.waf.score": "waf_score waf.score cf.waf_score cf.waf.attack_score cf.attack_score",
  "cf.tls_version": "tls_version tls.version ssl.version cf.tls.version",
  "cf.edge.server_port": "port server_port url.port cf.server_port",
  "cf.zone.name": "zone zone.name cf.zone",
};

const fieldNames = inverse(fieldSpellings);

/** The field that another product's name means. */
export function fieldOf(name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll("-", "_");
  return fieldNames.get(plain) ?? fieldNames.get(plain.replace(/^(?:http\.)?(?:request\.)?(?:uri\.)?/, ""));
}

/** The fields with lists by name, in place of a field that is one string. */
export const listedFields: ReadonlyMap<string, string> = new Map([
  ["http.request.uri.query", "http.request.uri.args"],
  ["http.request.uri", "http.request.uri.args"],
  ["http.cookie", "http.request.cookies"],
  ["http.request.body.raw", "http.request.body.form"],
]);

/** Names of functions in lower case without `_`. */
const functionSpellings: { readonly [N in FunctionName]?: string } = {
  lower: "tolower lowercase tolowercase lcase downcase",
  upper: "toupper uppercase touppercase ucase upcase",
  len: "length size strlen count",
  starts_with: "startswith beginswith hasprefix",
  ends_with: "endswith hassuffix",
  concat: "concatenate strcat",
  substring: "substr slice mid",
  url_decode: "urldecode decodeurl urldecodeuni decodeuricomponent unescape",
  decode_base64: "base64decode decodebase64 atob frombase64",
  remove_bytes: "removebytes strip",
  has_key: "haskey exists has keyexists exist isset",
  has_value: "hasvalue",
  lookup_json_string: "lookupjsonstring jsonstring jsonvalue parsejson",
  lookup_json_integer: "lookupjsoninteger lookupjsonint jsonint",
  coalesce: "ifnull nvl default",
};

const functionNames = inverse(functionSpellings);

/** The function that a name of another language means. */
export function functionOf(name: string): string | undefined {
  return functionNames.get(name.toLowerCase().replaceAll("_", ""));
}

/** The values of other languages that stand for the absence of a value. */
export function isNothing(word: string): boolean {
  return ["null", "nil", "none", "undefined", "empty", "blank", "void"].includes(word.toLowerCase());
}

/** Characters of word processors and web pages, and the character that is meant. */
export const otherCharacters: ReadonlyMap<string, string> = new Map([
  ...[..."\u00a0\u2002\u2003\u2009\u202f\u3000\t\v\f"].map((space): [string, string] => [space, " "]),
  ...[..."\u200b\u200c\u200d\u2060\ufeff\u00ad"].map((none): [string, string] => [none, ""]),
  ...[..."\u2010\u2011\u2012\u2013\u2014\u2212"].map((dash): [string, string] => [dash, "-"]),
  ["（", "("],
  ["）", ")"],
  ["｛", "{"],
  ["｝", "}"],
  ["，", ""],
  ["；", ""],
]);

/** The closing marks of strings by their opening ones. */
export const quotationMarks: ReadonlyMap<string, string> = new Map([
  ['"', '"”“'],
  ["'", "'"],
  ["`", "`"],
  ["“", '”“"'],
  ["”", '”"'],
  ["„", '“”"'],
  ["‟", '”"'],
  ["‘", "’'"],
  ["’", "’'"],
  ["‚", "‘’"],
  ["«", "»"],
  ["»", "«"],
  ["″", "″"],
  ["＂", "＂"],
]);

function inverse(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([name, words]) =>
      words.split(" ").map((word): [string, string] => [word, name]),
    ),
  );
}
