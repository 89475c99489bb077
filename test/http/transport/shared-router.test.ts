/** Edges share the router of their addresses, and nothing else. */
import { expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";

const origin = "https://edge.test";
const delivery = `${origin}/cdn-cgi/imagedelivery/hash/image/public`;

async function answerOf(options: EdgeOptions, url: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: "Bearer t", origin: "https://page.test" };
  return createEdge(options).fetch(new Request(url, { headers, ...init }));
}

test("the options of one edge are not those of the next", async () => {
  const allowed = async (options: EdgeOptions) =>
    (await answerOf(options, delivery, { method: "OPTIONS" })).headers.get("access-control-allow-origin");
  expect(await allowed({})).toBe("*");
  expect(await allowed({ cors: false })).toBe(null);
  expect(await allowed({ cors: ["https://page.test"] })).toBe("https://page.test");
  expect(await allowed({})).toBe("*");
});

test("each edge answers from its own store and at its own addresses, also after many others", async () => {
  const bases = ["", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "", "v1"];
  for (const [index, basePath] of bases.entries()) {
    const world = { zones: [{ id: "z1", account_id: "a1" }], accounts: [{ id: `a${index}`, name: "A" }] };
    const settings = { basePath, world: { ...world, accounts: [{ id: "a1", name: `A${index}` }] } };
    const path = `${basePath === "" ? "" : `/${basePath}`}/zones/z1/token_validation/rules`;
    expect((await answerOf(settings, origin + path)).status).toBe(200);
    expect((await answerOf(settings, `${origin}/other${path}`)).status).toBe(404);
  }
});
