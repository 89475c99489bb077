/** The tests of one area alone, named by the environment. */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import shared from "../../vitest.config.ts";
import { mutationAreas, testFilesOf } from "./areas.ts";

const area = mutationAreas[process.env["MUTATION_AREA"] ?? ""];
if (!area) throw new RangeError(`MUTATION_AREA must be one of ${Object.keys(mutationAreas).join(", ")}.`);

const fewerRuns = fileURLToPath(new URL("fewer-runs.ts", import.meta.url));
const fastCheck = createRequire(import.meta.url)
  .resolve("fast-check/package.json")
  .replace(/package\.json$/, "lib/fast-check.js");
const config = mergeConfig(
  shared,
  defineConfig({
    resolve: {
      alias: [
        { find: /^fast-check$/, replacement: fewerRuns },
        { find: /^.*\/node_modules\/fast-check\/lib\/fast-check\.js$/, replacement: fastCheck },
      ],
    },
    test: { maxWorkers: 1 },
  }),
);
const { projects: _projects, ...test } = config.test ?? {};
config.test = { ...test, include: testFilesOf(area) };
export default config;
