/**
 * Pairs of small zones that differ at a boundary, with all requests that can tell them apart: the values at and beside
 * each literal of either zone, or every combination of what their rules read. So a comparison has one right result.
 */

import fc from "fast-check";
import type { SimulatedRequest, TokenConfig } from "../../../../../src/engine/tokens/model.ts";
import type { CustomRule, Ruleset } from "../../../../../src/engine/tokens/rulesets/model.ts";
import type { ZoneInput } from "../../../../../src/engine/tokens/zone/zone-input.ts";
import { mintKey, mintToken } from "../../../../../src/testing/tokens/mint.ts";

/** Two zones, and requests that are enough to tell whether they are the same. */
export interface BoundaryPair {
  readonly zones: readonly [ZoneInput, ZoneInput];
  readonly requests: readonly SimulatedRequest[];
}

const keys = [await mintKey("ES256", "k1"), await mintKey("ES256", "k2")] as const;
const header = 'http.request.headers["authorization"][0]';
const configs: readonly TokenConfig[] = [
  { id: "C1", token_sources: [header], credentials: { keys: [keys[0].jwk] } },
  { id: "C2", token_sources: [header], credentials: { keys: keys.map(({ jwk }) => jwk) } },
];
const url = "https://api.example.com/";
const phase = "http_request_firewall_custom";

function zoneOf(rules: readonly CustomRule[], executed: readonly CustomRule[] = []): ZoneInput {
  const readsTokens = rules.some(({ expression }) => expression.includes("jwt.claims"));
  const rulesets: readonly Ruleset[] = [
    { id: "z", kind: "zone", phase, rules },
    { id: "e", kind: "custom", phase, rules: executed },
  ];
  return { configs: readsTokens ? configs : [], rules: [], rulesets };
}

/** An expression, and one with the same literals or those beside them. */
type Pair = readonly [string, string];

function pairOf(pairs: fc.Arbitrary<Pair>, requestsOf: (pair: Pair) => readonly SimulatedRequest[]) {
  return pairs.map((pair): BoundaryPair => {
    const [left, right] = pair.map((expression) => zoneOf([{ id: "r", action: "block", expression }]));
    return { zones: [left!, right!], requests: requestsOf(pair) };
  });
}

/** A literal, and another one that is often beside it. */
const near = (value: fc.Arbitrary<number>) =>
  fc.tuple(value, fc.constantFrom(-1, 0, 0, 1)).map(([first, by]) => [first, first + by] as const);

const orders = ["eq", "ne", "lt", "le", "gt", "ge"];

/** Comparisons of integers, of which neighbours mean the same, or nearly. */
const integerLeaf = (field: string) =>
  fc
    .tuple(
      near(fc.integer({ min: -3, max: 9 })),
      fc.nat(3),
      fc.constantFrom(...orders),
      fc.constantFrom(...orders),
    )
    .map(([[first, other], length, left, right]) => {
      const range = (from: number, to: number) => `${field} in {${from}..${Math.max(from, to)}}`;
      const both = (from: number, to: number) =>
        `(${field} ge ${from} and ${field} le ${Math.max(from, to)})`;
      return [
        [`${field} ${left} ${first}`, `${field} ${right} ${other}`],
        [`${field} lt ${first}`, `${field} le ${other - 1}`],
        [`${field} gt ${first}`, `not ${field} le ${other}`],
        [range(first, first + length), both(other, first + length)],
        [range(first, first + length), range(first, other + length)],
        [`${range(first, first + 1)} or ${range(first + 2, first + 3)}`, range(other, first + 3)],
      ] as const satisfies readonly Pair[];
    })
    .chain((pairs) => fc.constantFrom(...pairs));

/** The integers at and beside each literal. */
const integersIn = (pair: Pair): number[] => {
  const named = pair.join(" ").matchAll(/(?<![\w"])-?\d+/g);
  return [...new Set([...named].flatMap(([digits]) => [-1, 0, 1].map((by) => Number(digits) + by)))];
};

const scores = pairOf(integerLeaf("cf.bot_management.score"), (pair) =>
  integersIn(pair).map((score) => ({ method: "GET", url, fields: { "cf.bot_management.score": score } })),
);

const addressOf = (value: number) => [24, 16, 8, 0].map((by) => (value >>> by) & 255).join(".");

/** Networks and addresses, beside each other and in each other. */
const addressPairs = fc
  .tuple(
    fc.constantFrom(0x0a000000, 0x0a800000, 0xc0000200, 0),
    fc.constantFrom(7, 8, 9, 16, 24, 31, 32),
    fc.constantFrom(-1, 0, 0, 1),
    fc.constantFrom(...orders),
  )
  .map(([value, bits, by, order]) => {
    const base = (prefix: number) => (prefix === 0 ? 0 : (value & (-1 << (32 - prefix))) >>> 0);
    const last = (prefix: number) => base(prefix) + 2 ** (32 - prefix) - 1;
    const other = Math.min(32, bits + by);
    const network = (prefix: number) => `${addressOf(base(prefix))}/${prefix}`;
    const half = Math.min(32, bits + 1);
    const upper = half === bits ? base(bits) : base(bits) + 2 ** (32 - half);
    const range = `ip.src in {${addressOf(base(bits))}..${addressOf(last(bits))}}`;
    return [
      [`ip.src in {${network(bits)}}`, `ip.src in {${network(other)}}`],
      [`ip.src in {${network(bits)}}`, range],
      [
        `ip.src in {${network(bits)}}`,
        `ip.src in {${addressOf(base(bits))}/${half} ${addressOf(upper)}/${half}}`,
      ],
      [`ip.src in {${network(bits)}}`, `cidr(ip.src, ${other}, 64) eq ${addressOf(base(bits))}`],
      [`cidr(ip.src, ${bits}, 64) in {${network(other)}}`, range],
      [`ip.src ${order} ${addressOf(base(bits))}`, `ip.src ge ${addressOf(base(bits))}`],
      [`ip.src le ${addressOf(last(bits))}`, `ip.src lt ${addressOf(last(other))}`],
    ] as const satisfies readonly Pair[];
  })
  .chain((pairs) => fc.constantFrom(...pairs));

/** The ends of each network, range and prefix, and the addresses beside them. */
function addressesIn(pair: Pair): number[] {
  const text = pair.join(" ");
  const prefixes = [...text.matchAll(/(?:\/|src, )(\d+)/g)].map(([, bits]) => Number(bits));
  const named = [...text.matchAll(/\d+\.\d+\.\d+\.\d+/g)].map(([address]) =>
    address.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0),
  );
  const ends = named.flatMap((address) =>
    [32, ...prefixes].flatMap((bits) => {
      const size = 2 ** (32 - bits);
      const first = Math.floor(address / size) * size;
      return [first, first + size - 1];
    }),
  );
  const all = ends.flatMap((end) => [end - 1, end, end + 1]);
  return [...new Set(all)].filter((address) => address >= 0 && address < 2 ** 32);
}

const addresses = pairOf(addressPairs, (pair) =>
  [...addressesIn(pair).map(addressOf), "2001:db8::1", "::"].map((ip) => ({ method: "GET", url, ip })),
);

const role = (id: string) => `lookup_json_string(http.request.jwt.claims["${id}"][0], "role")`;
const level = (id: string) => `lookup_json_integer(http.request.jwt.claims["${id}"][0], "level")`;
const asText = (id: string) => level(id).replace("_integer", "_string");

const claimLeaf = fc
  .tuple(fc.constantFrom("C1", "C2"), fc.constantFrom("a", "b"), fc.integer({ min: 4, max: 6 }))
  .chain(([id, name, number]) =>
    fc.constantFrom(
      `${role(id)} eq "${name}"`,
      `${role(id)} ne "${name}"`,
      `${role(id)} in {"a" "b"}`,
      `${level(id)} ge ${number}`,
      `${level(id)} lt ${number}`,
      `${level(id)} eq ${number}`,
      `${asText(id)} eq "5"`,
      `has_key(http.request.headers, "authorization")`,
    ),
  );

const claimTest = fc
  .tuple(claimLeaf, fc.boolean())
  .map(([leaf, isNegated]) => (isNegated ? `not (${leaf})` : leaf));
const claimExpression = fc
  .tuple(claimTest, fc.constantFrom("and", "or", "xor"), claimTest)
  .map(([left, operator, right]) => `(${left}) ${operator} (${right})`);

const roles = [undefined, "a", "b", "c"];
const levels = [undefined, 3, 4, 5, 6, 7, "5"];
const payloads = roles.flatMap((role) => levels.map((other) => ({ role, level: other })));
const tokens = await Promise.all([
  ...keys.flatMap((key) => payloads.map((payload) => mintToken(key, payload))),
  mintToken(keys[0], { role: "a", level: 5, exp: 1 }),
  mintToken(await mintKey("ES256", "k1"), { role: "a", level: 5 }),
]);
const withTokens: readonly SimulatedRequest[] = [undefined, "nonsense", ...tokens].map((token) => {
  return { method: "GET", url, headers: token === undefined ? [] : [["authorization", token]] };
});

/** Pairs of which half mean the same, also without a valid token. */
const claimVariants = fc
  .tuple(fc.constantFrom("C1", "C2"), near(fc.integer({ min: 4, max: 6 })), claimTest)
  .chain(([id, [first, other], more]) =>
    fc.constantFrom<Pair>(
      [`${level(id)} ge ${first}`, `${level(id)} gt ${other - 1}`],
      [`${level(id)} ge ${first}`, `not (${level(id)} lt ${first})`],
      [`${role(id)} in {"a" "b"}`, `${role(id)} eq "a" or ${role(id)} eq "b"`],
      [`not (${role(id)} eq "a")`, `${role(id)} ne "a"`],
      [`not (${role(id)} eq "a" or ${more})`, `not (${role(id)} eq "a") and not (${more})`],
      [
        `${level(id)} eq ${first} and ${asText(id)} eq "5"`,
        `${level(id)} eq ${other} and ${asText(id)} eq "5"`,
      ],
      [`${role("C1")} eq "a" and ${role("C2")} eq "a"`, `${role(id)} eq "a"`],
      [`${more} xor ${role(id)} eq "a"`, `${role(id)} eq "a" xor ${more}`],
    ),
  );

const claims = pairOf(
  fc.oneof(claimVariants, fc.tuple(claimTest, claimTest), fc.tuple(claimTest, claimExpression)),
  () => withTokens,
);

const atoms = ["cf.bot_management.verified_bot", "cf.client.bot", "ssl"] as const;

type Course = Pick<CustomRule, "action" | "action_parameters">;

/** Actions after which others go on, most often. */
const passing = fc.constantFrom<Course>(
  { action: "log" },
  { action: "managed_challenge" },
  { action: "skip", action_parameters: { ruleset: "current" } },
  { action: "skip", action_parameters: { phase: "current" } },
  { action: "skip", action_parameters: { rules: { z: ["z1"] } } },
  { action: "skip", action_parameters: { rules: { z: ["z2", "z3"], e: ["e1"] } } },
  { action: "skip", action_parameters: { rulesets: ["e"] } },
);
const ending = fc.constantFrom<Course>(
  { action: "block" },
  { action: "log" },
  { action: "managed_challenge" },
);

/** A rule whose condition is often that of another one. */
const stepOf = (id: string, course: fc.Arbitrary<Course>) =>
  fc
    .tuple(
      fc.constantFrom(...atoms, "true", `not ${atoms[0]}`),
      course,
      fc.constantFrom(true, true, true, true, false),
    )
    .map(([expression, action, enabled]): CustomRule => ({ id, expression, enabled, ...action }));

const execute = fc
  .tuple(fc.constantFrom(...atoms, "true"), fc.boolean())
  .map(([expression, enabled]): CustomRule => {
    return { id: "x", action: "execute", action_parameters: { id: "e" }, expression, enabled };
  });

/** Rules that go on, then rules that end; the second zone differs in one of either. */
const courses = fc
  .record({
    rules: fc.tuple(
      stepOf("z0", passing),
      execute,
      stepOf("z1", passing),
      stepOf("z2", ending),
      stepOf("z3", ending),
    ),
    executed: fc.tuple(stepOf("e0", passing), stepOf("e1", ending)),
    change: fc.constantFrom("swap", "remove", "enable", "replace"),
    at: fc.nat(4),
    added: stepOf("z9", ending),
  })
  .map(({ rules, executed, change, at, added }): BoundaryPair => {
    const changed: CustomRule[] = [...rules];
    const rule = changed[at]!;
    if (change === "swap" && at < 4) changed.splice(at, 2, changed[at + 1]!, rule);
    else if (change === "remove") changed.splice(at, 1);
    else
      changed[at] =
        change === "enable" ? { ...rule, enabled: rule.enabled === false } : { ...added, id: rule.id };
    return { zones: [zoneOf(rules, executed), zoneOf(changed, executed)], requests: everyCourse };
  });

const flags = [false, true];

/** Every combination of what the conditions read. */
const everyCourse = flags.flatMap((verified) =>
  flags.flatMap((bot) =>
    ["https", "http"].flatMap((scheme) =>
      flags.map((challengePassed) => ({
        method: "GET",
        url: `${scheme}://api.example.com/`,
        challengePassed,
        fields: { "cf.bot_management.verified_bot": verified, "cf.client.bot": bot },
      })),
    ),
  ),
);

/** Pairs by the kind of boundary. */
export const boundaryPairs = { scores, addresses, claims, courses } as const;
