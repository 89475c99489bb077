/**
 * `npm run mutate [area ...]`: changes one thing at a time in the pure files of an area, and counts how many of the changes
 * a test notices. Fails below the lowest accepted score.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { maxRuns, minScore, mutationAreas, testFilesOf } from "./areas.ts";

interface Mutant {
  readonly status: string;
  /** Whether the changed code runs when its file is loaded. */
  readonly static?: boolean;
  readonly testsCompleted?: number;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
  readonly testFiles?: Readonly<Record<string, { readonly tests: readonly unknown[] }>>;
}

/**
 * Whether test files could not be loaded with a mutant. A person notices that, but Stryker sees only the tests of the other
 * files, which pass. A mutant that runs when its file is loaded is tested by all tests.
 */
function breaksTestFiles(
  { static: isStatic, testsCompleted = 0 }: Mutant,
  { testFiles = {} }: Report,
): boolean {
  const all = Object.values(testFiles).reduce((sum, { tests }) => sum + tests.length, 0);
  return isStatic === true && testsCompleted < all;
}

const modules = `${process.cwd()}/scripts/mutation/node_modules`;

/** Runs Stryker over one area and returns its report. */
function mutate(name: string): Report {
  const area = mutationAreas[name];
  if (!area)
    throw new RangeError(`There is no area \`${name}\`; areas are ${Object.keys(mutationAreas).join(", ")}.`);
  const report = `coverage/mutation/${name}.json`;
  mkdirSync("coverage/mutation", { recursive: true });
  rmSync(report, { force: true });
  const config = `coverage/mutation/${name}.config.json`;
  writeFileSync(config, JSON.stringify(strykerOptions(area.mutate, report)));
  const { status } = spawnSync(`${modules}/.bin/stryker`, ["run", config], {
    stdio: "inherit",
    env: { ...process.env, MUTATION_AREA: name, EDGEPROOF_RUNS: String(maxRuns) },
  });
  if (status !== 0) throw new Error(`Stryker failed for the area \`${name}\`.`);
  const result = JSON.parse(readFileSync(report, "utf8")) as Report;
  requireTests(testFilesOf(area), Object.keys(result.testFiles ?? {}));
  return result;
}

/** Stryker leaves out a test file that cannot be loaded, and the score would be of the others alone. */
function requireTests(expected: readonly string[], run: readonly string[]): void {
  const missing = expected.filter((file) => !run.some((path) => path.endsWith(file)));
  if (missing.length > 0) throw new Error(`These tests did not run: ${missing.join(", ")}.`);
}

function strykerOptions(mutate: readonly string[], fileName: string) {
  return {
    mutate,
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
    plugins: [
      `${modules}/@stryker-mutator/vitest-runner/dist/src/index.js`,
      `${process.cwd()}/scripts/mutation/ignore-messages.mjs`,
    ],
    ignorers: ["messages"],
    ignorePatterns: ["dist", "coverage", "rendered", "bench"],
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName },
    concurrency: Number(process.env["MUTATION_WORKERS"] ?? 2),
    timeoutMS: 20_000,
    // Stryker rewrites this file with TypeScript 6; vitest reads none, so there is nothing to rewrite.
    tsconfigFile: "none.json",
    // Vitest checks no types, and a comment added to the sources of the WebAssembly would make its test fail.
    disableTypeChecks: false,
    tempDirName: `.stryker-tmp/${process.env["MUTATION_AREA"] ?? "run"}`,
    allowEmpty: false,
  };
}

const noticed = new Set(["Killed", "Timeout"]);

let failed = false;
const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(mutationAreas)) {
  const report = mutate(name);
  const { files } = report;
  const all = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ file, ...mutant })),
  );
  const unnoticed = all.filter(({ status }) => status === "Survived");
  const survived = unnoticed.filter((mutant) => !breaksTestFiles(mutant, report));
  const killed = all.filter(({ status }) => noticed.has(status)).length + unnoticed.length - survived.length;
  const uncovered = all.filter(({ status }) => status === "NoCoverage").length;
  const score = (100 * killed) / Math.max(1, killed + survived.length);
  for (const { file, location, mutatorName, replacement } of survived) {
    console.log(
      `survived  ${file}:${location.start.line}:${location.start.column}  ${mutatorName}  ${replacement ?? ""}`,
    );
  }
  console.log(
    `${name}: ${score.toFixed(1)} % of ${killed + survived.length} covered mutants noticed, ${uncovered} not covered`,
  );
  failed ||= score < minScore;
}
if (failed) process.exitCode = 1;
