/** The options of a bucket: what is rejected, and with which words. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BlobBucket, locate } from "../../../src/store/sql/blobs/bucket/location.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { temporaryFolder } from "../open.ts";

const folder = await temporaryFolder();
const valid: BlobBucket = {
  endpoint: "https://s3.example.com",
  bucket: "pictures",
  accessKeyId: "KEY",
  secretAccessKey: "the secret".replace(" ", "-"),
};

test("the region, the prefix and the timeout have defaults", () => {
  expect(locate(valid)).toMatchObject({ region: "us-east-1", prefix: "", timeoutMs: 10_000 });
});

test("an endpoint may have a path, and ends without `/`", () => {
  expect(locate({ ...valid, endpoint: "https://s3.example.com/" }).endpoint).toBe("https://s3.example.com");
  expect(locate({ ...valid, endpoint: "http://[::1]:9000/storage/s3/" }).endpoint).toBe(
    "http://[::1]:9000/storage/s3",
  );
});

test.each<[Partial<Record<keyof BlobBucket, unknown>>, string]>([
  [
    { endpoint: "s3.example.com" },
    "`endpoint` of the bucket must be an address that begins with https:// or http://",
  ],
  [{ endpoint: "ftp://s3.example.com" }, "`endpoint`"],
  [{ endpoint: "https://s3.example.com/?a=b" }, "`endpoint`"],
  [{ endpoint: undefined }, "`endpoint`"],
  [{ bucket: "" }, "`bucket` of the bucket must be 3 to 255 letters"],
  [{ bucket: "a/b" }, "found `a/b`"],
  [{ bucket: "../other" }, "`bucket`"],
  [{ bucket: "a?b#c" }, "`bucket`"],
  [{ region: "a/b" }, "`region`"],
  [{ prefix: "a//b" }, "`prefix`"],
  [{ prefix: "/a" }, "`prefix`"],
  [{ prefix: "a/" }, "`prefix`"],
  [{ prefix: "a/../b" }, "`prefix`"],
  [{ prefix: "." }, "`prefix`"],
  [{ prefix: "a%2e" }, "`prefix`"],
  [{ prefix: "a".repeat(513) }, "`prefix`"],
  [{ accessKeyId: "" }, "`accessKeyId` of the bucket must be a non-empty string"],
  [{ secretAccessKey: "a\nb" }, "`secretAccessKey`"],
  [{ sessionToken: "" }, "`sessionToken`"],
  [{ timeoutMs: 0 }, "`timeoutMs` of the bucket must be an integer from 1 to 3600000; found `0`"],
  [{ timeoutMs: 1.5 }, "`timeoutMs`"],
])("%j is rejected", (options, message) => {
  const check = () => locate({ ...valid, ...options } as BlobBucket);
  expect(check).toThrow(TypeError);
  expect(check).toThrow(message);
});

test("no message repeats a secret", () => {
  const secrets = [
    { endpoint: "https://user:hidden@s3.example.com" },
    { secretAccessKey: "hidden\n" },
    { accessKeyId: "hidden\n" },
    { sessionToken: "hidden\n" },
  ];
  for (const options of secrets) {
    const check = () => locate({ ...valid, ...options });
    expect(check).toThrow(TypeError);
    expect(check).not.toThrow(/hidden/);
  }
});

test("a folder and a bucket exclude each other, and nothing is created", async () => {
  const path = join(folder, "both.db");
  await expect(openSqliteStore({ path, blobFolder: folder, blobBucket: valid })).rejects.toThrow(
    "`blobFolder` and `blobBucket` exclude each other",
  );
});
