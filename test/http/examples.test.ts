/** The examples of the OpenAPI document: each request is sent to the handler, and its answer is that of the document. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { runSteps } from "../../src/core/work/steps.ts";
import answers from "../../src/http/documents/answers.json" with { type: "json" };
import { endpointDocuments } from "../../src/http/documents/documents.ts";
import { errorsOf } from "../../src/http/documents/errors-of.ts";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { noContent } from "../../src/schemas/envelope.ts";
import type { Json } from "../support/client.ts";
import { held } from "../support/interface.ts";
import { exampleUrl, hasExampleAnswer, sendExample } from "./run-examples.ts";

const options = { wireNames: "spec", envelopes: "spec", basePath: "/client/v4" } as const;
const document: Json = runSteps(openApiDocument(endpoints, options));
const operations: readonly Json[] = Object.values(document.paths).flatMap((path) =>
  Object.values(path as Json).filter((operation: Json) => operation.operationId !== undefined),
);
const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "document");

test("every endpoint has a document, and every document an endpoint", () => {
  expect(Object.keys(endpointDocuments).sort()).toEqual(endpoints.map(({ id }) => id).sort());
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    endpoints
      .map(({ id }) => id)
      .filter((id) => id !== "document.origin")
      .sort(),
  );
});

/** Asserts that an example is one of its schema. */
function expectConforming(example: unknown, schema: Json, what: string): void {
  const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
  const validate = ajv.compile(local);
  expect(validate(example), `${what}: ${JSON.stringify(validate.errors)}`).toBe(true);
}

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))("%s", (id, endpoint) => {
  test("the example is answered as the document says", async () => {
    const response = await sendExample(endpoint);
    expect(
      response.status,
      await response
        .clone()
        .text()
        .catch(() => ""),
    ).toBe(endpoint.response === noContent ? 204 : 200);
    await held(new Request(exampleUrl(endpoint), { method: endpoint.method }), response);
    if (!hasExampleAnswer(endpoint)) return;
    expect(await response.json()).toEqual((answers as Json)[id]);
  });

  const operation = operationOf(id);
  test.runIf(operation)("has a description, and examples that conform to its schemas", () => {
    expect(operation.description).toMatch(/^[A-Z].{20,}\.$/);
    for (const { name, schema, example, in: place } of operation.parameters ?? [])
      if (place === "path" || example !== undefined) expectConforming(example, schema, name);
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {}) as Json[]) {
      if (!operation.requestBody.required && example === undefined) continue;
      expect(example, "the request has no example").toBeDefined();
      expectConforming(example, schema, "the request");
    }
    if (!hasExampleAnswer(endpoint)) return;
    const { schema, example } = operation.responses[200].content["application/json"];
    expectConforming(example, schema, "the answer");
  });

  test.runIf(operation)("names its error codes", () => {
    expect(operation["x-error-codes"]).toEqual(errorsOf(endpoint));
    expect(operation.responses["4XX"].description).toContain("400: ");
  });
});

test("the document has every code with its name", () => {
  const names = document.components.schemas.ErrorCode.oneOf.map(({ const: code }: Json) => code);
  for (const endpoint of endpoints) expect(names).toEqual(expect.arrayContaining([...errorsOf(endpoint)]));
});
