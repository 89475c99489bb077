import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseYamlSource } from "../../../src/core/yaml/source.ts";
import { type OpenApiOptions, readOpenApi } from "../../../src/import/openapi/read-openapi.ts";

const bearer = { type: "http", scheme: "Bearer" };
const get = { get: {} };

function read(document: object, options?: OpenApiOptions) {
  const result = readOpenApi({ openapi: "3.0.3", ...document }, options);
  if (!result.ok)
    throw new Error(result.problems.map(({ pointer, message }) => `${pointer} ${message}`).join("\n"));
  return result.value;
}

function problemsOf(document: unknown): string[] {
  const result = readOpenApi(document);
  return result.ok ? [] : result.problems.map(({ pointer, message }) => `${pointer}: ${message}`);
}

/** `METHOD host/path` of each operation. */
function routes(document: object, options?: OpenApiOptions): string[] {
  return read(document, options).operations.map(
    ({ method, host, endpoint }) => `${method} ${host}${endpoint}`,
  );
}

/** The security of the only operation, as names. */
function securityOf(document: object): string[][] {
  const [operation] = read({ servers: [{ url: "https://h.example" }], ...document }).operations;
  return (operation?.security ?? []).map((schemes) => schemes.map(({ name }) => name));
}

function sourceOf(scheme: unknown) {
  const [found] = read({ components: { securitySchemes: { scheme } } }).schemes;
  return found?.source ?? found?.reason;
}

test("the fixture has its operations on both hosts, with their security and their places", () => {
  const text = readFileSync(new URL("../../../fixtures/openapi/shop.yaml", import.meta.url), "utf8");
  const source = parseYamlSource(text);
  if (!source.ok) throw new Error(source.problems[0].message);
  const document = readOpenApi(source.value.value, { ignore: ["x-internal"] });
  if (!document.ok) throw new Error(document.problems[0].message);
  const { operations, dropped, ignored, derived } = document.value;
  expect(
    operations.map(({ operation_id, method, host, endpoint, security, pointer }) => [
      operation_id,
      `${method} ${host}${endpoint}`,
      security.map((schemes) => schemes.map(({ name }) => name)),
      source.value.locate(pointer).line,
    ]),
  ).toMatchSnapshot();
  expect(dropped).toMatchSnapshot();
  expect(ignored.map(({ pointer }) => pointer)).toEqual(["/paths/~1admin"]);
  expect(derived).toMatchSnapshot();
});

describe("servers", () => {
  const paths = { "/a": get };

  test("the nearest list counts: of the operation, of the path item, of the document", () => {
    const server = (host: string) => [{ url: `https://${host}.example` }];
    const document = {
      servers: server("document"),
      paths: {
        "/a": get,
        "/b": { servers: server("path"), ...get, put: { servers: server("operation") } },
        "/c": { servers: [], ...get },
      },
    };
    expect(routes(document)).toEqual([
      "GET document.example/a",
      "GET path.example/b",
      "PUT operation.example/b",
      "GET document.example/c",
    ]);
  });

  test("variables become the values of their enum, else their default, in every combination", () => {
    const variables = { env: { enum: ["api", "test"], default: "api" }, base: { default: "v2" } };
    expect(routes({ servers: [{ url: "https://{env}.example.com/{base}/", variables }], paths })).toEqual([
      "GET api.example.com/v2/a",
      "GET test.example.com/v2/a",
    ]);
  });

  test("a variable without values drops the server, and too many combinations are cut", () => {
    const missing = read({ servers: [{ url: "https://{env}.example.com" }], paths });
    expect(missing.operations).toEqual([]);
    expect(missing.dropped[0]?.message).toBe(
      "The server is left out: its variable `env` has neither `enum` nor `default`.",
    );
    const values = Array.from({ length: 50 }, (_, i) => `v${i}`);
    const variables = { a: { enum: values }, b: { enum: values }, c: { enum: values } };
    const many = read({ servers: [{ url: "https://{a}.{b}.{c}.example", variables }], paths });
    expect(many.operations.length).toBe(64);
    expect(many.dropped[0]?.message).toContain("more than 64 URLs");
  });

  test("a relative URL, and a document without servers, need a host", () => {
    const relative = { servers: [{ url: "v1/" }], paths };
    expect(read(relative).withoutHost).toMatchObject([
      { pointer: "/servers/0/url", message: "The server URL `v1/` has no host." },
    ]);
    expect(routes(relative, { hosts: ["a.example", "B.example"] })).toEqual([
      "GET a.example/v1/a",
      "GET b.example/v1/a",
    ]);
    expect(read({ paths }).withoutHost).toHaveLength(1);
    expect(read({ paths: {} }).withoutHost).toEqual([]);
    expect(routes({ paths }, { hosts: ["a.example"] })).toEqual(["GET a.example/a"]);
  });

  test("ports are left out, as are servers that are not http", () => {
    const urls = ["http://h.example:8080/x", "wss://h.example", "//h.example/y", "https://h.example:99999"];
    const document = read({ servers: urls.map((url) => ({ url })), paths });
    expect(document.operations.map(({ endpoint }) => endpoint)).toEqual(["/x/a", "/y/a"]);
    expect(document.derived.map(({ message }) => message)).toEqual([
      "The port of `http://h.example:8080/x` is left out: operations have no port, so rules apply to all ports.",
    ]);
    expect(document.dropped.map(({ pointer }) => pointer)).toEqual(["/servers/1/url", "/servers/3/url"]);
  });

  test("http and https of one host are one operation", () => {
    const servers = [{ url: "http://h.example" }, { url: "https://h.example/" }];
    const document = read({ servers, paths });
    expect([document.operations.length, document.dropped]).toEqual([1, []]);
  });
});

describe("paths", () => {
  const servers = [{ url: "https://h.example" }];

  test("variables are numbered from the left, and templates that differ in names only collide", () => {
    const document = read({ servers, paths: { "/a/{x}/{y}": get, "/a/{p}/{q}": get } });
    expect(document.operations.map(({ endpoint }) => endpoint)).toEqual(["/a/{var1}/{var2}"]);
    expect(document.dropped).toMatchObject([
      {
        pointer: "/paths/~1a~1{p}~1{q}/get",
        message: "Left out on h.example: /paths/~1a~1{x}~1{y}/get matches the same requests.",
      },
    ]);
  });

  test("a template with a part of a segment is left out with a warning", () => {
    const { operations, dropped } = read({
      servers,
      paths: { "/files/{name}.pdf": get, "no-slash": get, "x-y": 1 },
    });
    expect(operations).toEqual([]);
    expect(dropped.map(({ message }) => message)).toEqual([
      "The path is left out: `endpoint` must be a path whose variables, such as `{id}`, are whole segments; found the string `/files/{name}.pdf`.",
      "The path is left out: `endpoint` must be a path that starts with `/`; found the string `no-slash`.",
    ]);
  });

  test("a path item can be a reference in the document, and its own members count first", () => {
    const document = {
      openapi: "3.1.0",
      servers,
      paths: { "/a": { $ref: "#/components/pathItems/A%20b~1c", put: { operationId: "own" } } },
      components: {
        pathItems: { "A b/c": { get: { operationId: "there" }, put: { operationId: "hidden" } } },
      },
    };
    expect(read(document).operations.map(({ operation_id }) => operation_id)).toEqual(["there", "own"]);
  });

  test("references to files, to the network, to nothing and in cycles are reported and not followed", () => {
    const { operations, dropped } = read({
      servers,
      paths: {
        "/file": { $ref: "../../etc/passwd" },
        "/net": { $ref: "http://127.0.0.1/x" },
        "/none": { $ref: "#/components/pathItems/constructor" },
        "/loop": { $ref: "#/paths/~1pool" },
        "/pool": { $ref: "#/paths/~1loop" },
        "/number": { $ref: 1 },
        "/escape": { $ref: "#/%zz" },
      },
      components: { pathItems: {} },
    });
    expect(operations).toEqual([]);
    expect(dropped.map(({ pointer, message }) => `${pointer}: ${message}`)).toMatchSnapshot();
  });

  test("operations with an ignored extension are left out, unless it is false", () => {
    const paths = {
      "/a": { "x-internal": true, get: {} },
      "/b": { get: { "x-internal": "yes" }, put: { "x-internal": false } },
    };
    expect(routes({ servers, paths }, { ignore: ["x-internal"] })).toEqual(["PUT h.example/b"]);
    expect(routes({ servers, paths })).toHaveLength(3);
  });

  test("ids are the operation ids of the document, unique and at most 64 characters", () => {
    const long = "o".repeat(80);
    const operation = { operationId: long };
    const document = read({
      servers,
      paths: {
        "/a": { get: operation, put: operation, post: { operationId: "" }, patch: { operationId: 1 } },
      },
    });
    expect(document.operations.map(({ operation_id }) => operation_id)).toEqual([
      "o".repeat(64),
      `${"o".repeat(62)} 2`,
      "POST h.example/a",
      "PATCH h.example/a",
    ]);
  });

  test("webhooks and callbacks are no operations of the server", () => {
    const document = { openapi: "3.1.0", servers, webhooks: { "/w": get } };
    expect(routes(document)).toEqual([]);
  });
});

describe("security", () => {
  const components = { securitySchemes: { a: bearer, b: bearer } };
  const security = [{ a: [] }];

  test("the security of an operation replaces that of the document", () => {
    const withSecurity = (own?: unknown) =>
      securityOf({
        components,
        security,
        paths: { "/": { get: own === undefined ? {} : { security: own } } },
      });
    expect(withSecurity()).toEqual([["a"]]);
    expect(withSecurity([{ b: [] }])).toEqual([["b"]]);
    expect(withSecurity([])).toEqual([]);
    expect(withSecurity([{ a: [], b: [] }, {}])).toEqual([["a", "b"], []]);
    expect(securityOf({ paths: { "/": get } })).toEqual([]);
  });

  test("an operation with a security that is not a list is rejected, and never public", () => {
    const document = (own: unknown) => ({
      openapi: "3.0.0",
      servers: [{ url: "https://h.example" }],
      paths: { "/": { get: { security: own } } },
    });
    expect(problemsOf(document(null))).toEqual([
      "/paths/~1/get/security: `security` must be an array; found `null`.",
    ]);
    expect(problemsOf(document("a"))).toEqual([
      "/paths/~1/get/security: `security` must be an array; found the string `a`.",
    ]);
    expect(problemsOf(document(["a"]))).toEqual([
      "/paths/~1/get/security/0: An element of `security` must be an object; found the string `a`.",
    ]);
  });

  test("schemes become token sources, and those that cannot say why", () => {
    expect(sourceOf(bearer)).toBe('http.request.headers["authorization"][0]');
    expect(sourceOf({ type: "oauth2" })).toBe('http.request.headers["authorization"][0]');
    expect(sourceOf({ type: "openIdConnect" })).toBe('http.request.headers["authorization"][0]');
    expect(sourceOf({ type: "apiKey", in: "header", name: "X-Key" })).toBe(
      'http.request.headers["x-key"][0]',
    );
    expect(sourceOf({ type: "apiKey", in: "cookie", name: 'A"b' })).toBe('http.request.cookies["A\\"b"][0]');
    expect(sourceOf({ $ref: "#/components/securitySchemes/scheme" })).toContain("cycle");
    const others = [
      { type: "apiKey", in: "query", name: "key" },
      { type: "apiKey", in: "header", name: "a b" },
      { type: "apiKey", in: "body", name: "a" },
      { type: "apiKey", in: "header" },
      { type: "http", scheme: "basic" },
      { type: "mutualTLS" },
      { type: "other" },
      "bearer",
    ];
    expect(others.map(sourceOf)).toMatchSnapshot();
  });

  test("a scheme that the document does not define secures all the same", () => {
    const document = {
      servers: [{ url: "https://h.example" }],
      security: [{ constructor: [] }],
      paths: { "/": get },
    };
    const { operations, schemes, dropped } = read(document);
    expect(operations[0]?.security[0]?.[0]?.name).toBe("constructor");
    expect(schemes[0]?.reason).toBe("the document does not define it");
    expect(dropped[0]?.pointer).toBe("/security/0/constructor");
  });
});

test("a 2.0 document has its host, base path and definitions", () => {
  const document = {
    swagger: "2.0",
    host: "api.example.com",
    basePath: "/v1",
    security: [{ key: [] }],
    securityDefinitions: {
      key: { type: "apiKey", in: "header", name: "Authorization" },
      b: { type: "basic" },
    },
    paths: { "/a": get },
  };
  const result = readOpenApi(document);
  if (!result.ok) throw new Error(result.problems[0].message);
  const [operation] = result.value.operations;
  expect(operation).toMatchObject({
    host: "api.example.com",
    endpoint: "/v1/a",
    security: [[{ source: 'http.request.headers["authorization"][0]' }]],
  });
  const { host: _, ...relative } = document;
  const without = readOpenApi(relative, { hosts: ["h.example"] });
  expect(without.ok && without.value.operations[0]?.host).toBe("h.example");
});

test("an invalid document is rejected with the place, the value found and the values allowed", () => {
  const cases: unknown[] = [
    null,
    [],
    "openapi: 3.0.0",
    {},
    { openapi: 3 },
    { openapi: "3.2.0" },
    { openapi: "4.0.0" },
    { swagger: "1.2" },
    { swagger: "2.0", host: 1, basePath: "v1", paths: { "/": get } },
    { openapi: "3.0.0", paths: [] },
    { openapi: "3.0.0", paths: { "/": [] } },
    { openapi: "3.0.0", paths: { "/": { get: "x" } } },
    { openapi: "3.0.0", paths: { "/": { get: { parameters: {} } } } },
    { openapi: "3.0.0", paths: { "/": { get: { parameters: [1] } } } },
    { openapi: "3.0.0", servers: {}, paths: { "/": get } },
    { openapi: "3.0.0", servers: [{ url: 1 }, "x"], paths: { "/": get } },
    { openapi: "3.0.0", servers: [{ url: "/", variables: [] }], paths: { "/": get } },
    { openapi: "3.0.0", components: [] },
    { openapi: "3.0.0", components: { securitySchemes: [] } },
  ];
  expect(cases.map(problemsOf)).toMatchSnapshot();
  expect(problemsOf({ openapi: 3.1, paths: {} })).toEqual([]);
  expect(problemsOf({ swagger: 2, paths: {} })).toEqual([]);
});

test("a document with very many invalid members is rejected with the first 100 problems", () => {
  const paths = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`/p${i}`, 1]));
  const problems = problemsOf({ openapi: "3.0.0", paths });
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toBe("/paths/~1p100: There are more problems.");
});
