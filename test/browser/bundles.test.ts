/** Each entry for browsers and workers is bundled as an installed package, runs without `Buffer` and `process`, and gives the results of Node.js. */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  bundlePackage,
  installPackage,
  maxKilobytes,
  measureEntry,
  type PackageBundle,
  platforms,
  portableEntries,
  removePackage,
} from "./package-bundle.ts";
import { resultOnNode, scenarioModule, scenarioNames } from "./results-on-node.ts";
import { type ScenarioInput, scenarioInput } from "./scenario-input.ts";

let input: ScenarioInput;
beforeAll(async () => {
  await installPackage();
  input = await scenarioInput();
});
afterAll(removePackage);

/** Runs a bundle in a thread without globals of Node.js. */
function runWithoutNode({ main }: PackageBundle): Promise<unknown> {
  const script = new URL("./without-node.mjs", import.meta.url);
  const worker = new Worker(script, { workerData: { main: pathToFileURL(main).href, input }, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.once("message", (text: string) => resolve(JSON.parse(text)));
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread ended without a result")));
  });
}

/** Bundles scenarios for a platform, and runs them here and there. */
async function expectSameResults(names: readonly string[], platform: keyof typeof platforms): Promise<void> {
  const folder = `${platform}-${names.join("-")}`.replace(" ", "-");
  const bundle = await bundlePackage(folder, scenarioModule(names), platforms[platform]);
  const external = Object.values(bundle.inputs).flatMap(({ imports }) =>
    imports.filter((imported) => imported.external),
  );
  expect(external).toEqual([]);
  const results: unknown[] = [];
  for (const name of names) results.push(await resultOnNode(name, input));
  expect(await runWithoutNode(bundle)).toEqual(results);
}

describe("without globals of Node.js, results are those of Node.js", () => {
  test.each(scenarioNames)("%s on the platform browser", async (name) => {
    await expectSameResults([name], "browser");
  });

  test.each(["worker", "edge runtime", "workerd"] as const)(
    "all of them on the platform %s",
    async (platform) => {
      await expectSameResults(scenarioNames, platform);
    },
  );
});

test.each(portableEntries)(
  "the bundle of all of edgeproof/%s is not larger than its limit",
  async (entry) => {
    const kilobytes = await measureEntry(entry);
    expect(kilobytes).toBeGreaterThan(10);
    expect(kilobytes).toBeLessThanOrEqual(maxKilobytes[entry]);
  },
);

test("an entry has either all of the conditions or none, and they lead to one file", () => {
  const { exports, imports } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
    "exports" | "imports",
    Record<string, string | Record<string, string>>
  >;
  const conditions = Object.values(platforms).flat();
  const portable = Object.entries({ ...exports, ...imports }).flatMap(([name, target]) => {
    const files = typeof target === "string" ? [] : conditions.map((condition) => target[condition]);
    if (files.every((file) => file === undefined)) return [];
    expect(new Set(files).size, name).toBe(1);
    return name.startsWith("#") ? [] : [name];
  });
  expect(portable.sort()).toEqual(portableEntries.map((entry) => `./${entry}`).sort());
});
