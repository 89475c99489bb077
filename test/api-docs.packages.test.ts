/** The API reference is the one that the docstrings make. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeApiReference } from "../scripts/api-docs/generate.ts";

function pagesOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

test("docs/api is up to date (`npm run generate`)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "edgeproof-api-"));
  await writeApiReference(folder);
  const made = pagesOf(folder);
  const kept = pagesOf("docs/api");
  expect(Object.keys(kept)).toEqual(Object.keys(made));
  for (const [file, page] of Object.entries(made)) expect(kept[file] === page, file).toBe(true);
});
