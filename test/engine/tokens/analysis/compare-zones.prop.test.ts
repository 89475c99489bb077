/** Comparisons of zones against brute force over requests, and differences against the engine with real tokens. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { compareZones } from "../../../../src/engine/tokens/analysis/compare-zones.ts";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import type { Operation, TokenRule } from "../../../../src/engine/tokens/model.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { runs } from "../../../support/runs.ts";
import { configs, expression, grid, withTokens } from "./grid.ts";

const pool: readonly Operation[] = [
  { operation_id: "o1", method: "GET", host: "api.example.com", endpoint: "/a" },
  { operation_id: "o2", method: "GET", host: "API.example.com", endpoint: "/{x}" },
  { operation_id: "o3", method: "POST", host: "api.example.com", endpoint: "/{y}" },
  { operation_id: "o4", method: "GET", host: "www.example.com", endpoint: "/" },
  { operation_id: "o5", method: "GET", host: "api.example.com", endpoint: "/" },
  { operation_id: "o6", method: "GET", host: "{v}.example.com", endpoint: "/{x}" },
  { operation_id: "o7", method: "GET", host: "api.{v}.com", endpoint: "/a" },
  { operation_id: "o8", method: "POST", host: "{v}.{w}.com", endpoint: "/{x}" },
];

/** Selectors mostly include one host, sometimes a template of hosts. */
const includes = fc.oneof(
  { weight: 3, arbitrary: fc.constant(["api.example.com"]) },
  {
    weight: 1,
    arbitrary: fc.subarray([
      "api.example.com",
      "www.example.com",
      "{a}.example.com",
      "api.{b}.com",
      "{c}.{d}.com",
    ]),
  },
);

const rule = fc.record({
  expression: expression.map(printExpression),
  action: fc.constantFrom("block" as const, "log" as const),
  enabled: fc.constantFrom(true, true, true, false),
  included: includes,
  excluded: fc.subarray(
    pool.map(({ operation_id }) => operation_id),
    { maxLength: 2 },
  ),
});

const rules: fc.Arbitrary<TokenRule[]> = fc.array(rule, { maxLength: 3 }).map((list) =>
  list.map(({ excluded, included, ...rest }, i) => ({
    id: `r${i}`,
    ...rest,
    selector: { include: [{ host: included }], exclude: [{ operation_ids: excluded }] },
  })),
);

const operations = fc.option(fc.subarray([...pool]), { nil: undefined });

const zone: fc.Arbitrary<ZoneInput> = fc
  .record({ rules, operations })
  .map(({ rules, operations }) => ({ configs, rules, ...(operations && { operations }) }));

/** Two zones that often differ in one member only. */
const zones = fc.oneof(
  fc.tuple(zone, zone),
  fc.tuple(zone, operations).map(([input, other]): [ZoneInput, ZoneInput] => {
    const { operations: _, ...rest } = input;
    return [input, other ? { ...rest, operations: other } : rest];
  }),
  fc.tuple(zone, rules).map(([input, more]): [ZoneInput, ZoneInput] => {
    const added = more.map((rule, i) => ({ ...rule, id: `added${i}` }));
    return [input, { ...input, rules: [...input.rules, ...added] }];
  }),
);

/** Every 29th request of the grid, and some to other hosts and paths. */
const requests = [
  ...grid.filter((_, i) => i % 29 === 0),
  ...["https://www.example.com/", "https://api.example.com/a/b", "https://api.example.com/%61"].map((url) => {
    return { method: "GET", url, headers: [] };
  }),
  ...["www.example.com", "x.example.com", "api.other.com", "x.other.com", "api.com"].flatMap((host) =>
    ["GET", "POST"].flatMap((method) =>
      ["/", "/a", "/z"].map((path) => ({ method, url: `https://${host}${path}`, headers: [] })),
    ),
  ),
];

test.each(["all", "first"] as const)(
  "with precedence %s zones are equivalent only when no request tells them apart",
  async (precedence) => {
    let equivalent = 0;
    await fc.assert(
      fc.asyncProperty(zones, async ([left, right]) => {
        const compared = compareZones(left, right, { precedence });
        const options = { precedence, clock: () => 0 };
        const [a, b] = [await compileZone(left, options), await compileZone(right, options)];
        const differ = requests.find((r) => a.evaluateSync(r).action !== b.evaluateSync(r).action);
        if (compared.result === "equivalent") {
          equivalent++;
          expect(differ).toBeUndefined();
        } else if (compared.result === "different") {
          for (const difference of compared.differences) {
            const request = withTokens(difference.request, difference.placeholderTokens);
            const verdicts = [a.evaluateSync(request), b.evaluateSync(request)];
            expect(verdicts.map(({ action }) => action)).toEqual([
              difference.left.action,
              difference.right.action,
            ]);
            expect(difference.left.action).not.toBe(difference.right.action);
          }
        } else expect(differ, "undecided only where no plain request decides").toBeUndefined();
      }),
      { numRuns: runs(40, 40) },
    );
    expect(equivalent).toBeGreaterThan(0);
  },
);

test("a difference outside the listed operations has a method that none of them has", () => {
  const selector = { include: [{ host: ["api.example.com"] }] };
  const expression = 'not http.request.uri.path eq "/a"';
  const rules = [{ id: "r", action: "block" as const, enabled: true, expression, selector }];
  const operationsOf = (methods: readonly string[]) =>
    methods.map((method) => ({ operation_id: method, method, host: "api.example.com", endpoint: "/{x}" }));
  for (const [methods, other] of [
    [["GET"], "POST"],
    [["GET", "POST", "PUT", "PATCH", "DELETE", "X"], "XX"],
  ] as const) {
    const compared = compareZones({ configs, rules, operations: operationsOf(methods) }, { configs, rules });
    if (compared.result !== "different") throw new Error(compared.result);
    expect(compared.differences.map(({ request }) => [request.method, request.url])).toContainEqual([
      other,
      "https://api.example.com/a",
    ]);
  }
});

test("hosts that a template matches beside those of the selectors are compared, too", () => {
  const operations = [
    { operation_id: "any", method: "GET", host: "{v}.example.com", endpoint: "/{x}" },
    { operation_id: "own", method: "GET", host: "a.example.com", endpoint: "/a" },
  ];
  const zoneOf = (...host: string[]): ZoneInput => {
    const selector = { include: [{ host }] };
    const rule = {
      id: "r",
      action: "block" as const,
      enabled: true,
      expression: 'http.host eq ""',
      selector,
    };
    return { configs: [], rules: [rule], operations };
  };
  const urlsOf = (left: ZoneInput, right: ZoneInput) => {
    const compared = compareZones(left, right);
    return compared.result === "different"
      ? compared.differences.map(({ request }) => request.url)
      : compared.result;
  };
  expect(urlsOf(zoneOf("{v}.example.com"), zoneOf("{w}.Example.com"))).toBe("equivalent");
  expect(urlsOf(zoneOf("{v}.example.com"), zoneOf("b.example.com"))).toEqual([
    "https://a.example.com/x",
    "https://x.example.com/x",
  ]);
  expect(urlsOf(zoneOf("{v}.example.com"), zoneOf("{v}.example.com", "a.example.com"))).toEqual([
    "https://a.example.com/a",
  ]);
});
