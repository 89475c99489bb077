/** Hostile documents: each is read, or rejected with a place, in bounded time. */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseYamlSource } from "../../../src/core/yaml/source.ts";
import { auditOpenApi } from "../../../src/import/openapi/audit-openapi.ts";
import { maxOpenApiOperations, readOpenApi } from "../../../src/import/openapi/read-openapi.ts";
import { readWorld } from "../../../src/import/world-from.ts";
import { runs } from "../../support/runs.ts";

const text = readFileSync(new URL("../../../fixtures/openapi/shop.yaml", import.meta.url), "utf8");
const source = parseYamlSource(text);
const shop = source.ok ? source.value.value : undefined;
const zone = { configs: [], rules: [] };

const names = [
  "__proto__",
  "constructor",
  "toString",
  "$ref",
  "security",
  "servers",
  "get",
  "paths",
  "url",
  "enum",
  "x",
];
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      null,
      true,
      1e308,
      -0,
      "",
      "#/",
      "#/paths",
      "{",
      "{}",
      "{a}",
      "https://{a}.b",
      "//",
      "/{x}/{x}",
    ),
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie("any"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

/** Replaces the value at a path of member names and indexes; a copy. */
function replaced(target: unknown, path: readonly number[], by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof target !== "object" || target === null) return by;
  const keys = Object.keys(target);
  const key = keys[step % Math.max(1, keys.length)] ?? "x";
  const copy = (Array.isArray(target) ? [...target] : { ...target }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

test("any value in any place of a document is read or rejected, and what is read can be audited", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 6 }), value, (path, by) => {
      const document = replaced(shop, path, by);
      const options = { hosts: ["h.example"], ignore: ["__proto__"] };
      const read = readOpenApi(document, options);
      if (!read.ok) {
        for (const { pointer, message } of read.problems)
          expect([typeof pointer, message]).toEqual(["string", expect.stringMatching(/\.$/)]);
        return;
      }
      const audit = auditOpenApi(document, zone, options);
      expect(audit.operations.every(({ outcome }) => ["public", "no-token-source"].includes(outcome))).toBe(
        true,
      );
    }),
    { numRuns: runs(300) },
  );
});

test("a truncated document is read or rejected at a line of it", () => {
  const lines = text.split("\n").length;
  for (let length = 0; length < text.length; length += 37) {
    const read = readWorld([{ name: "api.yaml", text: text.slice(0, length) }]);
    if (!read.ok) expect(read.problems[0].line).toBeLessThanOrEqual(lines);
  }
});

test("names of prototypes are names like others", () => {
  const document = JSON.parse(`{
    "openapi": "3.0.0", "servers": [{ "url": "https://{__proto__}.example", "variables": { "__proto__": { "default": "api" } } }],
    "security": [{ "__proto__": [] }],
    "paths": { "/__proto__/{constructor}": { "get": { "operationId": "__proto__" } }, "/c": { "$ref": "#/components/pathItems/__proto__" } },
    "components": { "securitySchemes": { "__proto__": { "type": "http", "scheme": "bearer" } } } }`);
  const read = readOpenApi(document);
  if (!read.ok) throw new Error(read.problems[0].message);
  expect(read.value.operations).toMatchObject([
    { operation_id: "__proto__", host: "api.example", security: [[{ name: "__proto__" }]] },
  ]);
  expect(read.value.operations[0]?.security[0]?.[0]?.source).toContain("authorization");
  expect(read.value.dropped).toHaveLength(1);
});

test("aliases that grow without bound are rejected", () => {
  const levels = Array.from(
    { length: 30 },
    (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}*a${i}]`,
  );
  const bomb = ["openapi: 3.0.0", "a0: &a0 [x]", ...levels, "paths: {}"].join("\n");
  // Expanded, they would have 9 ** 30 entries.
  const read = readWorld([{ name: "bomb.yaml", text: bomb }]);
  expect(read.ok).toBe(false);
});

test("references that fan out are followed one by one, and cycles end", () => {
  const parameters = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [
      `p${i}`,
      { $ref: `#/components/parameters/p${(i + 1) % 2_000}` },
    ]),
  );
  const list = Array.from({ length: 2_000 }, (_, i) => ({ $ref: `#/components/parameters/p${i}` }));
  const paths = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`/p${i}`, { parameters: list, get: {} }]),
  );
  const document = {
    openapi: "3.0.0",
    servers: [{ url: "https://h.example" }],
    paths,
    components: { parameters },
  };
  const started = performance.now();
  const read = readOpenApi(document);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(read.ok && [read.value.operations.length, read.value.dropped.length]).toEqual([20, 40_000]);
});

test("operations beyond the maximum on all servers are rejected", () => {
  const servers = Array.from({ length: 200 }, (_, i) => ({ url: `https://h${i}.example` }));
  const paths = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`/p${i}`, { get: {} }]));
  const read = readOpenApi({ openapi: "3.0.0", servers, paths });
  expect(read.ok ? [] : read.problems.map(({ message }) => message)).toEqual([
    `There are more than ${maxOpenApiOperations} operations on all servers.`,
  ]);
});
