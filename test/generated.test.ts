/** Generated files are up to date. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generated } from "../scripts/generated.ts";

test.each(generated)("$path is up to date (`npm run generate`)", ({ path, make }) => {
  expect(readFileSync(path, "utf8")).toBe(make());
});
