/** A blob whose bytes changed on the disk: 500 with 10002, and what is wrong only in the log. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { temporaryFolder } from "../../store/open.ts";
import { imageSetting, png } from "../../support/images.ts";

const folder = await temporaryFolder();
const store = await openSqliteStore({ path: join(folder, "edge.db") });
afterAll(() => store.close());

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("is an internal error for every request that needs it, with its key and digests only in the log", async () => {
  const logged: string[] = [];
  const { at, client, upload } = imageSetting({ store, onError: (error) => logged.push(String(error)) });
  const { id, variants } = await upload({ file: await png() });
  let key = "";
  for await (const each of store.blobs.keys()) key = each;
  const blobs = join(folder, "edge.db.blobs");
  const names = (await readdir(blobs, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const file = join(names[0]!.parentPath, names[0]!.name);
  const original = await readFile(file);
  const changed = Uint8Array.from(original, (byte, i) => (i === original.length - 1 ? byte ^ 1 : byte));
  await writeFile(file, changed);
  expect(names).toHaveLength(1);

  const responses = [await client("GET", `/v1/${id}/blob`), await at(variants[0])];
  for (const response of responses) {
    const body = await response.text();
    expect([response.status, JSON.parse(body).errors]).toEqual([
      500,
      [{ code: 10002, message: "Unexpected internal error." }],
    ]);
    const shown = `${body} ${[...response.headers].join(" ")}`;
    for (const secret of [key, sha256(original), sha256(changed)]) expect(shown).not.toContain(secret);
  }
  expect(logged).toHaveLength(responses.length);
  for (const line of logged)
    for (const part of [key, sha256(original), sha256(changed)]) expect(line).toContain(part);
});
