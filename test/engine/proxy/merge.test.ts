import { applyPatch, mergeApp } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import { byName, direct, staticEdge, virtual } from "../../../src/engine/proxy/checks/samples.ts";
import { normalized } from "./bodies.ts";

const stored = normalized(direct);

describe("mergeApp", () => {
  test("the example of its docstring", () => {
    const merged = mergeApp(stored, { origin_dns: { name: "origin.example.com" }, origin_port: 22 });
    expect(merged["origin_direct"]).toBeUndefined();
    expect(merged["origin_dns"]).toEqual({ name: "origin.example.com" });
  });

  test("an empty change changes nothing", () => {
    for (const body of [direct, byName, virtual, staticEdge]) {
      expect(mergeApp(normalized(body), {})).toEqual(normalized(body));
    }
  });

  test("an origin by address replaces one by name", () => {
    const merged = mergeApp(normalized(byName), { origin_direct: ["tcp://192.0.2.1:22"] });
    expect(merged).not.toHaveProperty("origin_dns");
    expect(merged["origin_direct"]).toEqual(["tcp://192.0.2.1:22"]);
  });

  test("a change with both origins keeps both", () => {
    const merged = mergeApp(stored, { origin_direct: ["tcp://192.0.2.2:22"], origin_dns: {} });
    expect([merged["origin_direct"], merged["origin_dns"]]).toEqual([["tcp://192.0.2.2:22"], {}]);
  });

  test("null and an empty array clear an origin, and do not remove the other", () => {
    expect(mergeApp(stored, { origin_direct: null })).not.toHaveProperty("origin_direct");
    expect(mergeApp(stored, { origin_dns: null })["origin_direct"]).toEqual(direct.origin_direct);
    expect(mergeApp(normalized(byName), { origin_direct: [] })["origin_dns"]).toEqual(
      normalized(byName).origin_dns,
    );
  });

  test("nested members are merged one by one, and null clears them", () => {
    const merged = mergeApp(normalized(byName), { origin_dns: { ttl: null, type: "A" } });
    expect(merged["origin_dns"]).toEqual({ name: "origin.example.com", type: "A" });
  });

  test("a new edge type replaces the old edge addresses", () => {
    const edge_ips = { type: "static", ips: ["198.51.100.10"] };
    expect(mergeApp(stored, { edge_ips })["edge_ips"]).toEqual(edge_ips);
    expect(mergeApp(stored, { edge_ips: { connectivity: "ipv6" } })["edge_ips"]).toEqual({
      type: "dynamic",
      connectivity: "ipv6",
    });
  });

  test("only own members of an application are merged", () => {
    const hostile = JSON.parse('{"__proto__":{"tls":"full"},"constructor":1,"foo":2}');
    expect(mergeApp(stored, hostile)).toEqual(stored);
    expect(mergeApp(stored, Object.create({ tls: "full" }))).toEqual(stored);
  });
});

describe("applyPatch", () => {
  test("the example of its docstring", () => {
    expect(
      applyPatch({ dns: { type: "CNAME" }, foo: 1 }, [
        { op: "remove", path: "/foo" },
        { op: "replace", path: "/dns/type", value: "ADDRESS" },
      ]),
    ).toEqual({ dns: { type: "ADDRESS" } });
  });

  test("the value is not changed, and members keep their order", () => {
    const body = Object.freeze({ a: 1, b: Object.freeze([1, 2]), c: 3 });
    const patched = applyPatch(body, [
      { op: "replace", path: "/b/1", value: 9 },
      { op: "add", path: "/a", value: 0 },
      { op: "add", path: "/d", value: 4 },
    ]);
    expect(JSON.stringify(patched)).toBe('{"a":0,"b":[1,9],"c":3,"d":4}');
    expect(body).toEqual({ a: 1, b: [1, 2], c: 3 });
  });

  test("names are unescaped (RFC 6901), and names of prototype members are ordinary names", () => {
    expect(applyPatch({ "a/b": 1, "m~n": 2 }, [{ op: "remove", path: "/a~1b" }])).toEqual({ "m~n": 2 });
    expect(applyPatch({ "~1": 1, "/": 2 }, [{ op: "remove", path: "/~01" }])).toEqual({ "/": 2 });
    const patched = applyPatch({}, [{ op: "add", path: "/__proto__", value: { polluted: true } }]);
    expect(Object.hasOwn(patched as object, "__proto__")).toBe(true);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(() => applyPatch({}, [{ op: "replace", path: "/constructor/x", value: 1 }])).toThrow(RangeError);
  });

  test("removing a missing member changes nothing", () => {
    expect(applyPatch({ a: 1 }, [{ op: "remove", path: "/b/c" }])).toEqual({ a: 1 });
  });

  test.each([
    ["inserting into an array", { op: "add", path: "/list/0", value: 0 }],
    ["appending to an array", { op: "add", path: "/list/-", value: 0 }],
    ["removing from an array", { op: "remove", path: "/list/0" }],
    ["replacing an element after the end", { op: "replace", path: "/list/2", value: 0 }],
    ["replacing a missing member", { op: "replace", path: "/b", value: 0 }],
    ["adding to a missing member", { op: "add", path: "/b/c", value: 0 }],
    ["adding to a string", { op: "add", path: "/text/c", value: 0 }],
    ["a path without a slash", { op: "add", path: "a", value: 0 }],
  ] as const)("%s is rejected", (_, operation) => {
    expect(() => applyPatch({ list: [1, 2], text: "x" }, [operation])).toThrow(RangeError);
  });
});
