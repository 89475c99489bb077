/** SECURITY.md names every limit of images, with the default that it has; the others are in the generated reference. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { imageLimits } from "../src/engine/images/limits.ts";

const rows = readFileSync("SECURITY.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"));

test("imageLimits", () => {
  const stated = rows.flatMap((row) => {
    const [, limit = "", value = ""] = /^\| `imageLimits\.(\w+)` \| ([\d,]+) \| \S/.exec(row) ?? [];
    return limit === "" ? [] : [[limit, Number(value.replaceAll(",", ""))]];
  });
  expect(Object.fromEntries(stated)).toEqual(imageLimits);
  expect(stated.length).toBe(Object.keys(imageLimits).length);
});
