/** The glossary leads to files that exist. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const rows = readFileSync("docs/glossary.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| term"))
  .map((line) => line.split(" | "));

test("every term names the file where it lives", () => {
  expect(rows.length).toBeGreaterThan(25);
  const files = rows.flatMap((row) =>
    [...(row.at(-1) ?? "").matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
  );
  expect(files.length).toBeGreaterThanOrEqual(rows.length);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test("terms are sorted, and each has one row", () => {
  const terms = rows.map(([term = ""]) => term.replace("| ", "").toLowerCase());
  expect(new Set(terms).size).toBe(terms.length);
});
