/** The schemas of proxy applications have the types of the engine's model, and accept what the engine stores. */
import { type App, validateApp } from "edgeproof/proxy";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import { byName, direct, staticEdge, virtual } from "../../src/engine/proxy/checks/samples.ts";
import { type accountProxyWorld, appSchema, proxyAppBody } from "../../src/schemas/proxy.ts";
import type { ProxyFactsRecord } from "../../src/store/records/proxy.ts";
import type { Plain } from "../support/model-type.ts";

test("the schema of an application has the type App", () => {
  expectTypeOf<Plain<z.output<typeof appSchema>>>().toEqualTypeOf<Plain<App>>();
});

test("the schema of an account's facts has the type of their record", () => {
  expectTypeOf<Plain<z.output<typeof accountProxyWorld>>>().toEqualTypeOf<Plain<ProxyFactsRecord["facts"]>>();
});

describe.each([
  ["by address", direct],
  ["by name", byName],
  ["in a virtual network", virtual],
  ["with a static edge address", staticEdge],
])("an application %s", (_, body) => {
  test("matches the schema of request bodies", () => {
    expect(proxyAppBody.safeParse(body).success).toBe(true);
  });

  test("matches the schema of applications after validation", () => {
    const { app } = validateApp(body);
    expect(appSchema.parse(app)).toEqual(app);
  });
});
