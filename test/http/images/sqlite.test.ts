/** Image hosting on SQLite: ids of every length, order, continuation, races, and persistence. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { jsonOf } from "../../support/client.ts";
import { formOf, imageSetting, png, storedImages } from "../../support/images.ts";

test("lists, renames, drafts and deletions work as in memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const path = join(folder, "edge.db");
  const { upload, client, at, post, edge } = imageSetting({ store: await openSqliteStore({ path }) });
  const file = await png();
  const long = "ä".repeat(1_024);
  const ids = ["a", long, `${long.slice(1)}b`, "shop/a b", "\u{10ffff}", "z"];
  for (const [n, id] of ids.entries()) {
    await upload({ id, file, metadata: JSON.stringify({ n }), creator: n % 2 ? "ada" : "" });
  }
  const seen: string[] = [];
  for (let token: string | null = ""; token !== null; ) {
    const { result } = await client.ok("GET", `/v2?per_page=2${token && `&continuation_token=${token}`}`);
    seen.push(...result.images.map((image: { id: string }) => image.id));
    token = result.continuation_token;
  }
  expect(seen).toEqual([...ids].reverse());
  const filtered = await client.ok("GET", "/v2?meta.n[in:number]=2|3&creator=ada&sort_order=asc");
  expect(filtered.result.images.map((image: { id: string }) => image.id)).toEqual(["shop/a b"]);

  const draft = (await jsonOf(await post("/v2/direct_upload", { id: "d" }))).result;
  const fill = () => at(draft.uploadURL, { method: "POST", body: formOf({ file }) });
  expect((await Promise.all([fill(), fill()])).map((r) => r.status).sort()).toEqual([200, 403]);
  const { result } = await client.ok("PATCH", "/v1/a", { requireSignedURLs: true });
  expect((await at(result.variants[0])).status).toBe(403);
  await client.ok("DELETE", `/v1/${result.id}`);
  expect((await client.ok("GET", "/v1/stats")).result.count.current).toBe(ids.length);
  expect((await storedImages(edge)).blobs).toHaveLength(ids.length);
  const [address] = (await client.ok("GET", "/v1/z")).result.variants;
  const etag = (await at(address)).headers.get("etag")!;
  await edge.close();

  const again = imageSetting({ store: await openSqliteStore({ path }) });
  expect((await again.at(address, { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await again.at(address)).status).toBe(200);
  await again.edge.close();
  await rm(folder, { recursive: true });
});
