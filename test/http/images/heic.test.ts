/** HEIC over HTTP: accepted in profile `provider`, with details, statistics, a base image and no renditions. */
import { imagesBinding } from "edgeproof/images";
import { expect, test } from "vitest";
import { readHeic } from "../../engine/images/containers/heic-files.ts";
import { jsonOf } from "../../support/client.ts";
import { provoked } from "../../support/failure.ts";
import { imageSetting } from "../../support/images.ts";

const heic = await readHeic("grid-alpha");

test("profile `spec` rejects an upload, unless the option accepts it", async () => {
  const rejected = await imageSetting().post("/v1", { file: heic });
  expect(rejected.status).toBe(415);
  expect((await jsonOf(rejected)).errors[0].code).toBe(5455);
  expect((await imageSetting({ heic: "accept" }).post("/v1", { file: heic })).status).toBe(200);
  expect(
    (await imageSetting({ profile: "provider", heic: "reject" }).post("/v1", { file: heic })).status,
  ).toBe(415);
});

test("profile `provider` stores it, lists it, and returns its bytes", async () => {
  const { edge, client, upload, at } = imageSetting({ profile: "provider" });
  const { id, variants } = await upload({ file: heic, id: "photo", metadata: '{"place":"sea"}' });
  expect((await client.ok("GET", `/v1/${id}`)).result).toMatchObject({ id: "photo", meta: { place: "sea" } });
  expect((await client.ok("GET", "/v1/stats")).result.count.current).toBe(1);
  expect((await client.ok("GET", "/v2?meta.place[eq]=sea")).result.images).toHaveLength(1);
  const blob = await edge.images.base("a1", id);
  expect([blob.contentType, Buffer.from(blob.bytes)]).toEqual(["image/heic", heic]);
  const delivered = await at(variants[0]);
  expect([delivered.status, delivered.headers.get("cf-resized")]).toEqual([415, "err=9520"]);
  expect(await delivered.text()).toContain(
    "The image is HEIC, whose pixels are not decoded here; convert it to",
  );
  provoked(9520);
});

test("the Images binding describes it, and renders nothing of it", async () => {
  const images = imagesBinding();
  const stream = () => new Blob([heic as Uint8Array<ArrayBuffer>]).stream();
  expect(await images.info(stream())).toEqual({
    format: "image/heic",
    fileSize: heic.length,
    width: 61,
    height: 45,
  });
  const rejection = { code: 9520 };
  await expect(images.input(stream()).output({ format: "image/png" })).rejects.toMatchObject(rejection);
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  const base = images.input(new Blob([gif]).stream());
  await expect(base.draw(stream()).output({ format: "image/png" })).rejects.toMatchObject(rejection);
});
