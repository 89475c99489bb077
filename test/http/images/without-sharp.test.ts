/** An image library that cannot be loaded is an outage of the machine, never a fault of the picture, and ends. */
import Module from "node:module";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { formOf, origin, png } from "../../support/images.ts";

type Load = (this: unknown, name: string, ...rest: readonly unknown[]) => unknown;

const loader = Module as unknown as { _load: Load };
const load = loader._load;

/** The error of Node.js when a process has no descriptor left. */
function noDescriptor(): Error {
  const path = "/secret/node_modules/sharp/dist/index.cjs";
  return Object.assign(new Error(`EMFILE: too many open files, open '${path}'`), { code: "EMFILE", path });
}

let isBroken = true;
beforeEach(() => {
  isBroken = true;
  loader._load = function (name, ...rest) {
    if (name === "sharp" && isBroken) throw noDescriptor();
    return load.call(this, name, ...rest);
  };
});
afterEach(() => {
  loader._load = load;
});

const picture = await png();
const variant = { id: "public", options: { fit: "cover", metadata: "none", width: 10, height: 10 } };
const edge = createEdge({
  world: {
    accounts: [{ id: "a1", images: { variants: [variant], images: [] } }],
    zones: [{ id: "z1", name: "example.com", account_id: "a1", settings: { transformations: "on" } }],
  },
  imageSource: async () => new Uint8Array(picture),
});
const api = `${origin}/client/v4/accounts/a1`;
const headers = { authorization: "Bearer t" };

async function post(path: string, body: FormData | string, type?: string): Promise<Response> {
  const init = { method: "POST", body, headers: { ...headers, ...(type && { "content-type": type }) } };
  return edge.fetch(new Request(`${api}${path}`, init));
}

/** Requests that need pixels, by what they are. */
const requests: Readonly<Record<string, () => Promise<Response>>> = {
  "an upload": () => post("/images/v1", formOf({ file: picture })),
  "a transformation": () => edge.fetch(new Request("https://example.com/cdn-cgi/image/width=20/a.png")),
  "a logo query": () =>
    post(
      "/intel/v2/brand-protection/logo/queries",
      JSON.stringify({ image_data: picture.toString("base64"), similarity_threshold: 0.9, tag: "t" }),
      "application/json",
    ),
};

describe("while the image library cannot be loaded", () => {
  test("every request that needs pixels is answered with 503 without a path, and succeeds as soon as it can be loaded", async () => {
    for (const [name, send] of Object.entries(requests)) {
      const answer = await send();
      const text = await answer.text();
      expect([name, answer.status], text).toEqual([name, 503]);
      expect(text).toContain("10002");
      expect(text).not.toMatch(/secret|node_modules|9422/);
    }
    isBroken = false;
    for (const [name, send] of Object.entries(requests)) {
      const answer = await send();
      expect([name, answer.status < 300], await answer.clone().text()).toEqual([name, true]);
    }
  });
});
