import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests import the package by its public names; the aliases point them at the sources. */
const tsconfig = JSON.parse(readFileSync(new URL("./tsconfig.json", import.meta.url), "utf8"));
const alias = Object.entries(tsconfig.compilerOptions.paths as Record<string, [string]>).map(
  ([name, [path]]) => ({
    find: new RegExp(`^${name}$`),
    replacement: fileURLToPath(new URL(path, import.meta.url)),
  }),
);

export default defineConfig({
  resolve: { alias },
  test: {
    include: ["test/**/*.test.ts", "test/**/*.prop.test.ts", "examples/**/*.test.ts"],
    typecheck: { enabled: false },
    globalSetup: "test/support/temporary-folder.ts",
    // Generous: a timeout is there for a hang, not for a busy machine.
    testTimeout: 120_000,
    maxWorkers: 2,
    hookTimeout: 120_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
