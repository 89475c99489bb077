import { describe, expect, test } from "vitest";
import type { RequestHeaders } from "../../../../src/engine/tokens/model.ts";
import { findToken, stripBearer } from "../../../../src/engine/tokens/zone/find-token.ts";
import { checkRequest, readRequest } from "../../../../src/engine/tokens/zone/request.ts";
import { normalizeHost } from "../../../../src/engine/tokens/zone/target.ts";
import { checkTokenSources, parseTokenSource } from "../../../../src/engine/tokens/zone/token-source.ts";
import { InvalidInputError } from "../../../../src/errors.ts";
import { readField } from "../read-field.ts";

const url = "https://api.example.com/users";

function source(text: string) {
  const parsed = parseTokenSource(text);
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  return parsed.value;
}

function find(headers: RequestHeaders | Headers, ...sources: string[]) {
  const found = findToken(
    readRequest({ method: "GET", url, headers: headers as RequestHeaders }),
    sources.map(source),
  );
  return found && [found.token, found.source.text];
}

const header = (name: string, index = 0) => `http.request.headers["${name}"][${index}]`;
const cookie = (name: string, index = 0) => `http.request.cookies["${name}"][${index}]`;

describe("token sources", () => {
  test("are parsed with their canonical spelling", () => {
    expect(source('http.request.cookies[ r"Session" ] [ 07 ]')).toMatchObject({
      name: "http.request.cookies",
      key: "Session",
      index: 7,
      text: 'http.request.cookies["Session"][7]',
    });
  });

  test.each([
    ["", 1, "the end of the text"],
    ["http.request.headers", 21, "Expected `[`"],
    ['http.request.headers["a"]', 26, "Expected `[`"],
    ['http.request.headers["a"][x]', 27, "an index (an integer from 0)"],
    ['http.request.headers["a"][0.5]', 28, "An index must be an integer"],
    ['http.request.headers["a"][99999999999999999999]', 27, "an index"],
    ['http.request.headers["a"][0] or', 30, "the end of the text"],
    ['http.request.uri.query["a"][0]', 1, "`http.request.headers` or `http.request.cookies`"],
  ])("%j is not a token source: column %i, %s", (text, column, message) => {
    const parsed = parseTokenSource(text);
    expect(parsed).toMatchObject({ ok: false, problems: [{ column }] });
    expect(!parsed.ok && parsed.problems[0].message).toContain(message);
  });

  test("are checked as a list, each problem with its pointer", () => {
    const list = [header("a"), "http.host", 4, header(""), header("a b"), cookie(""), cookie("a b")];
    const { problems, notes } = checkTokenSources(list, { at: "/token_sources" });
    expect(problems.map((problem) => problem.pointer)).toEqual(
      [1, 2, 3, 4, 5].map((i) => `/token_sources/${i}`),
    );
    expect(notes).toEqual([]);
    expect(checkTokenSources("x").problems).toMatchObject([{ pointer: "", code: 10400 }]);
    expect(checkTokenSources(["http.request.body"]).problems[0]?.pointer).toBe("/0");
  });

  test("with upper-case header names are noted or rejected", () => {
    const list = [header("Authorization"), cookie("Session")];
    expect(checkTokenSources(list)).toMatchObject({ problems: [], notes: [{ pointer: "/0" }] });
    expect(checkTokenSources(list, { headerCase: "lower" })).toMatchObject({
      problems: [{ pointer: "/0" }],
      notes: [],
    });
  });
});

describe("finding the token", () => {
  test("the first source with a token is used", () => {
    const headers = { authorization: "Bearer one", cookie: "s=two" };
    expect(find(headers, header("x"), cookie("s"), header("authorization"))).toEqual(["two", cookie("s")]);
    expect(find(headers, header("authorization"), cookie("s"))).toEqual(["one", header("authorization")]);
    expect(find(headers, header("x"))).toBeUndefined();
  });

  test("a source with only a scheme, or with nothing, is skipped", () => {
    const headers = { authorization: "Bearer ", "x-empty": "", "x-scheme": "bearer:", cookie: "s=two" };
    expect(
      find(headers, header("authorization"), header("x-empty"), header("x-scheme"), cookie("s"))?.[0],
    ).toBe("two");
  });

  test("header names are compared without case, in records, pairs and Headers", () => {
    expect(find({ AUTHORIZATION: "a" }, header("Authorization"))?.[0]).toBe("a");
    expect(find([["AuthoriZation", "a"]], header("authorization"))?.[0]).toBe("a");
    expect(find(new Headers({ Authorization: "a" }), header("authorization"))?.[0]).toBe("a");
  });

  test("repeated headers are counted in request order", () => {
    const pairs: RequestHeaders = [
      ["X", "a"],
      ["y", "-"],
      ["x", "b"],
      ["X", "c"],
    ];
    expect([0, 1, 2, 3].map((i) => find(pairs, header("x", i))?.[0])).toEqual(["a", "b", "c", undefined]);
    const record = { x: ["a", "b"], y: "-", X: "c" };
    expect([0, 1, 2, 3].map((i) => find(record, header("x", i))?.[0])).toEqual(["a", "b", "c", undefined]);
  });

  test("Headers have one joined value", () => {
    const joined = new Headers([
      ["x", "a"],
      ["x", "b"],
    ]);
    expect([0, 1].map((i) => find(joined, header("x", i))?.[0])).toEqual(["a, b", undefined]);
  });

  test("cookie names are case-sensitive and decoded, values are as sent", () => {
    const headers: RequestHeaders = [
      ["Cookie", "s=one%20; S=two;  %73 =\tthree ; bad%=x; flag; =nameless"],
      ["cookie", "s=four=4"],
    ];
    expect([0, 1, 2, 3].map((i) => find(headers, cookie("s", i))?.[0])).toEqual([
      "one%20",
      "three",
      "four=4",
      undefined,
    ]);
    expect(find(headers, cookie("S"))?.[0]).toBe("two");
    expect(find(headers, cookie("bad%"))?.[0]).toBe("x");
    expect(find(headers, cookie("flag"))).toBeUndefined();
    expect(find(new Headers({ cookie: "s=one; s=two" }), cookie("s", 1))?.[0]).toBe("two");
  });

  test.each([
    ["Bearer abc", "abc"],
    ["bearer: abc", "abc"],
    ["BEARER:\t abc ", "abc "],
    ["Bearer", ""],
    ["Bearer:", ""],
    ["Bearerabc", "Bearerabc"],
    ["Bearer:abc", "Bearer:abc"],
    [" Bearer abc", " Bearer abc"],
    ["Basic abc", "Basic abc"],
    ["", ""],
  ])("stripBearer of %j is %j", (value, token) => {
    expect(stripBearer(value)).toBe(token);
  });
});

describe("reading a request", () => {
  const field = (
    request: Parameters<typeof readRequest>[0],
    name: "http.request.method" | "http.host" | "http.request.uri.path",
  ) => readField(readRequest(request), { name });

  test("reads the method in upper case, the host in lower case without port, the path without query", () => {
    const request = { method: "patch", url: "https://API.Example.com:8443/a/./b/../c?x#y" };
    expect(field(request, "http.request.method")).toBe("PATCH");
    expect(field(request, "http.host")).toBe("api.example.com");
    expect(field(request, "http.request.uri.path")).toBe("/a/c");
    expect(field({ method: "GET", url: "http://a.example" }, "http.request.uri.path")).toBe("/");
  });

  test("reads a WHATWG Request", () => {
    const request = new Request("https://api.example.com/a?b", { method: "post", headers: { x: "1" } });
    expect(field(request, "http.request.method")).toBe("POST");
    expect(readField(readRequest(request), { name: "http.request.headers", key: "X", index: 0 })).toBe("1");
  });

  test.each([
    [{ method: "", url }, ["/method"]],
    [{ method: "GET POST", url }, ["/method"]],
    [{ method: "GET", url: "/users" }, ["/url"]],
    [{ method: "GET", url: "ftp://a.example/" }, ["/url"]],
    [{ method: "GET", url: "https://" }, ["/url"]],
    [{ method: "GET", url: "https://a b/" }, ["/url"]],
    [{}, ["/method", "/url"]],
    [{ method: 4, url: 5, headers: 6 }, ["/method", "/url", "/headers"]],
  ])("rejects %j with problems at %j", (request, pointers) => {
    expect(checkRequest(request).map((problem) => problem.pointer)).toEqual(pointers);
    expect(() => readRequest(request as never)).toThrow(InvalidInputError);
  });

  test("the check reports headers that reading would skip", () => {
    expect(checkRequest(null)).toHaveLength(1);
    expect(checkRequest({ method: "GET", url, headers: { a: "x", b: 4, c: ["x", 5] } })).toMatchObject([
      { pointer: "/headers/b" },
      { pointer: "/headers/c" },
    ]);
    expect(checkRequest({ method: "GET", url, headers: [["a", "x"], ["b"]] })).toMatchObject([
      { pointer: "/headers/1" },
    ]);
    expect(checkRequest({ method: "GET", url: "/users" })).toMatchObject([
      {
        code: 10400,
        pointer: "/url",
        message: "`url` must be an absolute http or https URL; found the string `/users`.",
      },
    ]);
  });

  test.each([
    ["API.Example.COM", "api.example.com"],
    ["api.example.com:8443", "api.example.com"],
    ["api.example.com.", "api.example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["[::1]", "[::1]"],
    ["No Host", "no host"],
    ["a/b", "a/b"],
    ["u@a", "u@a"],
  ])("the normal form of the host %s is %s", (host, normal) => {
    expect(normalizeHost(host)).toBe(normal);
  });
});
