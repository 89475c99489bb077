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

/** Tests of the interface that also run over a socket: examples only, and not those that only compute for long. */
const socketTests = {
  include: [
    "test/http/{tokens,images,transport}/*.test.ts",
    "test/http/brand/domains.test.ts",
    "test/http/proxy.test.ts",
  ],
  exclude: [
    "**/*.prop.test.ts",
    "test/http/tokens/matching-rules.test.ts",
    // They open sockets or stores themselves.
    "test/http/images/{socket,sqlite,page.browser}.test.ts",
    "test/http/transport/{hostile-socket,guarded-fetch}.test.ts",
  ],
};

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "process",
          include: ["test/**/*.test.ts", "test/**/*.prop.test.ts", "examples/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "socket",
          ...socketTests,
          setupFiles: "test/support/over-socket.ts",
          env: { EDGEPROOF_TRANSPORT: "socket" },
        },
      },
    ],
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
