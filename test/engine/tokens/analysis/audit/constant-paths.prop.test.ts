import fc from "fast-check";
import { expect, test } from "vitest";
import { isConstantOnPaths } from "../../../../../src/engine/tokens/analysis/audit/constant-paths.ts";
import { compileValueTest } from "../../../../../src/engine/tokens/analysis/strings/text-test.ts";
import type { Test } from "../../../../../src/engine/tokens/expression/tree.ts";
import { parseTemplate } from "../../../../../src/engine/tokens/zone/path-template.ts";
import { createRouter, findRoute } from "../../../../../src/engine/tokens/zone/router.ts";
import { runs } from "../../../../support/runs.ts";
import { leafOf } from "../../leaves.ts";
import { parse } from "../grid.ts";

const segment = fc.constantFrom("a", "A", "ab", "%61", "%61b", "b", "", "%2F", "[", "é", "c");
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((list) => `/${list.join("/")}`);
const endpoint = fc
  .array(fc.constantFrom("a", "ab", "{x}", "b", "", "%2f", "["), { minLength: 1, maxLength: 3 })
  .map((list) => `/${list.join("/")}`);
const text = fc.oneof(
  path,
  fc.array(fc.constantFrom("/", "a", "%6", "%61", "b", "B", "é"), { maxLength: 4 }).map((l) => l.join("")),
);
const field = "http.request.uri.path";
const comparison = fc.oneof(
  fc
    .tuple(fc.constantFrom("eq", "ne", "contains"), text)
    .map(([operator, value]) => `${field} ${operator} "${value}"`),
  fc
    .array(text, { minLength: 1, maxLength: 2 })
    .map((list) => `${field} in {${list.map((path) => `"${path}"`).join(" ")}}`),
  fc
    .tuple(fc.constantFrom("wildcard", "strict wildcard"), text, fc.constantFrom("", "*", "*b"))
    .map(([operator, start, end]) => {
      return `${field} ${operator} "${start}${end}"`;
    }),
);

let constants = 0;

test("a comparison that is constant on a template has one result for all of its paths", () => {
  fc.assert(
    fc.property(
      endpoint,
      comparison,
      fc.array(path, { minLength: 20, maxLength: 40 }),
      (endpoint, written, paths) => {
        const template = parseTemplate(endpoint);
        const leaf = leafOf(parse(written) as Test);
        if (!template.ok || leaf.kind !== "comparison") throw new Error(written);
        if (!isConstantOnPaths(parse(written), new Map(), template.value)) return;
        constants++;
        const router = createRouter([{ host: "h", method: "GET", segments: template.value, value: true }]);
        const compare = compileValueTest(leaf);
        const results = paths.filter((routed) => findRoute(router, "h", "GET", routed)).map(compare);
        expect(new Set(results).size).toBeLessThan(2);
      },
    ),
    { numRuns: runs(3_000, 3_000) },
  );
  expect(constants).toBeGreaterThan(300);
});
