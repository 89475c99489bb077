/**
 * `node --import tsx scripts/test-engines.ts 24`: the tests of engines whose answers could depend on the runtime's Unicode, URL or
 * regular expressions, on another version of Node.js. Results are written to `coverage/engines-<version>.json`.
 */
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { nodeOf } from "./node-versions.ts";

const [major = ""] = process.argv.slice(2);
if (!/^\d+$/.test(major))
  throw new RangeError(`the argument must be a major version such as 24; found ${major}`);

/** Tests of the engines, except those of graphs and of requests that are made from them, which use no such part of the runtime. */
const tests = [
  ...["brand", "images", "proxy"].map((area) => `test/engine/${area}/`),
  ...["expression", "jwt", "rulesets", "verdict", "zone"].map((part) => `test/engine/tokens/${part}/`),
  ...["dfas", "functions", "model-points"].map((law) => `test/engine/tokens/analysis/${law}.prop.test.ts`),
  "test/core/idna/",
];

const words = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--project=process",
  ...tests,
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=coverage/engines-${major}.json`,
];
const { EDGEPROOF_RUNS: _, ...env } = process.env;
const path = `${nodeOf(major)}${delimiter}${env["PATH"]}`;
const { status } = spawnSync("node", words, { env: { ...env, PATH: path }, stdio: "inherit" });
process.exitCode = status ?? 1;
