import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";

/** Tests import the package by its public names, examples as a project of its own would; the aliases lead to the sources. */
const tsconfig = JSON.parse(readFileSync(new URL("./tsconfig.json", import.meta.url), "utf8"));
const paths = tsconfig.compilerOptions.paths as Record<string, [string]>;
const alias = Object.entries(paths).map(([name, [path]]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(path, import.meta.url)),
}));

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

/** Tests that need packages which `npm run test:full` installs. */
const needPackages = "test/**/*.packages.test.ts";

/** They replace modules that others have loaded, or measure the heap. */
const ownModules = [
  "test/cli/observe.test.ts",
  "test/cli/render/decodes.test.ts",
  "test/engine/logo/decode/picture-kernels-used.test.ts",
  "test/service/brand/memory.test.ts",
  "test/store/sql/files.test.ts",
];

/** `npm test`: every test, with few runs of the random laws. */
const quick: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: "process",
      include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
      exclude: [needPackages, ...ownModules, "**/node_modules/**"],
    },
  },
  { extends: true, test: { name: "isolated", isolate: true, include: ownModules } },
  {
    extends: true,
    test: {
      name: "socket",
      ...socketTests,
      setupFiles: ["test/support/laws.ts", "test/support/over-socket.ts"],
      env: { EDGEPROOF_TRANSPORT: "socket" },
    },
  },
];

/** `npm run test:full` adds what needs packages of its own. Its random laws have all of their runs. */
const packages: TestProjectConfiguration = {
  extends: true,
  test: {
    name: "packages",
    include: [needPackages, "test/clients/*.test.ts"],
    // The guide names the newer client.
    exclude: ["test/clients/serve.test.ts"],
    env: { EDGEPROOF_CLIENT: "older" },
  },
};

export default defineConfig({
  resolve: { alias },
  test: {
    projects: process.env["EDGEPROOF_RUNS"] === "full" ? [...quick, packages] : quick,
    typecheck: { enabled: false },
    globalSetup: "test/support/temporary-folder.ts",
    setupFiles: "test/support/laws.ts",
    expect: { requireAssertions: true },
    // Generous: a timeout is there for a hang, not for a busy machine.
    testTimeout: 120_000,
    // Modules are loaded once a worker: tests leave no global state behind.
    isolate: false,
    maxWorkers: 2,
    hookTimeout: 120_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
