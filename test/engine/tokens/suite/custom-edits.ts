/**
 * Random zones with custom rules, and edits of their JSON as a person makes them: in the text of an expression, in a list, or in
 * a rule. They know nothing of the mutants from which suites are generated.
 */

import type { CustomRule, Ruleset } from "../../../../src/engine/tokens/rulesets/model.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { below, pick, type Random } from "./random-zones.ts";
import { editText } from "./zone-edits.ts";

const agents = ["curl", "python-requests", "sqlmap", "Mozilla/5.0", "GPTBot", "masscan"];
const paths = ["/wp-admin", "/login", "/api/v1/users", "/.env", "/xmlrpc.php", "/static/app.js"];
const hosts = ["api.example.com", "www.example.com", "cdn.example.net", "shop.example.org"];
const claim = (name: string) => `lookup_json_string(http.request.jwt.claims["c0"][0], "${name}")`;
const quoted = (random: Random, values: readonly string[]) => `"${pick(random, values)}"`;
const several = (random: Random, values: readonly string[]) =>
  `{${values.filter((_, i) => i < 2 || random() < 0.5).join(" ")}}`;

/** Comparisons as they are in rules of accounts. */
const leaves: readonly ((random: Random) => string)[] = [
  (random) => `http.user_agent contains ${quoted(random, agents)}`,
  (random) => `lower(http.user_agent) contains ${quoted(random, ["curl", "bot", "scan"])}`,
  (random) => `http.user_agent wildcard "*${pick(random, agents)}*"`,
  (random) => `http.user_agent wildcard "*${pick(random, agents)}/1.*"`,
  () => 'http.user_agent eq ""',
  (random) => `http.referer contains ${quoted(random, hosts)}`,
  (random) => `http.referer eq "https://${pick(random, hosts)}/"`,
  (random) => `http.host eq ${quoted(random, hosts)}`,
  (random) =>
    `http.host in ${several(
      random,
      hosts.map((host) => `"${host}"`),
    )}`,
  (random) => `starts_with(http.host, ${quoted(random, ["api.", "cdn."])})`,
  (random) => `ends_with(http.host, ${quoted(random, [".example.com", ".example.net"])})`,
  () => "http.host in $hosts",
  (random) => `http.request.uri.path eq ${quoted(random, paths)}`,
  (random) => `http.request.uri.path contains ${quoted(random, ["admin", "login", "users"])}`,
  (random) => `starts_with(http.request.uri.path, ${quoted(random, paths)})`,
  (random) => `ends_with(http.request.uri.path, ${quoted(random, [".php", ".js", "/users"])})`,
  (random) =>
    `http.request.uri.path wildcard "${pick(random, ["/wp-*", "*/login*", "/api/*/users", "*.php"])}"`,
  (random) => `http.request.uri.path strict wildcard "${pick(random, ["/wp-*", "/API/*"])}"`,
  (random) =>
    `http.request.uri.path matches "${pick(random, ["^/api/v[0-9]+/", "\\\\.(php|asp)$", "^/(admin|login)$", "/[a-z]{2,4}$"])}"`,
  (random) => `url_decode(http.request.uri.path) contains ${quoted(random, ["../", "<script"])}`,
  (random) =>
    `lower(http.request.uri.path) in ${several(
      random,
      paths.map((path) => `"${path}"`),
    )}`,
  (random) => `http.request.uri contains ${quoted(random, ["debug=1", "wp-json"])}`,
  (random) => `http.request.uri.query contains ${quoted(random, ["select", "union", "id=1"])}`,
  (random) => `http.request.uri.args["q"][0] eq ${quoted(random, ["a", "test"])}`,
  (random) => `len(http.request.uri.query) gt ${pick(random, [8, 32, 200])}`,
  (random) => `http.request.full_uri contains ${quoted(random, ["example.com/login", "/api/"])}`,
  (random) => `http.request.method eq ${quoted(random, ["POST", "PUT", "TRACE"])}`,
  (random) => `http.request.method in ${several(random, ['"GET"', '"POST"', '"DELETE"', '"PATCH"'])}`,
  (random) => `http.request.headers["x-key"][0] eq ${quoted(random, ["secret", "k1"])}`,
  (random) => `any(http.request.headers["accept"][*] contains ${quoted(random, ["json", "html"])})`,
  () => 'has_key(http.request.headers, "x-debug")',
  (random) => `http.request.cookies["session"][0] ne ${quoted(random, ["a", "guest"])}`,
  (random) => `http.cookie contains ${quoted(random, ["session=", "admin=1"])}`,
  () => "ssl",
  () => "not ssl",
  (random) =>
    `ip.src in {${pick(random, ["10.0.0.0/8", "192.0.2.0/24 198.51.100.7", "203.0.113.1..203.0.113.9"])}}`,
  () => "ip.src in $office",
  (random) => `ip.src eq ${pick(random, ["192.0.2.1", "2001:db8::1"])}`,
  (random) => `ip.src.country in ${several(random, ['"DE"', '"FR"', '"T1"', '"RU"'])}`,
  (random) => `ip.src.country ne ${quoted(random, ["DE", "US"])}`,
  (random) => `ip.src.continent eq ${quoted(random, ["EU", "T1"])}`,
  (random) => `ip.src.asnum eq ${pick(random, [8075, 14618, 64512])}`,
  () => "ip.src.asnum in {64512..64520 13335}",
  () => "ip.src.asnum in $networks",
  (random) => `cf.bot_management.score lt ${pick(random, [10, 30])}`,
  (random) => `cf.waf.score le ${pick(random, [20, 50])}`,
  () => "cf.client.bot",
  (random) => `cf.verified_bot_category in ${several(random, ['"Search Engine Crawler"', '"Archiver"'])}`,
  (random) => `${claim(pick(random, ["role", "plan"]))} eq ${quoted(random, ["admin", "gold"])}`,
];

function expression(random: Random, depth = 0): string {
  if (depth > 1 || random() < 0.35) return pick(random, leaves)(random);
  const operands = Array.from({ length: 2 + below(random, 3) }, () => {
    const inner = expression(random, depth + 1);
    return random() < 0.15 ? `not (${inner})` : `(${inner})`;
  });
  return operands.join(pick(random, [" or ", " or ", " and "]));
}

const actions: readonly Partial<CustomRule>[] = [
  { action: "block" },
  { action: "block" },
  { action: "managed_challenge" },
  { action: "js_challenge" },
  { action: "log" },
  { action: "skip", action_parameters: { ruleset: "current" } },
  { action: "skip", action_parameters: { products: ["waf"] } },
];

/** A zone with 2 to 5 custom rules. */
export function randomCustomZone(random: Random, configs: ZoneInput["configs"]): ZoneInput {
  const rules = Array.from({ length: 2 + below(random, 4) }, (_, i) => {
    return { id: `r${i}`, ...pick(random, actions), expression: expression(random) } as CustomRule;
  });
  return {
    configs,
    rules: [],
    lists: {
      hosts: { kind: "hostname", items: ["*.example.com", "shop.example.org"] },
      office: { kind: "ip", items: ["10.1.0.0/16", "192.0.2.128/25", "203.0.113.5"] },
      networks: { kind: "asn", items: [64512, 64600] },
    },
    rulesets: [{ id: "z", kind: "zone", phase: "http_request_firewall_custom", rules }],
  };
}

/** An edited zone; undefined when there is nothing of the kind to edit. */
type Edit = (zone: ZoneInput, random: Random) => ZoneInput | undefined;

function withRules(
  zone: ZoneInput,
  edit: (rules: readonly CustomRule[]) => readonly CustomRule[] | undefined,
): ZoneInput | undefined {
  const [entry] = zone.rulesets as readonly Ruleset[];
  const rules = edit(entry?.rules ?? []);
  return rules && { ...zone, rulesets: [{ ...(entry as Ruleset), rules }] };
}

function withRule(edit: (rule: CustomRule, random: Random) => CustomRule | undefined): Edit {
  return (zone, random) =>
    withRules(zone, (rules) => {
      const index = below(random, rules.length);
      const edited = edit(rules[index] as CustomRule, random);
      return edited && rules.with(index, edited);
    });
}

/** Replaces one of the matches of a pattern in the text of some expression. */
function inExpression(pattern: RegExp, replace: (found: string, random: Random) => string): Edit {
  return (zone, random) =>
    withRules(zone, (rules) => {
      const found = rules.flatMap((rule, i) =>
        [...rule.expression.matchAll(pattern)].map((match) => ({ i, text: match[0], at: match.index })),
      );
      if (found.length === 0) return undefined;
      const { i, text, at } = pick(random, found);
      const rule = rules[i] as CustomRule;
      const { expression: whole } = rule;
      const edited = whole.slice(0, at) + replace(text, random) + whole.slice(at + text.length);
      return rules.with(i, { ...rule, expression: edited });
    });
}

const other = (random: Random, text: string, values: readonly string[]) =>
  pick(
    random,
    values.filter((value) => value !== text),
  );

function inLists(edit: (items: readonly (string | number)[], random: Random) => (string | number)[]): Edit {
  return (zone, random) => {
    const lists = zone.lists as NonNullable<ZoneInput["lists"]>;
    const used = Object.keys(lists).filter((name) => JSON.stringify(zone.rulesets).includes(`$${name}`));
    if (used.length === 0) return undefined;
    const name = pick(random, used);
    const list = lists[name] as (typeof lists)[string];
    return { ...zone, lists: { ...lists, [name]: { ...list, items: edit(list.items, random) } } };
  };
}

const letters = "abcdegiklmnoprstuxyzABDPRST0159-/._";
const strings = /(?<= (?:eq|ne|contains) "|_with\([a-z._]+, "|\{(?:"[^"]+" )*")[^"]+(?=")/g;
const fieldNames =
  /\bhttp\.(?:user_agent|referer|host|cookie|request\.(?:uri\.path|uri\.query|full_uri|method|uri)(?![.\w]))/g;
const neighbors: Readonly<Record<string, readonly string[]>> = {
  "http.user_agent": ["http.referer"],
  "http.referer": ["http.user_agent"],
  "http.host": ["http.request.full_uri", "http.referer"],
  "http.cookie": ["http.user_agent"],
  "http.request.uri.path": ["http.request.uri", "http.request.full_uri"],
  "http.request.uri.query": ["http.request.uri", "http.request.full_uri"],
  "http.request.uri": ["http.request.uri.path", "http.request.full_uri", "http.request.uri.query"],
  "http.request.full_uri": ["http.request.uri"],
  "http.request.method": ["http.host"],
  "ip.src.country": ["ip.src.continent"],
  "ip.src.continent": ["ip.src.country"],
};
const number = (text: string, random: Random) =>
  String(Math.max(0, Number(text) + pick(random, [-10, -2, -1, 1, 2, 10])));

/** The edits by kind. A string or an item that is nowhere in the zone is not added: no finite list of requests notices that. */
export const customEdits = {
  "rule removed": (zone, random) =>
    withRules(zone, (rules) => rules.toSpliced(below(random, rules.length), 1)),
  "rules swapped": (zone, random) =>
    withRules(zone, (rules) => {
      const at = below(random, rules.length - 1);
      return rules.toSpliced(at, 2, rules[at + 1] as CustomRule, rules[at] as CustomRule);
    }),
  "rule disabled": withRule((rule) => ({ ...rule, enabled: rule.enabled === false })),
  "action changed": withRule(({ action_parameters: _, ...rule }, random) => {
    return { ...rule, action: other(random, rule.action, ["block", "log", "managed_challenge"]) as "block" };
  }),
  "skip changed": withRule((rule) => {
    if (rule.action !== "skip") return undefined;
    const isCurrent = rule.action_parameters?.ruleset === "current";
    return { ...rule, action_parameters: isCurrent ? { products: ["bic"] } : { ruleset: "current" } };
  }),
  "operand removed": inExpression(
    /(?:^|(?<=\())\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\) (?:or|and) /g,
    () => "",
  ),
  "combinator changed": inExpression(/(?<=\)) (?:or|and) (?=\(|not)/g, (text) =>
    text === " or " ? " and " : " or ",
  ),
  "not changed": inExpression(/not |\((?=[a-z])/g, (text) => (text === "(" ? "(not " : "")),
  "string changed": inExpression(strings, (text, random) => editText(text, random, letters)),
  "string cut": inExpression(
    strings,
    (text, random) => (random() < 0.5 ? text.slice(1) : text.slice(0, -1)) || "x",
  ),
  "case changed": inExpression(strings, (text) =>
    text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase(),
  ),
  "item removed": inExpression(/"[^" ]+" (?=")|(?<=\.\.\d+ )\d+|(?<=\/24) [0-9.]+/g, () => ""),
  "number changed": inExpression(/(?<= (?:lt|le|gt|eq) |\{|\.\.| )[0-9]+(?=[)} ]|$|\.\.)/g, number),
  "prefix changed": inExpression(/(?<=\/)[0-9]+(?=[ }])/g, (text, random) =>
    String(Number(text) + pick(random, [-1, 1])),
  ),
  "address changed": inExpression(/(?<=\.)[0-9]+(?=[ }]|\.\.|$)/g, number),
  "operator changed": inExpression(/ (?:eq|ne|contains|wildcard|strict wildcard) (?=")/g, (text, random) =>
    other(random, text, [" eq ", " ne ", " contains ", " wildcard ", " strict wildcard ", " matches "]),
  ),
  "bound operator changed": inExpression(/ (?:lt|le|gt|ge|eq) (?=\d)/g, (text, random) =>
    other(random, text, [" lt ", " le ", " gt ", " ge ", " eq ", " ne "]),
  ),
  "affix changed": inExpression(/starts_with|ends_with/g, (text) =>
    text === "starts_with" ? "ends_with" : "starts_with",
  ),
  "affix to contains": inExpression(/(?:starts|ends)_with\([a-z._]+, "[^"]+"\)/g, (text) =>
    text.replace(/^\w+\(([^,]+), (.*)\)$/, "$1 contains $2"),
  ),
  "contains to affix": inExpression(/[a-z._]+ contains "[^"]+"/g, (text) =>
    text.replace(/^(.*) contains (.*)$/, "starts_with($1, $2)"),
  ),
  "function added": inExpression(
    /(?<![\w.(])(?:http\.user_agent|http\.request\.uri\.path|http\.request\.uri|http\.referer)(?= )/g,
    (text, random) => `${pick(random, ["lower", "lower", "upper", "url_decode"])}(${text})`,
  ),
  "function removed": inExpression(/(?:lower|url_decode)\([a-z._]+\)/g, (text) =>
    text.replace(/^\w+\((.*)\)$/, "$1"),
  ),
  "function changed": inExpression(/\b(?:lower|url_decode)(?=\()/g, (text, random) =>
    other(random, text, ["lower", "upper", "url_decode"]),
  ),
  "field changed": inExpression(fieldNames, (text, random) => pick(random, neighbors[text] ?? [text])),
  "country changed": inExpression(/ip\.src\.(?:country|continent)/g, (text, random) =>
    pick(random, neighbors[text] ?? [text]),
  ),
  "name changed": inExpression(
    /(?<=headers\["|cookies\["|args\["|headers, "|\[0\], ")[a-z-]+(?=")/g,
    (text, random) => editText(text, random, "abcdex-"),
  ),
  "position changed": inExpression(/(?<="\]\[)0(?=\] (?:eq|ne))/g, () => "1"),
  "quantifier changed": inExpression(/any\(/g, () => "all("),
  "star removed": inExpression(/(?<= wildcard "[^"]*)\*(?=[^"]*")/g, () => ""),
  "star added": inExpression(/(?<= wildcard "[^"]*[a-z/])(?=[a-z./-])/g, () => "*"),
  "wildcard changed": inExpression(/(?<= wildcard ")[^"]+(?=")/g, (text, random) =>
    editText(text, random, `${letters}*`),
  ),
  "anchor removed": inExpression(/(?<= matches ")\^|\$(?=")/g, () => ""),
  "anchor added": inExpression(
    /(?<= matches ")(?=[^^])|(?<=[^$"])(?="(?: |\)|$))(?<= matches "[^"]*)/g,
    (_, random) => pick(random, ["^", "$"]),
  ),
  "class changed": inExpression(/\[0-9\]|\[a-z\]/g, (text, random) =>
    other(random, text, ["[0-9]", "[a-z]", "[^0-9]", "[0-8]", "[a-y]", "[b-z]", "."]),
  ),
  "quantifier of a pattern changed": inExpression(/(?<=\])(?:\+|\{2,4\})/g, (text, random) =>
    other(random, text, ["+", "*", "", "?", "{2,4}", "{2,5}", "{1,4}"]),
  ),
  "alternative removed": inExpression(/(?<=\()(?:php|admin)\||\|(?:asp|login)(?=\))/g, () => ""),
  "list item removed": inLists((items, random) => items.toSpliced(below(random, items.length), 1)),
  "list item changed": inLists((items, random) => {
    const at = below(random, items.length);
    const item = items[at] as string | number;
    if (typeof item === "number") return items.with(at, item + pick(random, [-1, 1, 88]));
    const network = /^(.*)\/(\d+)$/.exec(item);
    const length = Number(network?.[2]) + pick(random, [-1, 1]);
    return items.with(at, network === null ? editText(item, random, "aeox0123") : `${network[1]}/${length}`);
  }),
} as const satisfies Readonly<Record<string, Edit>>;
