/** Uploads over a real socket: too large, aborted, rejected before they are read, and by the provider's clients. */
import { connect } from "node:net";
import Cloudflare6 from "cloudflare-6";
import Cloudflare7 from "cloudflare-7";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { type NodeServer, serveOnNode } from "../../../src/http/node-server.ts";
import { type Json, jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { formOf, png, storedImages } from "../../support/images.ts";

let edge: Edge;
let server: NodeServer;
beforeAll(async () => {
  edge = createEdge({ limits: { imageUploadBytes: 2_000_000 } });
  server = await serveOnNode(edge.fetch, { port: 0 });
});
afterAll(() => server.close());

const headers = { authorization: "Bearer t" };
const path = (account: string) => `/client/v4/accounts/${account}/images/v1`;

test("a file above the limit is answered before the rest of it arrives", async () => {
  for (const size of [2_000_001, 8_000_000]) {
    const body = formOf({ file: new Uint8Array(size) });
    const response = await fetch(`${server.url}${path("large")}`, { method: "POST", headers, body });
    await expectFailure(response, { status: 413, code: 5413 });
  }
  expect(await storedImages(edge, "large")).toMatchObject({ images: [] });
});

test("an aborted upload stores nothing, and the server continues", async () => {
  const file = await png();
  const head = [
    `POST ${path("cut")} HTTP/1.1`,
    "host: edge.test",
    "authorization: Bearer t",
    "content-type: multipart/form-data; boundary=b",
    `content-length: ${file.length + 1_000}`,
    "",
    '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n',
  ].join("\r\n");
  const { hostname, port } = new URL(server.url);
  for (const cut of [0, 10, file.length]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(head);
        socket.write(file.subarray(0, cut), () => setTimeout(() => socket.destroy(), 20));
      });
      socket.on("close", () => resolve());
    });
  }
  const response = await fetch(`${server.url}${path("cut")}/stats`, { headers });
  expect((await jsonOf(response)).result.count.current).toBe(0);
  expect(await storedImages(edge, "cut")).toMatchObject({ images: [], blobs: [] });
});

const clients: readonly (readonly [string, (baseURL: string) => Json])[] = [
  ["cloudflare 6", (baseURL) => new Cloudflare6({ apiToken: "t", baseURL, maxRetries: 0 })],
  ["cloudflare 7", (baseURL) => new Cloudflare7({ apiToken: "t", baseURL, maxRetries: 0 })],
];

describe.each(clients)("%s", (name, make) => {
  const account_id = name.replace(" ", "-");
  const client = () => make(`${server.url}/client/v4`).images;

  test("uploads, lists, filters, edits and deletes", async () => {
    const { v1, v2 } = client();
    const file = new File([(await png()) as Uint8Array<ArrayBuffer>], "cat.png");
    const id = "shop/50% off";
    const image = await v1.create({
      account_id,
      file,
      id,
      requireSignedURLs: false,
      metadata: { a: { b: "c" } },
    });
    expect(image).toMatchObject({ id, filename: "cat.png", meta: { a: { b: "c" } } });
    const encoded = name.endsWith("6") ? encodeURIComponent(id) : id;
    expect(await v1.get(encoded, { account_id })).toEqual(image);
    const listed: string[] = [];
    for await (const page of (await v1.list({ account_id, per_page: 1 })).iterPages()) {
      listed.push(...(page.result.items ?? page.result.images).map((i: Json) => i.id));
      if (listed.length > 3) break;
    }
    expect(listed).toEqual([id]);
    const filtered = await v2.list({ account_id, "meta.a.b[eq]": "c" });
    expect(filtered.images.map((i: Json) => i.id)).toEqual([id]);
    expect(filtered.continuation_token).toBeNull();
    expect((await v2.list({ account_id, creator: "" })).images).toHaveLength(1);
    const blob = await v1.blobs.get(encoded, { account_id });
    expect((await blob.arrayBuffer()).byteLength).toBe(file.size);
    const edited = await v1.edit(encoded, { account_id, metadata: { n: 1 }, requireSignedURLs: true });
    expect(edited).toMatchObject({ meta: { n: 1 }, requireSignedURLs: true });
    await v1.delete(edited.id, { account_id });
    expect((await v1.stats.get({ account_id })).count).toEqual({ allowed: 100_000, current: 0 });
  });

  test("creates drafts, keys and variants", async () => {
    const { v1, v2 } = client();
    const draft = await v2.directUploads.create({ account_id });
    const body = formOf({ file: await png() });
    const response = await fetch(draft.uploadURL, { method: "POST", body });
    expect((await jsonOf(response)).result.id).toBe(draft.id);
    const custom = await v2.directUploads.create({ account_id, id: "mine", requireSignedURLs: true });
    expect(await v1.get("mine", { account_id })).toMatchObject({ id: custom.id, draft: true });
    const { keys } = await v1.keys.update("second", { account_id });
    expect(keys.map((k: Json) => k.name)).toEqual(["default", "second"]);
    expect((await v1.keys.delete("second", { account_id })).keys).toHaveLength(1);
    const options = { fit: "pad", width: 10, height: 10, metadata: "none" };
    expect((await v1.variants.create({ account_id, id: "v", options })).variant.id).toBe("v");
    const changed = { account_id, options: { ...options, width: 20 }, neverRequireSignedURLs: true };
    expect((await v1.variants.edit("v", changed)).variant.options.width).toBe(20);
    expect(Object.keys((await v1.variants.list({ account_id })).variants)).toEqual(["public", "v"]);
    await v1.variants.delete("v", { account_id });
  });
});
