/** Images of the profile of the specification, over a socket, with the provider's client library. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { type NodeServer, serveOnNode } from "../../src/http/node-server.ts";
import { type Json, jsonOf } from "../support/client.ts";
import { formOf, png } from "../support/images.ts";
import { clientAt, isOlder } from "./provider.ts";

let server: NodeServer;
beforeAll(async () => {
  server = await serveOnNode(createEdge().fetch, { port: 0 });
});
afterAll(() => server.close());

const account_id = "a1";
const images = (): Json => clientAt(`${server.url}/client/v4`).images;

test("the client uploads, lists, filters, edits and deletes over a socket", async () => {
  const { v1, v2 } = images();
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
  const encoded = isOlder ? encodeURIComponent(id) : id;
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

test("the client creates drafts, keys and variants over a socket", async () => {
  const { v1, v2 } = images();
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
