/** A test run with `-u`, as far as the matcher of pictures sees it: approves the pictures of a folder in another. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pictureMatchers } from "../../../src/testing/matchers/picture-matchers.ts";

const [from = "", to = ""] = process.argv.slice(2);
const state = { snapshotState: { _updateSnapshot: "all" } };
for (const name of (await readdir(from)).sort()) {
  const { pass, message } = await pictureMatchers.toMatchPicture.call(
    state,
    await readFile(join(from, name)),
    join(process.cwd(), to, name),
  );
  if (!pass) throw new Error(message());
}
