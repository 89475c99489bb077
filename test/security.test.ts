/** SECURITY.md names every limit, with the default that it has. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { imageLimits } from "../src/engine/images/limits.ts";
import { defaultLimits } from "../src/service/limits.ts";

const rows = readFileSync("SECURITY.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"));

test.each([
  ["limits", defaultLimits],
  ["imageLimits", imageLimits],
] as const)("%s", (name, limits) => {
  const stated = rows.flatMap((row) => {
    const [, table, limit, value = ""] = /^\| `(\w+)\.(\w+)` \| ([\d,]+) \| \S/.exec(row) ?? [];
    return table === name ? [[limit, Number(value.replaceAll(",", ""))]] : [];
  });
  expect(Object.fromEntries(stated)).toEqual(limits);
  expect(stated.length).toBe(Object.keys(limits).length);
});
