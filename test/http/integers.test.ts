/** Integers and filters of queries and paths, for every endpoint of the table. */
import { describe, expect, test } from "vitest";
import { runSteps } from "../../src/core/work/steps.ts";
import { createEdge } from "../../src/edge.ts";
import { parameterFormats } from "../../src/http/endpoints/endpoint.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { type Json, jsonOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";

const edge = createEdge();
const uuid = "00000000-0000-4000-8000-000000000000";

/** A path of the template whose parameters are valid, besides the given ones. */
function pathOf(template: string, own: Readonly<Record<string, string>> = {}): string {
  const valid: Readonly<Record<string, string>> = { config_id: uuid, rule_id: uuid, app_id: "0".repeat(32) };
  return template
    .replace("{intel}", "intel")
    .replace("{app_service}", "app_service")
    .replaceAll(/\{(\w+)\+?\}/g, (_all, name: string) => own[name] ?? valid[name] ?? "1");
}

const send = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  edge.fetch(
    new Request(`https://edge.test/client/v4${path}`, {
      method,
      headers: { authorization: "Bearer t", ...headers },
    }),
  );

const rows = endpoints.filter(({ mount }) => mount !== "origin");
const integersIn = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => parameterFormats[name]?.text.startsWith("an integer"));

describe("an integer with a leading zero is rejected", () => {
  const inPaths = rows.flatMap((row) => integersIn(row.path).map((name) => [row.id, name, row] as const));
  test.each(inPaths)("%s, %s in the path", async (_id, name, { method, path, area }) => {
    const code = area === "brand" ? 7001 : 10400;
    for (const value of ["01", "00", "+1", "1.0"])
      await expectFailure(await send(method, pathOf(path, { [name]: value })), { status: 400, code });
  });

  const document = runSteps(
    openApiDocument(endpoints, {
      wireNames: "spec",
      envelopes: "spec",
      basePath: "/client/v4",
    }),
  );
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Json[]);
  const inQueries = operations.flatMap((operation) =>
    (operation.parameters ?? [])
      .filter(
        ({ in: place, schema }: Json) =>
          place === "query" &&
          [schema, schema.items].some(
            (type) => type?.type === "integer" || type?.pattern?.startsWith("^(0|"),
          ),
      )
      .map(({ name }: Json) => [operation.operationId as string, name as string] as const),
  );
  test.each(inQueries)("%s, %s in the query", async (id, name) => {
    const row = endpoints.find((endpoint) => endpoint.id === id)!;
    const query = (value: string) =>
      `?${new URLSearchParams({ ...(name !== "query_id" && { query_id: "1" }), [name]: value })}`;
    expect((await send(row.method, pathOf(row.path) + query(""))).status).toBe(400);
    for (const value of ["01", "00", "+1"]) {
      const response = await send(row.method, pathOf(row.path) + query(value));
      expect([name, value, response.status]).toEqual([name, value, 400]);
      expect((await jsonOf(response)).errors[0].message).toContain("an integer without leading zeros");
    }
  });

  test("Content-Length", async () => {
    const response = await send("DELETE", "/zones/z1/app_service/apps/1", { "content-length": "01" });
    await expectFailure(response, { status: 400, code: 10400, message: /Content-Length|app_id/ });
  });

  test("there are as many of them as the interface has", () => {
    expect([inPaths.length, inQueries.length]).toEqual([15, 26]);
  });
});

describe("an empty filter is rejected", () => {
  const lists: Readonly<Record<string, readonly string[]>> = {
    "/zones/z1/token_validation/rules": [
      "enabled",
      "action",
      "rule_id",
      "id",
      "host",
      "hostname",
      "token_configuration",
    ],
    "/zones/z1/api_gateway/operations": ["host", "method"],
  };
  const filters = Object.entries(lists).flatMap(([path, names]) =>
    names.map((name) => [name, path] as const),
  );
  test.each(filters)("%s of %s", async (name, path) => {
    await expectFailure(await send("GET", `${path}?${name}=`), { status: 400, code: 10400 });
  });

  test("an empty creator means images without a creator", async () => {
    expect((await send("GET", "/accounts/a1/images/v1?creator=")).status).toBe(200);
  });
});
