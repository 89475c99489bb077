import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { readWorld } from "../../../src/import/world-from.ts";

const text = readFileSync(new URL("../../../fixtures/openapi/shop.yaml", import.meta.url), "utf8");

function readText(name: string, text: string) {
  return readWorld([{ name, text }], { zoneNames: { z1: "example.com" } });
}

test("a document becomes the operations of a zone, with notes about token sources", () => {
  const read = readText("shop.yaml", text);
  if (!read.ok) throw new Error(read.problems[0].message);
  const { world, report } = read.value;
  expect(report.formats).toEqual([{ file: "shop.yaml", format: "OpenAPI document" }]);
  expect(report.undecided).toEqual([]);
  const operations = world.zones?.[0]?.token_validation?.operations ?? [];
  expect(operations).toHaveLength(13);
  expect(operations[2]).toEqual({
    operation_id: "getOrder",
    method: "GET",
    host: "api.example.com",
    endpoint: "/v1/orders/{var1}",
  });
  expect(report.derived.map(({ message, at: { start } }) => `${start.line}: ${message}`)).toMatchSnapshot();
  expect(report.dropped.map(({ message, at: { start } }) => `${start.line}: ${message}`)).toMatchSnapshot();
});

test("the world of a document is accepted by an edge", async () => {
  const read = readText("shop.yaml", text);
  if (!read.ok) throw new Error(read.problems[0].message);
  const { store } = createEdge({ world: read.value.world });
  await expect(store.read(async () => {})).resolves.toBeUndefined();
});

test("JSON documents are recognized by their version, whatever their other members are", () => {
  const document = { info: {}, "x-success": true, openapi: "3.1.0", paths: {} };
  expect(readText("api.json", JSON.stringify(document)).ok).toBe(true);
  expect(readText("api.json", '{"paths":{}}').ok).toBe(false);
});

test("a server without a host leaves a host undecided, with what to do", () => {
  const read = readText("api.yaml", "openapi: 3.0.0\npaths: { /a: { get: {} } }\n");
  expect(
    read.ok && read.value.report.undecided.map(({ about, message, run }) => [about, message, run]),
  ).toEqual([
    [
      "host",
      "Operations are left out: The server URL `/` has no host.",
      "npx edgeproof world from api.yaml --host <name>; or write the host in `servers` of the document",
    ],
  ]);
  const given = readWorld([{ name: "api.yaml", text: "openapi: 3.0.0\npaths: { /a: { get: {} } }\n" }], {
    hosts: ["api.example.com"],
  });
  expect(given).toMatchObject({
    ok: true,
    value: {
      world: { zones: [{ token_validation: { operations: [{ host: "api.example.com", endpoint: "/a" }] } }] },
      report: { undecided: [{ about: "zone" }] },
    },
  });
});

test.each([
  ["a syntax error", "openapi: 3.0.0\npaths: {", 2],
  ["an invalid member", "openapi: 3.0.0\npaths:\n  /a: []\n", 3],
  ["a version that is not read", "swagger: '1.2'\n", 1],
])("%s is reported at its line", (_, broken, line) => {
  const read = readText("api.yaml", broken);
  expect(!read.ok && read.problems[0].at).toMatchObject({ file: "api.yaml", start: { line } });
});
