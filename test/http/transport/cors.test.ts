/** The option `cors`: which pages may use upload and delivery addresses. */
import { describe, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { jsonOf } from "../../support/client.ts";
import { formOf, png } from "../../support/images.ts";

const authorization = "Bearer t";
const origin = "https://app.example.com";

/** An edge with a draft and a delivered image. */
async function prepare(options: EdgeOptions = {}) {
  const edge = createEdge(options);
  const send = (url: string, init: RequestInit = {}) => edge.fetch(new Request(url, init));
  const base = "https://edge.test/client/v4/accounts/a1/images";
  const body = formOf({ file: await png() });
  const image = await jsonOf(await send(`${base}/v1`, { method: "POST", headers: { authorization }, body }));
  const draft = await jsonOf(
    await send(`${base}/v2/direct_upload`, { method: "POST", headers: { authorization } }),
  );
  const [delivery] = image.result.variants as string[];
  return { send, upload: draft.result.uploadURL as string, delivery: delivery! };
}

const corsHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => /^(access-control|vary)/.test(name)));

const requested = {
  origin,
  "access-control-request-method": "POST",
  "access-control-request-headers": "x-a, content-type",
};

describe("by default every page may", () => {
  test("send a preflight to an upload address and a delivery address", async () => {
    const { send, upload, delivery } = await prepare();
    for (const url of [upload, delivery, `${delivery}-absent`, upload.replace(/.$/, "~")]) {
      const response = await send(url, { method: "OPTIONS", headers: requested });
      expect([response.status, await response.text()]).toEqual([204, ""]);
      expect(corsHeaders(response)).toEqual({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "POST, GET, HEAD, OPTIONS",
        "access-control-allow-headers": "x-a, content-type",
        vary: "Access-Control-Request-Headers",
      });
    }
  });

  test("read every response, errors and 304 included", async () => {
    const { send, upload, delivery } = await prepare();
    const open = { "access-control-allow-origin": "*" };
    const image = await send(delivery, { headers: { origin } });
    expect([image.status, corsHeaders(image)]).toEqual([200, { ...open, vary: "Accept" }]);
    const headers = { origin, "if-none-match": image.headers.get("etag")! };
    const known = await send(delivery, { headers });
    expect([known.status, corsHeaders(known)]).toEqual([304, { ...open, vary: "Accept" }]);
    const absent = await send(`${delivery}-absent`, { headers: { origin } });
    expect([absent.status, corsHeaders(absent)]).toEqual([404, open]);
    const wrong = await send(upload, { method: "POST", headers: { origin }, body: "x" });
    expect([wrong.status, corsHeaders(wrong)]).toEqual([415, open]);
    const method = await send(upload, { method: "DELETE", headers: { origin } });
    expect([method.status, corsHeaders(method)]).toEqual([405, open]);
  });

  test("use neither credentials nor the rest of the interface", async () => {
    const { send } = await prepare();
    for (const path of ["/client/v4/accounts/a1/images/v1", "/openapi.json", "/health", "/absent"]) {
      const preflight = await send(`https://edge.test${path}`, { method: "OPTIONS", headers: requested });
      expect(preflight.status).toBeGreaterThanOrEqual(400);
      expect(corsHeaders(preflight)).toEqual({});
      const response = await send(`https://edge.test${path}`, { headers: { origin, authorization } });
      expect(corsHeaders(response)).toEqual({});
    }
  });

  test("use the addresses of a delivery host", async () => {
    const { send, delivery } = await prepare({ deliveryBaseUrl: "https://images.test" });
    expect(delivery).toMatch(/^https:\/\/images\.test\//);
    const response = await send(delivery, { headers: { origin } });
    expect([response.status, corsHeaders(response)["access-control-allow-origin"]]).toEqual([200, "*"]);
  });
});

describe("with a list of origins", () => {
  test("those are echoed, others get no permission, and caches keep them apart", async () => {
    const { send, upload, delivery } = await prepare({ cors: ["http://localhost:3000", origin] });
    const own = await send(delivery, { headers: { origin } });
    expect(corsHeaders(own)).toEqual({ "access-control-allow-origin": origin, vary: "Accept, Origin" });
    for (const other of ["https://evil.example", "http://localhost:3001", "null", `${origin}.evil.example`]) {
      const response = await send(delivery, { headers: { origin: other } });
      expect([response.status, corsHeaders(response)]).toEqual([200, { vary: "Accept, Origin" }]);
    }
    expect(corsHeaders(await send(delivery))).toEqual({ vary: "Accept, Origin" });
    const preflight = await send(upload, { method: "OPTIONS", headers: requested });
    expect(corsHeaders(preflight)).toMatchObject({
      "access-control-allow-origin": origin,
      vary: "Origin, Access-Control-Request-Headers",
    });
    const rejected = { ...requested, origin: "https://evil.example" };
    const other = await send(upload, { method: "OPTIONS", headers: rejected });
    expect([other.status, corsHeaders(other)]).toEqual([204, { vary: "Origin" }]);
  });
});

test("with `cors: false` no response has the headers, and OPTIONS is not allowed", async () => {
  const { send, upload, delivery } = await prepare({ cors: false });
  expect(corsHeaders(await send(delivery, { headers: { origin } }))).toEqual({ vary: "Accept" });
  const preflight = await send(upload, { method: "OPTIONS", headers: requested });
  expect([preflight.status, corsHeaders(preflight)]).toEqual([405, {}]);
});

test.each([
  [["https://a.example/"]],
  [["https://a.example/path"]],
  [["a.example"]],
  [["*"]],
  [[5]],
  ["https://a.example"],
  [true],
])("`cors: %j` is rejected", (cors) => {
  expect(() => createEdge({ cors: cors as never })).toThrow(/^cors has/);
});
