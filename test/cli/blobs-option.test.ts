/** `--blobs`: folders, buckets with the credentials of the environment, and every wrong value. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readBlobs, readSharedBlobs } from "../../src/cli/input/blobs-option.ts";
import { createEdge } from "../../src/edge.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { temporaryFolder } from "../store/open.ts";
import { startBucketServer } from "../support/bucket-server.ts";
import { edgeproof } from "../support/cli.ts";

const folder = await temporaryFolder();
const at = (name: string) => join(folder, name);
const server = await startBucketServer();
afterAll(server.stop);
const { endpoint, region, accessKeyId, secretAccessKey } = server.options;
const env = {
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_REGION: region!,
  AWS_ENDPOINT_URL_S3: endpoint,
};
const input = (blobs?: string) => ({ blobs });

test("a value without a scheme is a folder, s3:// a bucket with the credentials of the environment", () => {
  expect(readBlobs(input(), { env })).toBeUndefined();
  expect(readBlobs(input("./blobs"), { env })).toEqual({ blobFolder: "./blobs" });
  const common = { endpoint, region, accessKeyId, secretAccessKey };
  expect(readBlobs(input("s3://b"), { env })).toEqual({ blobBucket: { bucket: "b", ...common } });
  expect(readBlobs(input("s3://b/"), { env })).toEqual({ blobBucket: { bucket: "b", ...common } });
  expect(readBlobs(input("s3://b/c/d/"), { env: { ...env, AWS_SESSION_TOKEN: "t" } })).toEqual({
    blobBucket: { bucket: "b", prefix: "c/d", sessionToken: "t", ...common },
  });
});

test("without an address of the service, it is that of AWS in the region", () => {
  const { AWS_ENDPOINT_URL_S3: _, AWS_REGION: __, ...keys } = env;
  for (const variable of ["AWS_REGION", "AWS_DEFAULT_REGION"])
    expect(readBlobs(input("s3://b"), { env: { ...keys, [variable]: "eu-west-1" } })).toMatchObject({
      blobBucket: { endpoint: "https://s3.eu-west-1.amazonaws.com", region: "eu-west-1" },
    });
  expect(() => readBlobs(input("s3://b"), { env: keys })).toThrow(
    "--blobs names a bucket, but neither AWS_REGION nor AWS_ENDPOINT_URL_S3 is set",
  );
});

test("commands with a shared store read EDGEPROOF_BLOBS too", () => {
  const shared = { env: { ...env, EDGEPROOF_BLOBS: "/mnt/blobs" } };
  expect(readSharedBlobs(input(), shared)).toEqual({ blobFolder: "/mnt/blobs" });
  expect(readSharedBlobs(input("other"), shared)).toEqual({ blobFolder: "other" });
  expect(readSharedBlobs(input(), { env: { EDGEPROOF_BLOBS: "" } })).toBeUndefined();
  expect(() => readSharedBlobs(input(), { env: { EDGEPROOF_BLOBS: "s3://b" } })).toThrow(
    "EDGEPROOF_BLOBS names a bucket, but AWS_ACCESS_KEY_ID is not set",
  );
});

test.each([
  [[], ""],
  [["--data", at("wrong.db")], "s3://KEY:hidden@bucket/prefix"],
  [["--data", at("wrong.db")], "https://hidden.example"],
  [["--data", at("wrong.db")], "s3://"],
  [["--data", at("wrong.db")], ""],
])("serve %j --blobs %j is rejected, without repeating it", async (words, blobs) => {
  const { code, err } = await edgeproof(["serve", ...words, "--blobs", blobs], "", { env });
  expect(code).toBe(2);
  expect(err).toContain(
    words.length === 0 ? "--blobs needs --data" : "--blobs must be a folder, or a bucket at s3://",
  );
  expect(err).not.toContain("hidden");
});

test("a bucket that cannot be used is named, without the secret", async () => {
  await (await openSqliteStore({ path: at("unused.db") })).close();
  const words = ["store", "reindex", "--data", at("unused.db"), "--blobs", "s3://test-bucket/p"];
  const wrong = await edgeproof(words, "", { env: { ...env, AWS_SECRET_ACCESS_KEY: "hidden" } });
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain(
    `the bucket \`test-bucket\` at \`${endpoint}\` answered GET with 403 SignatureDoesNotMatch`,
  );
  expect(wrong.err).not.toContain("hidden");
  const invalid = await edgeproof([...words.slice(0, -1), "s3://b%2Fc"], "", { env });
  expect(invalid).toMatchObject({ code: 2, err: expect.stringContaining("`bucket` of the bucket must be") });
});

test("import, observe, reindex and export of a store whose blobs are in a bucket", async () => {
  await mkdir(at("shots"));
  await writeFile(at("shots/a.png"), drawPng(drawings["wing"]!, { side: 48 }));
  const run = async (...words: string[]) => {
    const { code, err } = await edgeproof([...words], "", { env });
    expect(code, err).toBe(0);
    return err;
  };
  const [inBucket, again] = [
    ["--data", at("b.db"), "--blobs", "s3://test-bucket/b"],
    ["--data", at("c.db")],
  ];
  const file = await openSqliteStore({ path: at("a.db") });
  const edge = createEdge({ store: file, world: { accounts: [{ id: "a1" }] } });
  await edge.brand.settings.read("a1");
  await edge.close();
  await run("store", "export", "--data", at("a.db"), at("a.jsonl"));
  await run("store", "import", ...inBucket, at("a.jsonl"));
  await run("store", "observe", ...inBucket, "--account", "a1", at("shots"));
  await run("store", "reindex", ...inBucket);
  expect([...server.objects.keys()].filter((name) => name.startsWith("b/")).length).toBeGreaterThan(0);
  expect(await readdir(folder)).not.toContain("b.db.blobs");
  await run("store", "export", ...inBucket, at("b.jsonl"));
  await run("store", "import", ...again, at("b.jsonl"));
  await run("store", "export", ...again, at("c.jsonl"));
  expect(await readFile(at("c.jsonl"), "utf8")).toBe(await readFile(at("b.jsonl"), "utf8"));
  const { code, err } = await edgeproof(["store", "export", "--data", at("b.db"), at("d.jsonl")]);
  expect(code).toBe(2);
  expect(err).toContain("the blobs of this store are in a bucket");
});
