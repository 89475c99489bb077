/** The tests of one area alone, named by the environment. */
import { defineConfig, mergeConfig } from "vitest/config";
import shared from "../../vitest.config.ts";
import { mutationAreas, testFilesOf } from "./areas.ts";

const area = mutationAreas[process.env["MUTATION_AREA"] ?? ""];
if (!area) throw new RangeError(`MUTATION_AREA must be one of ${Object.keys(mutationAreas).join(", ")}.`);

const config = mergeConfig(shared, defineConfig({ test: { maxWorkers: 1 } }));
const { projects: _projects, ...test } = config.test ?? {};
config.test = { ...test, include: testFilesOf(area) };
export default config;
