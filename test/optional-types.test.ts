/** Declarations of the package stand without the packages that are optional. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allowMissing } from "../scripts/optional-types.ts";

test("imports of optional packages may lead nowhere, others must not", () => {
  const declarations = [
    'import type fastCheck from "fast-check";',
    'import type { Arbitrary } from "fast-check";',
    'import {\n  type Kysely,\n} from "kysely";',
    'import type { Sharp } from "sharp";',
    'import { other } from "./fast-check.ts";',
  ];
  const word = "// @ts-ignore: an optional package\n";
  expect(allowMissing(declarations.join("\n"))).toBe(
    declarations.map((line, i) => (i < 3 ? word + line : line)).join("\n"),
  );
});

test("the build does it", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(scripts.build).toContain("scripts/build.ts");
  expect(readFileSync("scripts/build.ts", "utf8")).toContain("allowMissing(");
});
