/** Pure files whose tests are measured by mutation, and the tests that must notice. */
import { readdirSync } from "node:fs";

export interface MutationArea {
  /** Globs of the files that are changed. */
  readonly mutate: readonly string[];
  /** Beginnings of the paths of the test files that are run. */
  readonly tests: readonly string[];
}

/** Maximum runs of a random law: a change is noticed by the first runs or by an example, and thousands of changes are tried. */
export const maxRuns = 60;

/** Lowest accepted share of covered mutants that a test notices, in percent. */
export const minScore = 90;

export const mutationAreas: Readonly<Record<string, MutationArea>> = {
  expression: {
    mutate: ["src/engine/tokens/expression/**/*.ts"],
    tests: ["test/engine/tokens/expression/"],
  },
  jwt: {
    mutate: ["src/engine/tokens/jwt/**/*.ts"],
    tests: ["test/engine/tokens/jwt/"],
  },
  proxy: {
    mutate: ["src/engine/proxy/**/*.ts", "!src/engine/proxy/checks/samples.ts"],
    tests: ["test/engine/proxy/"],
  },
  images: {
    mutate: [
      "src/engine/images/render/geometry.ts",
      "src/engine/images/metadata/filter.ts",
      "src/engine/images/metadata/path.ts",
      "src/engine/images/signing.ts",
    ],
    tests: [
      "test/engine/images/render/geometry",
      "test/engine/images/metadata/",
      "test/engine/images/signing",
    ],
  },
  names: {
    mutate: ["src/engine/brand/names/**/*.ts", "!src/engine/brand/names/confusables-table.ts"],
    tests: ["test/engine/brand/names/"],
  },
};

/** Paths of the test files of an area. */
export function testFilesOf({ tests }: MutationArea): string[] {
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((path) => `test/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts") && tests.some((start) => path.startsWith(start)))
    .sort();
}
