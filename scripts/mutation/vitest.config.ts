/** The tests of one area alone, named by the environment. */
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import shared from "../../vitest.config.ts";
import { mutationAreas } from "./areas.ts";

const area = mutationAreas[process.env["MUTATION_AREA"] ?? ""];
if (!area) throw new RangeError(`MUTATION_AREA must be one of ${Object.keys(mutationAreas).join(", ")}.`);

const fewerRuns = fileURLToPath(new URL("fewer-runs.ts", import.meta.url));
const config = mergeConfig(
  shared,
  defineConfig({
    resolve: { alias: [{ find: /^fast-check$/, replacement: fewerRuns }] },
    test: { maxWorkers: 1 },
  }),
);
const { projects: _projects, ...test } = config.test ?? {};
config.test = { ...test, include: area.tests.flatMap((glob) => expand(glob)) };
export default config;

function expand(glob: string): string[] {
  const base = glob.replace(/\*+$/, "");
  return base.endsWith("/") ? [`${base}**/*.test.ts`] : [`${base}*.test.ts`];
}
