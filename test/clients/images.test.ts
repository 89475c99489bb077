/** Image hosting with the provider's client library: uploads from files, keys, variants, drafts; once over a socket. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Cloudflare from "cloudflare";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { serveOnNode } from "../../src/http/node-server.ts";
import { png } from "../support/images.ts";
import { clientAt, generations } from "./provider.ts";

const account_id = "023e105f4ecef8ad9ca31a8372d0c353";

/** The library's own iterator expects `result.items`, which this list does not have; its pages contain the images. */
async function ids(client: Cloudflare, query: { page?: number; per_page?: number } = {}) {
  const page = await client.images.v1.list({ account_id, ...query });
  return (page.result as { images: { id: string }[] }).images.map(({ id }) => id);
}

async function withFile<T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "edgeproof-"));
  const path = join(folder, "picture.png");
  writeFileSync(path, bytes);
  try {
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function upload(client: Cloudflare, bytes: Uint8Array, more: object = {}) {
  return withFile(bytes, (path) =>
    client.images.v1.create({ account_id, file: createReadStream(path), ...more }),
  );
}

describe.each(generations)("$name", ({ open }) => {
  test("images: upload a file, list, get, edit, fetch the base, deliver, delete", async () => {
    const { client, edge } = open();
    const bytes = await png();
    const created = await upload(client, bytes, { id: "shop/one", metadata: { of: "one" } });
    expect(created).toMatchObject({ id: "shop/one", filename: "picture.png", meta: { of: "one" } });
    await upload(client, await png(99), { id: "two", creator: "me" });
    expect(await ids(client)).toEqual(["two", "shop/one"]);
    expect(await ids(client, { page: 2, per_page: 1 })).toEqual(["shop/one"]);
    const later = await client.images.v2.list({ account_id, creator: "me" });
    expect(later.images!.map(({ id }) => id)).toEqual(["two"]);
    const edited = await client.images.v1.edit("two", { account_id, metadata: { of: "deux" } });
    expect(edited).toMatchObject({ id: "two", meta: { of: "deux" } });
    expect(await client.images.v1.get("two", { account_id })).toMatchObject({ creator: "me" });
    const blob = await client.images.v1.blobs.get("two", { account_id });
    expect(Buffer.from(await blob.arrayBuffer())).toEqual(await png(99));
    const delivered = await edge.fetch(new Request(created.variants![0]!));
    expect(delivered.headers.get("content-type")).toBe("image/png");
    expect((await client.images.v1.stats.get({ account_id })).count).toMatchObject({ current: 2 });
    await client.images.v1.delete("two", { account_id });
    await expect(client.images.v1.get("two", { account_id })).rejects.toMatchObject({
      status: 404,
      errors: [{ code: 5404 }],
    });
  });

  test("variants: create, list, get, edit, delete", async () => {
    const { client } = open();
    const { variants } = client.images.v1;
    const options = { fit: "cover" as const, width: 20, height: 10, metadata: "none" as const };
    const created = await variants.create({ account_id, id: "hero", options });
    expect(created.variant).toEqual({ id: "hero", options, neverRequireSignedURLs: false });
    expect(Object.keys((await variants.list({ account_id })).variants!)).toEqual(["public", "hero"]);
    const wider = { ...options, width: 30 };
    const edited = await variants.edit("hero", { account_id, options: wider, neverRequireSignedURLs: true });
    expect(edited.variant).toEqual({ id: "hero", options: wider, neverRequireSignedURLs: true });
    expect((await variants.get("hero", { account_id })).variant).toEqual(edited.variant);
    await variants.delete("hero", { account_id });
    await expect(variants.get("hero", { account_id })).rejects.toMatchObject({ status: 404 });
    const wrong = variants.create({ account_id, id: "x", options: { ...options, width: 0 } });
    await expect(wrong).rejects.toMatchObject({ status: 400, errors: [{ code: 5400 }] });
  });

  test("signing keys: create, list, delete down to a new default", async () => {
    const { client } = open();
    const { keys } = client.images.v1;
    const names = (list: { keys?: { name?: string }[] }) => list.keys!.map(({ name }) => name);
    expect(names(await keys.list({ account_id }))).toEqual(["default"]);
    expect(names(await keys.update("mine", { account_id }))).toEqual(["default", "mine"]);
    expect(names(await keys.delete("default", { account_id }))).toEqual(["mine"]);
    expect(names(await keys.delete("mine", { account_id }))).toEqual(["default"]);
  });

  test("direct upload: a draft, its address, the image", async () => {
    const { client, edge } = open();
    const draft = await client.images.v2.directUploads.create({ account_id, requireSignedURLs: false });
    expect(await client.images.v1.get(draft.id!, { account_id })).toMatchObject({ draft: true });
    const body = new FormData();
    body.append("file", new Blob([new Uint8Array(await png())]), "mine.png");
    const filled = await edge.fetch(new Request(draft.uploadURL!, { method: "POST", body }));
    expect(filled.status).toBe(200);
    const image = await client.images.v1.get(draft.id!, { account_id });
    expect(image).toMatchObject({ id: draft.id, filename: "mine.png" });
    expect(image).not.toHaveProperty("draft");
  });
});

test("over a socket: upload, list, deliver, direct upload", async () => {
  const edge = createEdge({ profile: "provider", envelopes: "everywhere" });
  const server = await serveOnNode(edge.fetch, { port: 0 });
  try {
    const baseURL = `${server.url}/client/v4`;
    const client = clientAt(baseURL);
    const image = await upload(client, await png(), { id: "one" });
    expect(image.variants![0]).toContain(server.url);
    const delivered = await fetch(image.variants![0]!);
    expect([delivered.status, delivered.headers.get("content-type")]).toEqual([200, "image/png"]);
    await delivered.arrayBuffer();
    const draft = await client.images.v2.directUploads.create({ account_id });
    const body = new FormData();
    body.append("file", new Blob([new Uint8Array(await png(70))]), "two.png");
    expect((await fetch(draft.uploadURL!, { method: "POST", body })).status).toBe(200);
    expect((await ids(client)).sort()).toEqual([draft.id, "one"].sort());
  } finally {
    await server.close();
    await edge.close();
  }
});
