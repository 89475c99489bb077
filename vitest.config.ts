import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests import the package by its public names, examples as a project of its own would; the aliases lead to the sources. */
const tsconfig = JSON.parse(readFileSync(new URL("./tsconfig.json", import.meta.url), "utf8"));
const { cloudflare: _types, ...paths } = tsconfig.compilerOptions.paths as Record<string, [string]>;
const alias = [
  // Two versions of the client library are installed, and the examples use the newer one.
  { find: /^cloudflare$/, replacement: "cloudflare-7" },
  ...Object.entries(paths).map(([name, [path]]) => ({
    find: new RegExp(`^${name}$`),
    replacement: fileURLToPath(new URL(path, import.meta.url)),
  })),
];

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
