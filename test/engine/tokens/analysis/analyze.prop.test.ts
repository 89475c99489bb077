/** Findings of the analysis against brute force over requests. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import type { Operation, TokenRule } from "../../../../src/engine/tokens/model.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import { runs } from "../../../support/runs.ts";
import { configs, expression, grid } from "./grid.ts";

const pool: readonly Operation[] = [
  { operation_id: "o1", method: "GET", host: "api.example.com", endpoint: "/a" },
  { operation_id: "o2", method: "GET", host: "api.example.com", endpoint: "/{x}" },
  { operation_id: "o3", method: "POST", host: "{v}.example.com", endpoint: "/a" },
  { operation_id: "o4", method: "GET", host: "{v}.example.com", endpoint: "/c" },
  { operation_id: "o5", method: "POST", host: "api.{v}.com", endpoint: "/{x}" },
  { operation_id: "o6", method: "PUT", host: "www.example.com", endpoint: "/" },
];
const hosts = ["api.example.com", "www.example.com", "{v}.example.com", "api.{v}.com"];

const rules = fc
  .array(
    fc.record({
      expression: expression.map(printExpression),
      action: fc.constantFrom("block" as const, "log" as const),
      included: fc.subarray(hosts, { minLength: 1 }),
      excluded: fc.subarray(
        pool.map(({ operation_id }) => operation_id),
        { maxLength: 2 },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) =>
    list.map(({ included, excluded, ...rest }, i): TokenRule => {
      const selector = { include: [{ host: included }], exclude: [{ operation_ids: excluded }] };
      return { id: `r${i}`, enabled: true, ...rest, selector };
    }),
  );

const operations = fc.option(fc.subarray([...pool], { minLength: 1 }), { nil: undefined });

const requests = grid
  .filter((_, i) => i % 41 === 0)
  .flatMap((request) =>
    ["api.example.com", "www.example.com", "x.example.com", "api.other.com"].map((host) => ({
      ...request,
      url: request.url.replace("api.example.com", host),
    })),
  );

test.each(["all", "first"] as const)(
  "with precedence %s no request contradicts a finding about what a rule does",
  async (precedence) => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(rules, operations, async (list, listed) => {
        const zone = { configs, rules: list, ...(listed && { operations: listed }) };
        const found = analyze(zone, { precedence });
        const compiled = await compileZone(zone, { clock: () => 0, precedence });
        // Alone, each rule is evaluated for every request that it covers.
        const alone = await Promise.all(
          list.map((rule) => compileZone({ ...zone, rules: [rule] }, { clock: () => 0, precedence })),
        );
        const about = (rule: string | undefined, ...checks: string[]) =>
          found.some(
            (diagnostic) => diagnostic.subject?.["rule"] === rule && checks.includes(diagnostic.rule),
          );
        for (const diagnostic of found) seen.set(diagnostic.rule, (seen.get(diagnostic.rule) ?? 0) + 1);
        for (const request of requests) {
          for (const [i, zoneOfRule] of alone.entries()) {
            const { outcome } = zoneOfRule.evaluateSync(request);
            const { id } = list[i] as TokenRule;
            if (about(id, "always-true")) expect(outcome).not.toBe("fired");
            if (about(id, "always-false")) expect(outcome).not.toBe("passed");
          }
          const verdict = compiled.evaluateSync(request);
          for (const { id, result } of verdict.rules) {
            if (about(id, "behind-block", "shadowed")) expect([id, result]).not.toEqual([id, "fired"]);
          }
        }
      }),
      { numRuns: runs(60, 60) },
    );
    expect(seen.get("constant-part") ?? 0).toBeGreaterThan(0);
    expect(seen.get(precedence === "all" ? "always-true" : "shadowed") ?? 0).toBeGreaterThan(0);
  },
);
