import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseYamlSource } from "../../../src/core/yaml/source.ts";
import type { TokenConfig, TokenRule } from "../../../src/engine/tokens/model.ts";
import { compileZone } from "../../../src/engine/tokens/zone/zone.ts";
import type { ZoneInput } from "../../../src/engine/tokens/zone/zone-input.ts";
import { auditOpenApi } from "../../../src/import/openapi/audit-openapi.ts";
import { fillPlaceholderTokens } from "../../../src/testing/tokens/fill-placeholders.ts";
import { mintKey } from "../../../src/testing/tokens/mint.ts";

const key = await mintKey("ES256", "k1");
const other = await mintKey("ES256", "k2");

const authorization = 'http.request.headers["authorization"][0]';
const config = (id: string, jwk = key.jwk, source = authorization): TokenConfig => {
  return { id, token_sources: [source], credentials: { keys: [jwk] } };
};
const rule = (expression: string, more: Partial<TokenRule> = {}): TokenRule => {
  const selector = { include: [{ host: ["api.example.com"] }] };
  return { id: "r1", action: "block", enabled: true, expression, selector, ...more };
};

/** A document with one operation `GET https://api.example.com/orders/{id}`. */
const documentOf = (operation: object, more: object = {}) => ({
  openapi: "3.0.3",
  servers: [{ url: "https://api.example.com" }],
  paths: { "/orders/{id}": { get: operation } },
  components: {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      session: { type: "apiKey", in: "cookie", name: "session" },
      apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
      query: { type: "apiKey", in: "query", name: "key" },
    },
  },
  ...more,
});
const secured = documentOf({ security: [{ bearer: [] }] });

function outcome(document: object, zone: Partial<ZoneInput>) {
  const [audited] = auditOpenApi(document, { configs: [config("a")], rules: [], ...zone }).operations;
  const { contradiction } = audited ?? {};
  return [
    audited?.outcome,
    ...(contradiction ? [`${contradiction.request.method} ${contradiction.request.url}`] : []),
  ];
}

const url = "GET https://api.example.com/orders/x";

test("an operation is protected when a rule blocks every request without a valid token", () => {
  expect(outcome(secured, { rules: [rule('is_jwt_valid("a")')] })).toEqual(["protected"]);
});

test("an operation is logged when the rule only logs, unprotected when it is disabled or selects another host", () => {
  const valid = 'is_jwt_valid("a")';
  expect(outcome(secured, { rules: [rule(valid, { action: "log" })] })).toEqual(["logged", url]);
  expect(outcome(secured, { rules: [rule(valid, { enabled: false })] })).toEqual(["unprotected", url]);
  const selector = { include: [{ host: ["www.example.com"] }] };
  expect(outcome(secured, { rules: [rule(valid, { selector })] })).toEqual(["unprotected", url]);
});

test("a token that is present but not valid does not protect, and the request has one", () => {
  const zone = { configs: [config("a")], rules: [rule('is_jwt_present("a")')] };
  const [audited] = auditOpenApi(secured, zone).operations;
  expect(audited?.outcome).toBe("unprotected");
  expect(audited?.contradiction?.tokens).toEqual({ a: "invalid" });
});

test("one request that gets through is enough: a path with an exception", async () => {
  const expression = 'is_jwt_valid("a") or http.request.uri.path eq "/orders/free"';
  const zone = { configs: [config("a")], rules: [rule(expression)] };
  const [audited] = auditOpenApi(secured, zone).operations;
  expect(audited?.outcome).toBe("unprotected");
  expect(audited?.contradiction?.request.url).toBe("https://api.example.com/orders/free");
  const compiled = await compileZone(zone, { clock: Date.now });
  const request = audited?.contradiction?.request;
  expect(request && compiled.evaluateSync(request).action).toBe("allow");
});

test("a valid token of a configuration that does not read the documented header does not count", async () => {
  const configs = [config("a"), config("s", other.jwk, 'http.request.cookies["session"][0]')];
  const zone = { configs, rules: [rule('is_jwt_valid("s")')] };
  expect(outcome(documentOf({ security: [{ session: [] }] }), zone)).toEqual(["protected"]);
  const [audited] = auditOpenApi(secured, zone).operations;
  if (audited?.contradiction === undefined) throw new Error(audited?.outcome);
  expect([audited.outcome, audited.contradiction.tokens]).toEqual(["unprotected", { a: "missing" }]);
  const request = await fillPlaceholderTokens(audited.contradiction, [other]);
  const compiled = await compileZone(zone, { clock: Date.now });
  expect(compiled.evaluateSync(request).action).toBe("allow");
});

test("all schemes of an alternative are needed, as far as a configuration reads them", () => {
  const both = documentOf({ security: [{ bearer: [], session: [] }] });
  const rules = [rule('is_jwt_valid("a")')];
  expect(outcome(both, { rules })).toEqual(["protected"]);
  const configs = [config("a"), config("s", other.jwk, 'http.request.cookies["session"][0]')];
  expect(outcome(both, { configs, rules })[0]).toBe("unprotected");
  expect(outcome(both, { configs, rules: [rule('is_jwt_valid("a") and is_jwt_valid("s")')] })).toEqual([
    "protected",
  ]);
  const either = documentOf({ security: [{ bearer: [] }, { session: [] }] });
  expect(outcome(either, { configs, rules: [rule('is_jwt_valid("a") or is_jwt_valid("s")')] })).toEqual([
    "protected",
  ]);
});

test("a scheme whose header or cookie is no token source is named, with the operations that it secures", () => {
  const document = documentOf({ security: [{ apiKey: [] }, { query: [] }] });
  expect(outcome(document, {})).toEqual(["no-token-source", url]);
  const audit = auditOpenApi(document, { configs: [config("a")], rules: [] });
  expect(audit.operations[0]?.unreadSchemes).toEqual(["apiKey", "query"]);
  expect(audit.unreadSchemes.map(({ scheme: { name }, operations }) => [name, operations])).toEqual([
    ["apiKey", ["/paths/~1orders~1{id}/get"]],
    ["query", ["/paths/~1orders~1{id}/get"]],
  ]);
  // A rule that requires some valid token protects all the same.
  expect(outcome(document, { rules: [rule('is_jwt_valid("a")')] })).toEqual(["protected"]);
});

test("an operation that the zone does not list is unknown, and its requests get through", () => {
  const rules = [rule('is_jwt_valid("a")')];
  expect(outcome(secured, { rules, operations: [] })).toEqual(["unknown", url]);
  const operation = { operation_id: "o", method: "GET", host: "api.example.com", endpoint: "/orders/{var1}" };
  expect(outcome(secured, { rules, operations: [operation] })).toEqual(["protected"]);
  const narrower = { ...operation, endpoint: "/orders/first" };
  expect(outcome(secured, { rules, operations: [narrower] })).toEqual(["unprotected", url]);
});

test("a more specific documented path is an operation of its own", () => {
  const paths = { "/orders/{id}": { get: {} }, "/orders/health": { get: { security: [] } } };
  const document = documentOf({}, { paths, security: [{ bearer: [] }] });
  const health = {
    operation_id: "health",
    method: "GET",
    host: "api.example.com",
    endpoint: "/orders/health",
  };
  const order = { ...health, operation_id: "order", endpoint: "/orders/{id}" };
  const selector = { include: [{ host: ["api.example.com"] }], exclude: [{ operation_ids: ["health"] }] };
  const zone = { configs: [config("a")], rules: [rule('is_jwt_valid("a")', { selector })] };
  const outcomes = (operations: ZoneInput["operations"] & object) =>
    auditOpenApi(document, { ...zone, operations }).operations.map(({ outcome }) => outcome);
  expect(outcomes([order, health])).toEqual(["protected", "public"]);
  expect(outcomes([order])).toEqual(["protected", "public-blocked"]);
});

test("a public operation, and one with optional security, must let requests without a token through", () => {
  const rules = [rule('is_jwt_valid("a")')];
  for (const security of [[], [{}, { bearer: [] }]]) {
    expect(outcome(documentOf({ security }), { rules })).toEqual(["public-blocked", url]);
    expect(
      outcome(documentOf({ security }), { rules: [rule('not is_jwt_present("a") or is_jwt_valid("a")')] }),
    ).toEqual(["public"]);
    expect(outcome(documentOf({ security }), {})).toEqual(["public"]);
  }
});

test("a question that is too large is undecided, never decided wrongly", () => {
  const zone = { configs: [config("a")], rules: [rule('is_jwt_valid("a")')] };
  const [audited] = auditOpenApi(secured, zone, { maxSteps: 1 }).operations;
  expect([audited?.outcome, audited?.contradiction]).toEqual(["undecided", undefined]);
  expect(audited?.reason).toContain("maxSteps");
  const open = documentOf({ security: [] });
  expect(auditOpenApi(open, zone, { maxSteps: 1 }).operations[0]?.outcome).toBe("public-undecided");
});

test("with precedence first only the first enabled rule of an operation counts", () => {
  const rules = [rule('http.request.method ne "TRACE"'), rule('is_jwt_valid("a")', { id: "r2" })];
  const zone = { configs: [config("a")], rules };
  expect(auditOpenApi(secured, zone).operations[0]?.outcome).toBe("protected");
  expect(auditOpenApi(secured, zone, { precedence: "first" }).operations[0]?.outcome).toBe("unprotected");
});

test("operations of the zone that the document lacks are listed", () => {
  const base = { method: "GET", host: "api.example.com" };
  const operations = [
    { ...base, operation_id: "same", endpoint: "/orders/{var1}" },
    { ...base, operation_id: "narrower", endpoint: "/orders/first" },
    { ...base, operation_id: "method", method: "PUT", endpoint: "/orders/{var1}" },
    { ...base, operation_id: "wider", endpoint: "/{var1}/{var2}" },
    { ...base, operation_id: "host", host: "www.example.com", endpoint: "/orders/{var1}" },
  ];
  const { undocumented } = auditOpenApi(secured, { configs: [], rules: [], operations });
  expect(undocumented.map(({ operation_id }) => operation_id)).toEqual(["method", "wider", "host"]);
});

test("an invalid document, an invalid zone and a missing host are rejected with every problem", () => {
  const zone = { configs: [], rules: [] };
  expect(() => auditOpenApi({ openapi: "3.0.0", paths: [] }, zone)).toThrow(
    /cannot be read: \/paths: `paths` must be/,
  );
  expect(() => auditOpenApi(secured, { configs: [], rules: [rule('is_jwt_valid("b")')] })).toThrow(
    /zone is invalid/,
  );
  const { servers: _, ...relative } = secured;
  expect(() => auditOpenApi(relative, zone)).toThrow(/needs `hosts`: The server URL `\/` has no host/);
  expect(auditOpenApi(relative, zone, { hosts: ["h.example"] }).operations[0]?.operation.host).toBe(
    "h.example",
  );
});

test("the fixture has each kind of outcome on a zone that protects most of it", () => {
  const source = parseYamlSource(
    readFileSync(new URL("../../../fixtures/openapi/shop.yaml", import.meta.url), "utf8"),
  );
  if (!source.ok) throw new Error(source.problems[0].message);
  const include = [{ host: ["api.example.com"] }];
  const audit = auditOpenApi(
    source.value.value,
    {
      configs: [config("a")],
      rules: [
        rule('is_jwt_valid("a") or http.request.method eq "DELETE"', { selector: { include } }),
        rule('is_jwt_valid("a")', {
          id: "r2",
          action: "log",
          selector: { include: [{ host: ["staging.example.com"] }] },
        }),
      ],
    },
    { ignore: ["x-internal"] },
  );
  expect(
    audit.operations.map(
      ({ operation: { method, host, endpoint }, outcome }) => `${method} ${host}${endpoint}: ${outcome}`,
    ),
  ).toMatchSnapshot();
});
