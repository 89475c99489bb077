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
    expect(applyPatch({ tsl: "off", dns: {} }, [{ op: "move", from: "/tsl", path: "/tls" }])).toEqual({
      tls: "off",
      dns: {},
    });
  });

  test("the value is not changed, and members keep their order", () => {
    const body = Object.freeze({ a: 1, b: Object.freeze([1, 2]), c: Object.freeze({ x: 1, y: 2 }) });
    const patched = applyPatch(body, [
      { op: "replace", path: "/b/1", value: 9 },
      { op: "move", from: "/a", path: "/z" },
      { op: "move", from: "/c/x", path: "/c/w" },
    ]);
    expect(JSON.stringify(patched)).toBe('{"z":1,"b":[1,9],"c":{"w":1,"y":2}}');
    expect(body).toEqual({ a: 1, b: [1, 2], c: { x: 1, y: 2 } });
  });

  test("names are unescaped (RFC 6901), and names of prototype members are ordinary names", () => {
    expect(applyPatch({ "a/b": 1, "m~n": 2 }, [{ op: "move", from: "/a~1b", path: "/c" }])).toEqual({
      c: 1,
      "m~n": 2,
    });
    expect(applyPatch({ "~1": 1, "/": 2 }, [{ op: "replace", path: "/~01", value: 3 }])).toEqual({
      "~1": 3,
      "/": 2,
    });
    const patched = applyPatch({ a: { polluted: true } }, [{ op: "move", from: "/a", path: "/__proto__" }]);
    expect(Object.hasOwn(patched as object, "__proto__")).toBe(true);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(() => applyPatch({}, [{ op: "replace", path: "/constructor/x", value: 1 }])).toThrow(RangeError);
  });

  test("moving a missing member changes nothing, so that a patch can be applied twice", () => {
    expect(applyPatch({ a: 1 }, [{ op: "move", from: "/b", path: "/c" }])).toEqual({ a: 1 });
    expect(applyPatch({ a: 1 }, [{ op: "move", from: "/b", path: "/a" }])).toEqual({ a: 1 });
  });

  test.each([
    ["replacing an element after the end", { op: "replace", path: "/list/2", value: 0 }],
    ["replacing an element by a number with a leading zero", { op: "replace", path: "/list/00", value: 0 }],
    ["replacing a missing member", { op: "replace", path: "/b", value: 0 }],
    ["replacing a member of a missing one", { op: "replace", path: "/b/c", value: 0 }],
    ["replacing a member of a string", { op: "replace", path: "/text/0", value: 0 }],
    ["a path without a slash", { op: "replace", path: "text", value: 0 }],
    ["moving over another member", { op: "move", from: "/text", path: "/list" }],
    ["moving into another object", { op: "move", from: "/text", path: "/object/text" }],
    ["moving out of an object", { op: "move", from: "/object/a", path: "/a" }],
    ["moving in an array", { op: "move", from: "/list/0", path: "/list/1" }],
    ["moving in a missing object", { op: "move", from: "/b/c", path: "/b/d" }],
  ] as const)("%s is rejected", (_, operation) => {
    expect(() => applyPatch({ list: [1, 2], text: "x", object: { a: 1 } }, [operation])).toThrow(RangeError);
  });
});
