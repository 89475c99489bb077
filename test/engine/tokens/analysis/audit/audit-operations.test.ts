import { expect, test } from "vitest";
import { auditOperations } from "../../../../../src/engine/tokens/analysis/audit/audit-operations.ts";
import type { TokenRule } from "../../../../../src/engine/tokens/model.ts";
import { configs } from "../grid.ts";

const header = { name: "header", source: 'http.request.headers["x-a"][0]' };
const rule = (host: string): TokenRule => {
  const selector = { include: [{ host: [host] }] };
  return { id: "r1", action: "block", enabled: true, expression: 'is_jwt_valid("a")', selector };
};
const documented = (host: string, security: readonly (readonly { name: string }[])[] = [[header]]) => {
  return { operation_id: host, method: "GET", host, endpoint: "/orders/{id}", security };
};
const order = (host: string) => {
  return { operation_id: "order", method: "GET", host, endpoint: "/orders/{var1}" };
};

test("an operation of the zone whose host has variables protects the documented hosts that it matches", () => {
  const documents = [documented("a.example.com"), documented("b.c.example.com")];
  const operations = [order("{hostVar1}.example.com")];
  const everyHost = auditOperations({ configs, rules: [rule("{x}.example.com")], operations }, documents);
  expect(everyHost.operations.map(({ outcome }) => outcome)).toEqual(["protected", "unknown"]);
  expect(everyHost.undocumented).toEqual([]);
  const oneHost = auditOperations({ configs, rules: [rule("b.example.com")], operations }, documents);
  expect(oneHost.operations[0]?.outcome).toBe("unprotected");
  expect(oneHost.operations[0]?.zoneOperations).toEqual(["order"]);
});

test("an operation of the zone with host variables is undocumented when no documented host matches it", () => {
  const operations = [order("{hostVar1}.example.net")];
  const { undocumented } = auditOperations({ configs, rules: [], operations }, [documented("a.example.com")]);
  expect(undocumented).toEqual(operations);
});

test("hosts with variables that overlap in too many ways leave every operation undecided", () => {
  const labels = Array.from({ length: 18 }, (_, i) => `l${i}`);
  const hosts = labels.map((_, i) => labels.map((label, j) => (i === j ? label : "{v}")).join("."));
  const operations = hosts.map((host, i) => ({ ...order(host), operation_id: `o${i}` }));
  const zone = { configs, rules: [rule(labels.join("."))], operations };
  const { operations: audited } = auditOperations(zone, [documented(labels.join(".")), documented("h", [])], {
    maxSteps: 10_000,
  });
  expect(audited.map(({ outcome }) => outcome)).toEqual(["undecided", "public-undecided"]);
});

test("documented operations that match the same requests are rejected", () => {
  const zone = { configs, rules: [] };
  const same = { ...documented("a.example.com"), operation_id: "other" };
  expect(() => auditOperations(zone, [documented("a.example.com"), same])).toThrow(
    /already matches the same requests/,
  );
});

test("an operation is public, whatever the rules are, when none of them can block its requests", () => {
  const [audited] = auditOperations({ configs, rules: [rule("b.example.com")] }, [
    documented("a.example.com", []),
  ]).operations;
  expect(audited?.outcome).toBe("public");
});
