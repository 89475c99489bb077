/** Hosts with variables against a model that tries every operation: routing, selectors and the preview. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Operation, Selector, TokenRule } from "../../../../src/engine/tokens/model.ts";
import {
  intersectHosts,
  isHostTemplate,
  matchesHost,
  normalizeHostTemplate,
} from "../../../../src/engine/tokens/zone/host-template.ts";
import { selectorPreview } from "../../../../src/engine/tokens/zone/selector.ts";
import { checkZone, compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import { runs } from "../../../support/runs.ts";

const label = fc.constantFrom("a", "b", "{x}", "{y}");
const template = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => `${labels.join(".")}.c`);
const endpoint = fc.constantFrom("/", "/u", "/{id}");
const host = fc
  .array(fc.constantFrom("a", "b", "d"), { minLength: 1, maxLength: 3 })
  .map((l) => `${l.join(".")}.c`);

const operations = fc
  .array(fc.record({ host: template, endpoint, method: fc.constantFrom("GET", "POST") }), { maxLength: 8 })
  .map((list) => {
    const targets = list.map((target): [string, typeof target] => [
      `${target.method} ${target.host.replaceAll("{y}", "{x}")}${target.endpoint}`,
      target,
    ]);
    return [...new Map(targets).values()].map(
      (target, i): Operation => ({ operation_id: `o${i}`, ...target }),
    );
  });

const selector: fc.Arbitrary<Selector> = fc.record({
  include: fc.array(fc.oneof(template, host), { maxLength: 3 }).map((list) => [{ host: list }]),
  exclude: fc.subarray(["o0", "o1", "o2"]).map((operation_ids) => [{ operation_ids }]),
});

const rules = fc.array(selector, { maxLength: 5 }).map((selectors) =>
  selectors.map((included, i): TokenRule => {
    const action = i % 2 === 0 ? "log" : "block";
    return {
      id: `r${i}`,
      action,
      enabled: i !== 3,
      expression: 'http.request.method eq "PUT"',
      selector: included,
    };
  }),
);

const isVariable = (text: string) => /^\{.*\}$/.test(text);

function matches(pattern: string, text: string): boolean {
  const [own, parts] = [pattern.split(/[./]/), text.split(/[./]/)];
  return (
    own.length === parts.length &&
    own.every((label, i) => (isVariable(label) ? parts[i] !== "" : label === parts[i]))
  );
}

/** Literal parts before variables, from left to right. */
const rank = (pattern: string) =>
  pattern
    .split(/[./]/)
    .map((part) => (isVariable(part) ? "1" : "0"))
    .join("");

function modelOperation(list: readonly Operation[], method: string, to: string, path: string) {
  return list
    .filter(
      (operation) =>
        operation.method === method && matches(operation.host, to) && matches(operation.endpoint, path),
    )
    .sort(
      (a, b) => rank(a.host).localeCompare(rank(b.host)) || rank(a.endpoint).localeCompare(rank(b.endpoint)),
    )[0];
}

const withoutNames = (text: string) => text.replaceAll(/\{.\}/g, "{}");

function modelCovers({ include = [], exclude = [] }: Selector, operation: Operation, to: string): boolean {
  const hosts = include.flatMap((entry) => entry.host ?? []);
  const isIncluded = hosts.some(
    (selected) => withoutNames(selected) === withoutNames(operation.host) || selected === to,
  );
  return isIncluded && !exclude.some((entry) => entry.operation_ids?.includes(operation.operation_id));
}

describe("hosts with variables", () => {
  test("operations, matching rules and actions agree with trying every operation", async () => {
    const target = fc.tuple(fc.constantFrom("GET", "POST"), host, fc.constantFrom("/", "/u", "/v"));
    let routedByTemplate = 0;
    await fc.assert(
      fc.asyncProperty(
        operations,
        rules,
        fc.array(target, { maxLength: 8 }),
        async (list, given, targets) => {
          const zone = await compileZone({ configs: [], rules: given, operations: list }, { clock: () => 0 });
          // Twice: lists for a host are built at its first request.
          for (const [method, to, path] of [...targets, ...targets]) {
            const verdict = zone.evaluateSync({ method, url: `https://${to}${path}` });
            const operation = modelOperation(list, method, to, path);
            expect(verdict.operation).toEqual(operation);
            if (operation === undefined) continue;
            if (operation.host.includes("{")) routedByTemplate++;
            const covering = given.filter((rule) => modelCovers(rule.selector, operation, to));
            expect(verdict.rules.map(({ id }) => id)).toEqual(covering.map(({ id }) => id));
            const blocks = covering.some((rule) => rule.enabled && rule.action === "block");
            const logs = covering.some((rule) => rule.enabled);
            expect(verdict.action).toBe(blocks ? "block" : logs ? "log" : "allow");
          }
        },
      ),
      { numRuns: runs(400, 400) },
    );
    expect(routedByTemplate).toBeGreaterThan(100);
  });

  test("the preview includes an operation exactly for the hosts to which the zone applies the rule", async () => {
    await fc.assert(
      fc.asyncProperty(operations, selector, async (list, given) => {
        const rule: TokenRule = {
          id: "r",
          action: "log",
          enabled: true,
          expression: 'http.host eq ""',
          selector: given,
        };
        for (const preview of selectorPreview(given, list).operations) {
          const { state, hosts, ...operation } = preview;
          // Alone, so that no other operation takes precedence.
          const zone = await compileZone(
            { configs: [], rules: [rule], operations: [operation] },
            { clock: () => 0 },
          );
          for (const to of ["a.c", "b.c", "d.c", "a.b.c", "b.a.c", "d.d.c", "a.a.a.c", "b.d.a.c"]) {
            if (!matches(operation.host, to)) continue;
            const path = operation.endpoint.replace("{id}", "u");
            const { action } = zone.evaluateSync({ method: operation.method, url: `https://${to}${path}` });
            const isIncluded = state === "included" && (hosts === undefined || hosts.includes(to));
            expect([to, action]).toEqual([to, isIncluded ? "log" : "allow"]);
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test("the intersection of two templates matches the hosts that both match", () => {
    fc.assert(
      fc.property(template, template, host, (left, right, to) => {
        const [a, b] = [normalizeHostTemplate(left), normalizeHostTemplate(right)];
        const both = intersectHosts(a, b);
        expect(both !== undefined && matchesHost(both, to)).toBe(matchesHost(a, to) && matchesHost(b, to));
        expect(both).toBe(intersectHosts(b, a));
      }),
      { numRuns: runs(1000) },
    );
  });
});

test.each([
  ["{hostVar1}.Example.com", "{}.example.com", true],
  ["{a}.{b}", "{}.{}", true],
  ["{a}.b\u00fccher.example:8443", "{}.xn--bcher-kva.example", true],
  ["api.{tenant}.example.", "api.{}.example", true],
  ["api-{x}.example.com", "api-{x}.example.com", false],
  ["a.example.com", "a.example.com", false],
])("the normal form of %j is %j", (given, normal, isTemplate) => {
  expect(normalizeHostTemplate(given)).toBe(normal);
  expect(isHostTemplate(normal)).toBe(isTemplate);
});

test("two operations that differ only in the names of host variables match the same requests", () => {
  const operations = ["{a}.example.com", "{b}.EXAMPLE.com"].map((host, i) => {
    return { operation_id: String(i), method: "GET", host, endpoint: "/" };
  });
  expect(checkZone({ configs: [], rules: [], operations }).map(({ pointer }) => pointer)).toEqual([
    "/operations/1",
  ]);
});

test("a variable matches one label that is not empty", async () => {
  const operations = [{ operation_id: "o", method: "GET", host: "{a}.example.com", endpoint: "/" }];
  const zone = await compileZone({ configs: [], rules: [], operations }, { clock: () => 0 });
  const isMatched = (to: string) =>
    zone.evaluateSync({ method: "GET", url: `https://${to}/` }).operation !== undefined;
  expect(
    ["x.example.com", "EXAMPLE.example.com:8080", "example.com", "a.b.example.com"].map(isMatched),
  ).toEqual([true, true, false, false]);
  expect(isMatched(".example.com")).toBe(false);
});

test("a template in a selector matches nothing in a zone without operations", async () => {
  const selector = { include: [{ host: ["{a}.example.com"] }] };
  const rule = { id: "r", action: "block" as const, enabled: true, expression: 'http.host eq ""', selector };
  const zone = await compileZone({ configs: [], rules: [rule] }, { clock: () => 0 });
  for (const to of ["x.example.com", "{}.example.com"])
    expect(zone.evaluateSync({ method: "GET", url: `https://${to}/` }).action).toBe("allow");
});

test("requests to many hosts keep no state for hosts that no rule includes", async () => {
  const operations = [{ operation_id: "o", method: "GET", host: "{a}.example.com", endpoint: "/" }];
  const selector = { include: [{ host: ["{a}.example.com", "x.example.com"] }] };
  const rule = { id: "r", action: "log" as const, enabled: true, expression: 'http.host eq ""', selector };
  const zone = await compileZone({ configs: [], rules: [rule], operations }, { clock: () => 0 });
  for (let i = 0; i < 5_000; i++)
    expect(zone.evaluateSync({ method: "GET", url: `https://h${i}.example.com/` }).action).toBe("log");
});
