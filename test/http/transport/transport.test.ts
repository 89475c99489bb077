/** HTTP behavior of all areas: credentials, routes, bodies, trace ids, wire names. */
import { describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { DependencyUnavailableError } from "../../../src/errors.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { clientOf, jsonOf } from "../../support/client.ts";
import { expectFailure, provoked } from "../../support/failure.ts";
import { validating } from "../../support/interface.ts";
import { isOverSocket } from "../../support/is-over-socket.ts";

const base = "https://edge.test/client/v4";
const configs = "/zones/z1/token_validation/config";

function send(path: string, init: RequestInit = {}, options: EdgeOptions = {}): Promise<Response> {
  return validating(createEdge(options).fetch)(new Request(`${base}${path}`, init));
}

const bearer = { authorization: "Bearer t" };
const json = { ...bearer, "content-type": "application/json" };

describe("credentials", () => {
  test("a missing header: 401, 9106", async () => {
    await expectFailure(await send(configs), { status: 401, code: 9106 });
  });

  test.each(["Basic dTpw", "Bearer", "Bearer ", "bearer\tx y", "t", "Bearer a b", "Bearer ü"])(
    "%s: 401, 6003 with 6111 in its chain",
    async (authorization) => {
      const response = await send(configs, {
        headers: new Headers({ authorization: authorization.replace("ü", "\u00fc") }),
      });
      const body = await jsonOf(response.clone());
      await expectFailure(response, { status: 401, code: 6003 });
      expect(body.errors[0].error_chain).toEqual([{ code: 6111, message: expect.any(String) }]);
      provoked(6111);
    },
  );

  test("the status is a setting of the profile", async () => {
    expect((await send(configs, {}, { profile: "provider" })).status).toBe(400);
    expect((await send(configs, { headers: { authorization: "x" } }, { profile: "provider" })).status).toBe(
      400,
    );
    expect((await send(configs, {}, { authFailureStatus: 400 })).status).toBe(400);
  });

  test("without a list of API tokens every bearer token has every permission; with one, only its tokens are known", async () => {
    expect((await send(configs, { headers: bearer })).status).toBe(200);
    const credentials = [{ token: "known", permissions: ["token_validation:read" as const] }];
    await expectFailure(await send(configs, { headers: bearer }, { credentials }), {
      status: 403,
      code: 10000,
    });
    expect(
      (await send(configs, { headers: { authorization: "bearer known" } }, { credentials })).status,
    ).toBe(200);
  });

  test("permissions, zones and accounts of an API token are enforced", async () => {
    const world = {
      accounts: [{ id: "a1" }, { id: "a2" }],
      zones: [
        { id: "z1", account_id: "a1" },
        { id: "z2", account_id: "a2" },
      ],
    };
    const may = async (token: object, zone: string, method: string) => {
      const credentials = [{ token: "t", permissions: [], ...token }];
      const client = clientOf(createEdge({ world, credentials }), `/zones/${zone}/token_validation`);
      const response = await client(method, "/rules/bulk", []);
      if (response.status === 403) await expectFailure(response, { status: 403, code: 9109 });
      return response.status === 200;
    };
    const permissions = ["token_validation:write"];
    expect(await may({ permissions: ["images:write", "token_validation:read"] }, "z1", "POST")).toBe(false);
    expect(await may({ permissions }, "z1", "POST")).toBe(true);
    expect(await may({ permissions, zones: ["z1"] }, "z1", "POST")).toBe(true);
    expect(await may({ permissions, zones: ["z1"] }, "z2", "POST")).toBe(false);
    expect(await may({ permissions, accounts: ["a2"] }, "z1", "POST")).toBe(false);
    expect(await may({ permissions, accounts: ["a2"] }, "z2", "POST")).toBe(true);
    expect(await may({ permissions, zones: [] }, "z1", "POST")).toBe(false);
  });
});

describe("routes", () => {
  test("an unknown path: 404, 7003, even without credentials", async () => {
    await expectFailure(await send("/nothing"), { status: 404, code: 7003, message: /nothing/ });
    await expectFailure(await createEdge().fetch(new Request("https://edge.test/")), {
      status: 404,
      code: 7003,
    });
  });

  test("an unsupported method: 405, 10405, with the header Allow", async () => {
    const response = await send(configs, { method: "DELETE", headers: bearer });
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
    await expectFailure(response, { status: 405, code: 10405 });
    expect((await send(configs, { method: "OPTIONS" })).status).toBe(405);
  });

  test("HEAD is supported wherever GET is, and its response has no body", async () => {
    const response = await send(configs, { method: "HEAD", headers: bearer });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  test.each([
    [configs, {}, 401],
    ["/zones/z1/token_validation/rules/not-a-uuid", bearer, 400],
    ["/zones/z1/token_validation/rules/bulk", bearer, 405],
    ["/nothing", bearer, 404],
    ["/accounts/a1/images/v1/absent", bearer, 404],
  ])("a rejection of HEAD has no body either (%s)", async (path, headers, status) => {
    const response = await send(path, { method: "HEAD", headers });
    expect([response.status, await response.text()]).toEqual([status, ""]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each(["/zones/%E0%A4%A/token_validation/config", "/zones/%zz/token_validation/config"])(
    "%s: malformed percent-encoding, 400",
    async (path) => {
      await expectFailure(await send(path, { headers: bearer }), { status: 400, code: 10400 });
    },
  );

  test.each(["a%20b", "a%2Fb", "%00", "x".repeat(65), "..%2f..", "%7B%7D"])(
    "the zone id %s: 400",
    async (zone) => {
      await expectFailure(await send(`/zones/${zone}/token_validation/config`, { headers: bearer }), {
        status: 400,
        code: 10400,
      });
    },
  );

  test.each(["__proto__", "constructor", "toString"])("the zone id %s is valid", async (zone) => {
    const response = await send(`/zones/${zone}/token_validation/config`, { headers: bearer });
    expect((await jsonOf(response)).result).toEqual([]);
  });

  test("the base path is an option", async () => {
    const edge = createEdge({ basePath: "/api" });
    expect(
      (await edge.fetch(new Request(`https://edge.test/api${configs}`, { headers: bearer }))).status,
    ).toBe(200);
    expect((await edge.fetch(new Request(`${base}${configs}`, { headers: bearer }))).status).toBe(404);
  });

  test.each([
    ["/", ""],
    ["", ""],
    ["/api/", "/api"],
    ["api", "/api"],
    ["//a/b//", "/a/b"],
  ])("the base path %j begins at %j", async (basePath, begin) => {
    const edge = createEdge({ basePath });
    const answer = (path: string) =>
      edge.fetch(new Request(`https://edge.test${begin}${path}`, { headers: bearer }));
    expect((await answer(configs)).status).toBe(200);
    expect((await jsonOf(await answer("/openapi.json"))).servers).toEqual([{ url: begin }]);
  });

  test("a world with zones has no others", async () => {
    const world = { zones: [{ id: "known" }] };
    await expectFailure(await send(configs, { headers: bearer }, { world }), { status: 404, code: 10404 });
    expect((await send("/zones/known/token_validation/rules", { headers: bearer }, { world })).status).toBe(
      200,
    );
  });
});

describe("JSON bodies", () => {
  const post = (
    body: RequestInit["body"],
    headers: Record<string, string> = json,
    options: EdgeOptions = {},
  ) => send(configs, { method: "POST", headers, body, duplex: "half" } as RequestInit, options);

  test.each(["", " \n", "{", "{'a':1}", "[1,]", "nul", '"\u0001"', "{}{}"])(
    "%j is malformed: 400, 6007",
    async (body) => {
      await expectFailure(await post(body), { status: 400, code: 6007 });
    },
  );

  test("bytes that are not UTF-8 are malformed", async () => {
    await expectFailure(await post(new Uint8Array([0x22, 0xff, 0x22])), { status: 400, code: 6007 });
  });

  test.each(["text/plain", "multipart/form-data; boundary=x", "application/jsonp"])(
    "content type %s: 400, 9207",
    async (type) => {
      await expectFailure(await post("{}", { ...bearer, "content-type": type }), { status: 400, code: 9207 });
    },
  );

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "application/merge-patch+json",
  ])("content type %s is JSON", async (type) => {
    await expectFailure(await post("5", { ...bearer, "content-type": type }), {
      status: 400,
      code: 10400,
      pointer: "",
    });
  });

  test("a body over `limits.bodyBytes`: 413, by its length or as it comes", async () => {
    const limits = { bodyBytes: 100 };
    await expectFailure(await post("x".repeat(101), json, { limits }), { status: 413, code: 10413 });
    const endless = new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(64)) });
    await expectFailure(await post(endless, json, { limits }), { status: 413, code: 10413 });
    await expectFailure(await post(" ".repeat(100), json, { limits }), { status: 400, code: 6007 });
  });

  // Over a socket the connection ends with the body, and nothing can be answered.
  test.skipIf(isOverSocket)("an incomplete body: 400", async () => {
    const broken = new ReadableStream({ pull: (c) => c.error(new Error("gone")) });
    await expectFailure(await post(broken), { status: 400, code: 10400 });
  });

  test("20,000 levels are rejected with 400, and 64 are accepted", async () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    await expectFailure(await post(nested(20_000)), { status: 400, code: 10400, message: /64/ });
    await expectFailure(await post(nested(64)), { status: 400, code: 10400, pointer: "" });
    await expectFailure(await post(`"${"[".repeat(100)}"`), { status: 400, code: 10400, pointer: "" });
  });

  test("names of Object.prototype are members like any other", async () => {
    const body = '{"__proto__":{"title":"x"},"constructor":1,"title":"a"}';
    const response = await post(body);
    const { errors } = await jsonOf(response.clone());
    await expectFailure(response, { status: 400, code: 10400 });
    expect(errors.map((e: { source: { pointer: string } }) => e.source.pointer)).not.toContain("/title");
    expect(({} as { title?: unknown }).title).toBeUndefined();
  });

  test("DELETE and GET ignore a body and its content type", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    const init = { method: "DELETE", headers: json, body: "" };
    await expectFailure(await send(`${configs}/${id}`, init), { status: 404, code: 10404 });
  });
});

describe("internal errors", () => {
  const broken = (error: unknown): Store => ({
    ...createMemoryStore(),
    read: () => Promise.reject(error),
    write: () => Promise.reject(error),
  });

  test("500 and 10002 with a fixed message; the details go to onError with the trace id", async () => {
    const seen: unknown[] = [];
    const onError = (error: unknown, traceId: string) => void seen.push([(error as Error).message, traceId]);
    const response = await send(
      configs,
      { headers: bearer },
      { store: broken(new Error("secret detail")), onError },
    );
    const trace = response.headers.get("x-trace-id");
    const body = await jsonOf(response.clone());
    await expectFailure(response, { status: 500, code: 10002 });
    expect(body).toEqual({
      errors: [{ code: 10002, message: "Unexpected internal error." }],
      messages: [],
      success: false,
      result: null,
    });
    expect(seen).toEqual([["secret detail", trace]]);
  });

  test("an onError that throws does not change the response", async () => {
    const onError = () => {
      throw new Error("from the hook");
    };
    const response = await send(configs, { headers: bearer }, { store: broken(new Error("x")), onError });
    expect(response.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{16}$/);
    await expectFailure(response, { status: 500, code: 10002 });
  });

  test("503 when a dependency is unavailable", async () => {
    const store = broken(new DependencyUnavailableError("gone"));
    await expectFailure(await send(configs, { headers: bearer }, { store }), { status: 503, code: 10002 });
  });
});

describe("trace ids and wire names", () => {
  test.each<[string, RequestInit]>([
    [configs, { headers: bearer }],
    [configs, {}],
    ["/nothing", {}],
  ])("every answer carries a trace id (%s)", async (path, init) => {
    expect((await send(path, init)).headers.get("x-trace-id")).toMatch(/^[0-9a-f]{16}$/);
  });

  test("with the provider's wire names the header is the provider's", async () => {
    const response = await send(configs, { headers: bearer }, { wireNames: "provider" });
    expect(response.headers.get("cf-ray")).toMatch(/^[0-9a-f]{16}$/);
    expect(response.headers.get("x-trace-id")).toBeNull();
  });
});
