/** Law of entry points: what is put is what is read, and decides as when it is compiled alone. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/core/json-value.ts";
import { createEdge } from "../../../src/edge.ts";
import { compileZone } from "../../../src/entries/tokens.ts";
import { mintToken } from "../../../src/testing/tokens/mint.ts";
import { ofAccount } from "../../support/account-rules.ts";
import { clientOf, type Json } from "../../support/client.ts";
import { testKeys } from "../../support/keys.ts";
import { runs } from "../../support/runs.ts";

const phase = "http_request_firewall_custom";
const entry = `/phases/${phase}/entrypoint`;
const config = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { es256 } = await testKeys();
const token_sources = ['http.request.headers["authorization"][0]'];
const configs = [{ id: config, title: "C", token_sources, credentials: { keys: [es256.jwk] } }];
const lists = [{ id: "l1", name: "office", kind: "ip" as const, items: ["192.0.2.0/24"] }];
const paths = ["/a", "/b", "/admin"];
const claims = `http.request.jwt.claims["${config}"][0]`;

const leaf = fc.oneof(
  fc.constantFrom(...paths).map((path) => `http.request.uri.path eq "${path}"`),
  fc.constantFrom("GET", "POST").map((method) => `http.request.method ne "${method}"`),
  fc.constantFrom("admin", "guest").map((role) => `lookup_json_string(${claims}, "role") eq "${role}"`),
  fc.constant(`lookup_json_integer(${claims}, "level") gt 2`),
  fc.constant(`any(http.request.jwt.claims.iss["${config}"][*] eq "i")`),
  fc.constantFrom("ip.src in $office", "ssl"),
);
const expression = fc.oneof(
  fc.constant("true"),
  leaf,
  fc
    .tuple(leaf, fc.constantFrom("and", "or", "xor"), leaf)
    .map(([a, operator, b]) => `(${a}) ${operator} not (${b})`),
);

const skips = [
  { ruleset: "current" },
  { phase: "current" },
  { phase: "current", products: ["waf"] },
  { phases: ["http_ratelimit"], products: ["bic"] },
  { rulesets: ["c1"] },
  { rules: { c1: ["0", "2"], c2: ["1"] } },
] as const;
const response = { status_code: 451, content: "no", content_type: "text/plain" } as const;
const plainActions = [
  ...["log", "log", "managed_challenge", "js_challenge", "challenge", "block"].map((action) => ({ action })),
  { action: "block", action_parameters: { response } },
  ...skips.map((action_parameters) => ({ action: "skip", action_parameters })),
];
const executes = ["c1", "c1", "c2"].map((id) => ({ action: "execute", action_parameters: { id } }));

const rulesOf = (actions: readonly object[], maxLength: number) =>
  fc.array(
    fc
      .record({
        action: fc.constantFrom(...actions),
        expression,
        enabled: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
        description: fc.string({ maxLength: 20 }),
      })
      .map(({ action, ...rule }) => ({ ...action, ...rule }) as Json),
    { maxLength },
  );

const entryRules = rulesOf([...plainActions, ...executes, ...executes], 5);
const refs = ["r0", "r1", "r2", "r3", "r4", "r5"];
/** The members that a rule changes of the earlier one with its `ref`; null for all. */
const changes = fc.constantFrom(
  null,
  ...[[], ["enabled"], ["expression"], ["description"], ["action", "action_parameters"]],
);
/** Rules of which some have a `ref`, by which they are found again. */
const putRules = fc
  .tuple(
    entryRules,
    fc.shuffledSubarray(refs, { minLength: 5, maxLength: 5 }),
    fc.nat({ max: 5 }),
    fc.array(changes, { minLength: 5, maxLength: 5 }),
  )
  .map(([rules, names, count, changed]) =>
    rules.map((rule, i) => ({
      rule: i < count ? ({ ...rule, ref: names[i] } as Json) : rule,
      changed: changed[i] ?? null,
    })),
  );
type PutRule = typeof putRules extends fc.Arbitrary<(infer T)[]> ? T : never;

/** The rule as it is put: the earlier one with its `ref`, where it changes only some members. */
function edited({ rule, changed }: PutRule, before: readonly Json[]): Json {
  const old = before.find(({ ref }) => ref !== undefined && ref === rule.ref);
  if (old === undefined || changed === null) return rule;
  const kept = Object.entries(old).filter(([member]) => !changed.includes(member));
  return Object.fromEntries([
    ...kept,
    ...Object.entries(rule).filter(([member]) => changed.includes(member)),
  ]);
}
const customRules = rulesOf(plainActions, 3).map((rules) =>
  rules.map((rule, i): Json => ({ ...rule, id: `${i}` })),
);

const levels = {
  zone: { path: "/zones/z1/rulesets", kind: "zone" },
  account: { path: "/accounts/a1/rulesets", kind: "root" },
} as const;
type LevelName = keyof typeof levels;

const request = fc.record({
  method: fc.constantFrom("GET", "POST"),
  path: fc.constantFrom(...paths),
  ip: fc.option(fc.constantFrom("192.0.2.7", "203.0.113.7"), { nil: undefined, freq: 1 }),
  challengePassed: fc.boolean(),
  token: fc.constantFrom("admin", "guest", "none", "invalid"),
});
const tokens: Readonly<Record<string, string>> = {
  admin: await mintToken(es256, { role: "admin", level: 3, iss: "i" }),
  guest: await mintToken(es256, { role: "guest", level: 1 }),
  invalid: "x.y.z",
};

/** An entry point that was put: the body, and what was answered. */
interface Put {
  readonly given: readonly Json[];
  readonly answer: Json;
}

/** Ids and versions: a rule with the `ref` of an earlier one keeps its id, and its version while it is equal. */
function checkIdentity({ given, answer }: Put, before: Put | undefined): void {
  const old = new Map(before?.answer.rules.map((rule: Json) => [rule.ref, rule]) ?? []);
  const ids = new Set(answer.rules.map(({ id }: Json) => id));
  expect(ids.size).toBe(given.length);
  for (const [i, rule] of answer.rules.entries()) {
    const earlier: Json = given[i].ref === undefined ? undefined : old.get(given[i].ref);
    const { version: _, last_updated: __, ...content } = rule;
    const { version, last_updated: ___, ...contentBefore } = earlier ?? { version: "0" };
    if (earlier) expect(rule.id).toBe(earlier.id);
    else expect([...old.values()].map(({ id }: Json) => id)).not.toContain(rule.id);
    const isSame = canonicalJson(content) === canonicalJson(contentBefore);
    expect(rule.version).toBe(isSame ? version : `${Number(version) + 1}`);
  }
  if (before) expect(answer.id).toBe(before.answer.id);
  expect(answer.version).toBe(`${Number(before?.answer.version ?? 0) + 1}`);
}

const met = new Set<string>();

test("any rules that were put are those that are read, and decide as when they are compiled alone", async () => {
  const property = fc.asyncProperty(
    fc.record({ c1: customRules, c2: customRules }),
    fc.array(fc.tuple(fc.constantFrom<LevelName>("zone", "account"), putRules), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.array(request, { minLength: 1, maxLength: 4 }),
    async ({ c1, c2 }, puts, requests) => {
      const custom = Object.entries({ c1, c2 }).map(
        ([id, rules]) => ({ id, kind: "custom", phase, rules: rules.map(ofAccount) }) as Json,
      );
      const zone = { id: "z1", account_id: "a1", name: "example.com" };
      const world: Json = {
        accounts: [{ id: "a1", lists, rulesets: custom }],
        zones: [{ ...zone, token_validation: { configs } }],
      };
      const edge = createEdge({ world, clock: () => 0 });
      const current: Partial<Record<LevelName, Put>> = {};
      for (const [level, rules] of puts) {
        const wanted = rules.map((rule) => edited(rule, current[level]?.given ?? []));
        const given = level === "account" ? wanted.map(ofAccount) : wanted;
        const client = clientOf(edge, levels[level].path);
        const answer = (await client.ok("PUT", entry, { rules: given })).result;
        expect((await client.ok("GET", entry)).result).toEqual(answer);
        const written = answer.rules.map(({ id, version, last_updated, ref, ...rule }: Json, i: number) =>
          given[i].ref === undefined ? rule : { ...rule, ref },
        );
        expect(written).toEqual(given);
        checkIdentity({ given, answer }, current[level]);
        current[level] = { given, answer };
        // Compiled from the bodies: of the answers only the ids are used.
        const entryOf = (name: LevelName) => {
          const put = current[name];
          if (put === undefined) return [];
          const rules = put.given.map((rule, i) => ({ ...rule, id: put.answer.rules[i].id }));
          return [{ id: put.answer.id, kind: levels[name].kind, phase, rules }];
        };
        const alone = await compileZone(
          {
            configs,
            rules: [],
            rulesets: entryOf("zone"),
            account_rulesets: [...custom, ...entryOf("account")],
            lists: { office: { kind: "ip", items: ["192.0.2.0/24"] } },
          },
          { clock: () => 0 },
        );
        for (const { path, token, ip, ...rest } of requests) {
          const authorization = tokens[token];
          const headers: Record<string, string> = {};
          if (authorization !== undefined) headers["authorization"] = `Bearer ${authorization}`;
          const simulated = {
            ...rest,
            url: `https://example.com${path}`,
            ...(ip !== undefined && { ip }),
            headers,
          };
          const [stored, compiled] = [
            await edge.tokens.evaluate("z1", simulated),
            await alone.evaluate(simulated),
          ];
          expect(stored.action).toBe(compiled.action);
          expect(stored.custom).toEqual(compiled.custom);
          met.add(stored.action);
          for (const { result, ruleset } of stored.custom?.rules ?? [])
            met.add(`${ruleset.length > 2 ? "entry" : "executed"} ${result}`);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: runs(300, 60) });
  const results = ["matched", "not_matched", "not_reached", "skipped", "disabled", "undecided"];
  expect([...met]).toEqual(
    expect.arrayContaining([
      ...["allow", "log", "block", "challenge", "undecided"],
      ...["entry", "executed"].flatMap((place) => results.map((result) => `${place} ${result}`)),
    ]),
  );
});
