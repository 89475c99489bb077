import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  normalizePath,
  parseTemplate,
  type Segment,
  variable,
} from "../../../../src/engine/tokens/zone/path-template.ts";
import { createRouter, findRoute } from "../../../../src/engine/tokens/zone/router.ts";
import { checkPosition, movePosition } from "../../../../src/engine/tokens/zone/rule-order.ts";
import { checkSelector, selectorPreview } from "../../../../src/engine/tokens/zone/selector.ts";
import { runs } from "../../../support/runs.ts";

function segments(endpoint: string): readonly Segment[] {
  const parsed = parseTemplate(endpoint);
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  return parsed.value;
}

function router(...endpoints: string[]) {
  return createRouter(
    endpoints.map((endpoint) => ({
      host: "h",
      method: "GET",
      segments: segments(endpoint),
      value: endpoint,
    })),
  );
}

const route = (endpoints: string[], path: string) => findRoute(router(...endpoints), "h", "GET", path);

describe("templates", () => {
  test.each(["users", "", "/a?b", "/a#b", "/{a", "/x{a}", "/{}", "/{a}{b}", "/a/..", "/./a", "/%2e%2e/a"])(
    "%j is not a template",
    (endpoint) => expect(parseTemplate(endpoint).ok).toBe(false),
  );

  test("a template has its literals in normal form", () => {
    expect(segments("/a/{x}/caf\u00e9/%7euser/%2f")).toEqual(["a", variable, "caf%C3%A9", "~user", "%2F"]);
    expect(normalizePath("/%61%2f%zz%")).toBe("/a%2F%zz%");
    expect(parseTemplate("/\ud800").ok).toBe(true);
  });
});

describe("routing", () => {
  test.each([
    [["/users/{id}", "/users/me"], "/users/me", "/users/me"],
    [["/users/{id}", "/users/me"], "/users/you", "/users/{id}"],
    [["/{a}/b", "/a/{b}"], "/a/b", "/a/{b}"],
    [["/a/{x}/c", "/{y}/b/d"], "/a/b/d", "/{y}/b/d"],
    [["/users/{id}"], "/users/", undefined],
    [["/users"], "/users/", undefined],
    [["/users/"], "/users/", "/users/"],
    [["/"], "/", "/"],
    [["/{a}"], "/", undefined],
    [["/users/{id}"], "/users/a%2Fb", "/users/{id}"],
    [["/users"], "/%75sers", "/users"],
    [["/users/{id}"], "/users/a/b", undefined],
    [["/{id}"], "/__proto__", "/{id}"],
    [["/a"], "/constructor", undefined],
  ])("among %j the path %s matches %s", (endpoints, path, found) => {
    expect(route(endpoints, path)).toBe(found);
  });

  test("a route matches host and method, too", () => {
    expect(findRoute(router("/a"), "other", "GET", "/a")).toBeUndefined();
    expect(findRoute(router("/a"), "h", "POST", "/a")).toBeUndefined();
  });

  test("routing agrees with trying every template", () => {
    const text = fc.constantFrom("a", "b", "{x}", "");
    const endpoint = fc.array(text, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
    fc.assert(
      fc.property(fc.uniqueArray(endpoint, { maxLength: 12 }), endpoint, (endpoints, path) => {
        const given = path.replaceAll("{x}", "c");
        expect(route(endpoints, given)).toBe(bestOf(endpoints, given));
      }),
      { numRuns: runs(2000) },
    );
  });

  test("the cost of a hostile path is bounded by the number of operations", () => {
    const endpoints = Array.from(
      { length: 1024 },
      (_, i) =>
        `/${[...i.toString(2).padStart(10, "0")].map((bit) => (bit === "0" ? "a" : "{x}")).join("/")}/z`,
    );
    expect(route(endpoints, `${"/a".repeat(10)}/y`)).toBeUndefined();
    expect(route(endpoints, "/a".repeat(500_000))).toBeUndefined();
  });
});

/** Tries every template; of those that match, the one whose literals come first from the left. */
function bestOf(endpoints: readonly string[], path: string): string | undefined {
  const parts = path.split("/");
  const rank = (endpoint: string) =>
    endpoint
      .split("/")
      .map((part) => (part === "{x}" ? "1" : "0"))
      .join("");
  return endpoints
    .filter((endpoint) => {
      const own = endpoint.split("/");
      return (
        own.length === parts.length && own.every((p, i) => (p === "{x}" ? parts[i] !== "" : p === parts[i]))
      );
    })
    .sort((a, b) => rank(a).localeCompare(rank(b)))[0];
}

describe("selectors", () => {
  const operation = (operation_id: string, host: string) => ({
    operation_id,
    host,
    method: "GET",
    endpoint: "/",
  });
  const operations = [operation("1", "a.example"), operation("2", "A.example"), operation("3", "b.example")];

  test("the preview shows the state of each operation", () => {
    const selector = {
      include: [{ host: ["A.EXAMPLE"] }, {}, { host: ["a.example:443", "c.example"] }],
      exclude: [{ operation_ids: ["2", "3"] }, {}],
    };
    const preview = selectorPreview(selector, operations);
    expect(preview.operations.map((o) => o.state)).toEqual(["included", "excluded", "ignored"]);
    expect(preview.counts).toEqual({ included: 1, excluded: 1, ignored: 1 });
    expect(preview.selectedHosts).toEqual(["a.example", "c.example"]);
    expect(preview.availableHosts).toEqual(["a.example", "b.example"]);
  });

  test("a selector without includes matches nothing", () => {
    for (const selector of [
      {},
      { include: [] },
      { include: [{}] },
      { exclude: [{ operation_ids: ["1"] }] },
    ]) {
      expect(selectorPreview(selector, operations).counts).toEqual({ included: 0, excluded: 0, ignored: 3 });
    }
  });

  test("the documented example of the preview is correct", () => {
    const login = { operation_id: "op1", method: "POST", host: "api.example.com", endpoint: "/login" };
    expect(selectorPreview({ include: [{ host: ["API.example.com"] }] }, [login]).counts).toEqual({
      included: 1,
      excluded: 0,
      ignored: 0,
    });
  });

  test.each([
    [null, [""]],
    [[], [""]],
    [{ include: {} }, ["/include"]],
    [
      { include: [null, { host: "a" }, { host: [1, "", "a"] }] },
      ["/include/0", "/include/1/host", "/include/2/host/0"],
    ],
    [{ exclude: [{ operation_ids: {} }] }, ["/exclude/0/operation_ids"]],
    [{ include: [{ host: ["a"] }], exclude: [{ operation_ids: ["x"] }], other: 1 }, []],
  ])("%j has problems at %j", (selector, pointers) => {
    expect(checkSelector(selector).map((problem) => problem.pointer)).toEqual(pointers);
  });
});

describe("positions", () => {
  const order = ["a", "b", "c", "d"];

  test.each([
    ["a", { index: 1 }, "abcd"],
    ["d", { index: 1 }, "dabc"],
    ["a", { index: 2 }, "bacd"],
    ["a", { index: 4 }, "bcda"],
    ["b", { index: 99 }, "acdb"],
    ["c", { index: 0 }, "cabd"],
    ["a", { after: "b" }, "bacd"],
    ["a", { before: "b" }, "abcd"],
    ["d", { before: "a" }, "dabc"],
    ["a", { after: "d" }, "bcda"],
    ["a", { index: 2, before: undefined }, "bacd"],
  ])("moving %s to %j makes the order %s", (id, position, moved) => {
    expect(movePosition(order, id, position)).toMatchObject({ ok: true, value: { order: [...moved] } });
  });

  test("index 0 is read as 1, with a note", () => {
    expect(movePosition(order, "c", { index: 0 })).toMatchObject({
      ok: true,
      value: { order: ["c", "a", "b", "d"], notes: [{ code: 10402, pointer: "/index" }] },
    });
    expect(movePosition(order, "c", { index: 1 })).toMatchObject({ ok: true, value: { notes: [] } });
  });

  test("unknown members of a position are ignored, with one note that names them", () => {
    const others = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`x${i}`, i]));
    const notes = [{ code: 10401, pointer: "", message: expect.stringMatching(/`x0`, .*`x7` and 1 more/) }];
    expect(movePosition(order, "c", { index: 1, ...others })).toMatchObject({
      ok: true,
      value: { order: ["c", "a", "b", "d"], notes },
    });
  });

  test("the message distinguishes an index in quotes from a number", () => {
    expect(checkPosition({ index: "1" })).toMatchObject([
      { message: "`index` must be an integer from 1; found the string `1`." },
    ]);
  });

  test.each([
    [{ index: -1 }, "/index"],
    [{ index: 1.5 }, "/index"],
    [{ index: "1" }, "/index"],
    [{ index: Number.NaN }, "/index"],
    [{ index: null }, "/index"],
    [{}, ""],
    [null, ""],
    [[1], ""],
    ["first", ""],
    [{ index: 1, before: "b" }, ""],
    [{ before: "b", after: "b" }, ""],
    [{ before: "" }, "/before"],
    [{ before: "zz" }, "/before"],
    [{ after: 4 }, "/after"],
    [{ after: "a" }, "/after"],
    [{ before: "a" }, "/before"],
    [{ after: "__proto__" }, "/after"],
  ])("%j is rejected with the pointer %j", (position, pointer) => {
    const moved = movePosition(order, "a", position);
    expect(moved).toMatchObject({ ok: false, problems: [{ code: 10400, pointer }] });
    expect(!moved.ok && moved.problems).toHaveLength(1);
  });

  test("checkPosition checks the format without an order", () => {
    expect(checkPosition({ before: "anything" })).toEqual([]);
    expect(checkPosition({})).toHaveLength(1);
  });

  test("moving a rule that is not in the order throws a RangeError", () => {
    expect(() => movePosition(order, "zz", { index: 1 })).toThrow(RangeError);
  });

  test("every move is a permutation that keeps the others in order and moves the rule to its position", () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    const position = (order: string[]) =>
      fc.oneof(
        fc.record({ index: fc.nat({ max: 12 }) }),
        fc.record({ before: fc.constantFrom(...order) }),
        fc.record({ after: fc.constantFrom(...order) }),
      );
    const move = ids.chain((list) => fc.tuple(fc.constant(list), fc.constantFrom(...list), position(list)));
    fc.assert(
      fc.property(move, ([list, id, where]) => {
        const result = movePosition(list, id, where);
        expect(result.ok).toBe(!Object.values(where).includes(id));
        if (!result.ok) return;
        const moved = result.value.order;
        expect([...moved].sort()).toEqual([...list].sort());
        expect(moved.filter((other) => other !== id)).toEqual(list.filter((other) => other !== id));
        if ("before" in where) expect(moved[moved.indexOf(id) + 1]).toBe(where.before);
        else if ("after" in where) expect(moved[moved.indexOf(id) - 1]).toBe(where.after);
        else expect(moved.indexOf(id)).toBe(Math.min(Math.max(where.index, 1), list.length) - 1);
      }),
    );
  });
});
