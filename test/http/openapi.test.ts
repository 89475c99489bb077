/** The OpenAPI document: valid, complete, with the names on the wire; responses are validated against it. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../src/core/work/steps.ts";
import { createEdge } from "../../src/edge.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { type Json, jsonOf } from "../support/client.ts";
import { held } from "../support/interface.ts";

const modes = (["spec", "provider"] as const).flatMap((wireNames) =>
  (["spec", "everywhere"] as const).map((envelopes) => ({ wireNames, envelopes })),
);

async function served(path: string, options = {}): Promise<Json> {
  const response = await createEdge(options).fetch(new Request(`https://edge.test${path}`));
  expect(response.headers.get("content-type")).toBe("application/json");
  return jsonOf(response);
}

describe.each(modes)("wire names $wireNames, envelopes $envelopes", (mode) => {
  const document = runSteps(openApiDocument(endpoints, { ...mode, basePath: "/client/v4" }));

  test("is valid OpenAPI 3.1, and all its references resolve", async () => {
    const validator = new Validator();
    const result = await validator.validate({ ...structuredClone(document) });
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe("3.1");
    const text = JSON.stringify(document);
    const targets = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, target]) => target!);
    expect(targets.length).toBeGreaterThan(20);
    for (const target of targets) {
      const found = target.split("/").reduce((value: Json, name) => value?.[name], document);
      expect(found, target).toBeTypeOf("object");
    }
  });

  test("has every endpoint under its own id", () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => (operation as Json).operationId),
    );
    // Both addresses of the document are one path.
    const expected = endpoints.map(({ id }) => id).filter((id) => id !== "document.origin");
    expect(ids.filter((id) => id !== undefined).sort()).toEqual(expected.sort());
  });

  test("has the names on the wire, in paths and members", () => {
    const text = JSON.stringify(document);
    const [ours, theirs] = [
      /"store_path"|"smart_routing"|\/intel\/|app_service/,
      /r2_path|argo_smart|spectrum/,
    ];
    const own = mode.wireNames === "spec" ? ours : theirs;
    const other = mode.wireNames === "spec" ? theirs : ours;
    expect(text).toMatch(own);
    expect(text).not.toMatch(other);
  });
});

test("is served without credentials, below the base path and at the origin, with the options of the handler", async () => {
  const document = await served("/openapi.json");
  expect(document).toEqual(await served("/client/v4/openapi.json"));
  expect(document.servers).toEqual([{ url: "/client/v4" }]);
  const other = await served("/openapi.json", { profile: "provider", basePath: "/api" });
  expect(other.servers).toEqual([{ url: "/api" }]);
  expect(Object.keys(other.paths)).toContain("/zones/{zone_id}/spectrum/apps");
  const credentials = [{ token: "one", permissions: [] }];
  expect(await served("/openapi.json", { credentials })).toEqual(document);
});

test("is built in a step for each endpoint, between which other requests are answered", async () => {
  const steps = openApiDocument(endpoints, {
    wireNames: "spec",
    envelopes: "spec",
    basePath: "/client/v4",
  });
  expect([...steps]).toHaveLength(endpoints.length);
  const edge = createEdge();
  const get = (path: string) => edge.fetch(new Request(`https://edge.test${path}`));
  const answered: string[] = [];
  await Promise.all([
    get("/openapi.json").then(() => answered.push("document")),
    get("/health").then(() => answered.push("health")),
  ]);
  expect(answered).toEqual(["health", "document"]);
});

describe("responses are validated against it", () => {
  const stats = "https://edge.test/client/v4/accounts/a1/images/v1/stats";
  const good = {
    result: { count: { allowed: 5, current: 1 } },
    success: true,
    errors: [],
    messages: [],
  };
  const answer = (body: unknown, status = 200, type = "application/json") =>
    held(
      new Request(stats),
      new Response(JSON.stringify(body), { status, headers: { "content-type": type } }),
    );

  test("a valid response passes", async () => {
    await expect(answer(good)).resolves.toBeInstanceOf(Response);
  });

  test.each<[string, unknown, number?, string?]>([
    ["a missing member", { ...good, result: { count: { allowed: 5 } } }],
    ["another name", { ...good, result: { counts: { allowed: 5, current: 1 } } }],
    ["one too many", { ...good, more: 1 }],
    ["another type", { ...good, result: { count: { allowed: "5", current: 1 } } }],
    ["no envelope", good.result],
    ["no failure body", { ...good, success: false }, 404],
    ["a status that is not documented", good, 201],
    ["a type that is not documented", good, 200, "text/plain"],
  ])("%s does not", async (_what: string, body: unknown, status?: number, type?: string) => {
    await expect(answer(body, status, type)).rejects.toThrow();
  });
});
