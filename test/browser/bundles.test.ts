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
import { type ScenarioInput, scenarioInput } from "./scenario-input.ts";
import { run as runNames } from "./scenarios/names.ts";
import { run as runProxy } from "./scenarios/proxy.ts";
import { run as runTokens } from "./scenarios/tokens.ts";
import { run as runWorld } from "./scenarios/world.ts";

const scenarios: Readonly<Record<string, (input: ScenarioInput) => unknown>> = {
  tokens: runTokens,
  proxy: runProxy,
  world: runWorld,
  names: runNames,
};

/** Parts of the results on Node.js, so that equal results are not equally empty. */
const expected: Readonly<Record<string, readonly string[]>> = {
  tokens: [
    '"block"',
    '"allow"',
    "bad_signature",
    "expired",
    '"kty":"RSA"',
    '"crv":"P-384"',
    "unsupported_type",
    "regular expression",
    '"custom":["allow","block","block","allow"]',
  ],
  proxy: ['"violations":[]', '"code":'],
  world: ['"operations":', '"requests":[{'],
  names: ['"münchen', '"query_id":1'],
};

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
  const imports = names.map((name) => `import { run as ${name} } from "./scenarios/${name}.ts";`);
  const all = `export const run = async (input) => [${names.map((name) => `await ${name}(input)`).join()}];`;
  const folder = `${platform}-${names.join("-")}`.replace(" ", "-");
  const bundle = await bundlePackage(folder, [...imports, all].join("\n"), platforms[platform]);
  const external = Object.values(bundle.inputs).flatMap(({ imports }) =>
    imports.filter((one) => one.external),
  );
  expect(external).toEqual([]);
  const results: unknown[] = [];
  for (const name of names) {
    const result = JSON.stringify(await scenarios[name]?.(input));
    for (const part of expected[name] ?? []) expect(result).toContain(part);
    results.push(JSON.parse(result));
  }
  expect(await runWithoutNode(bundle)).toEqual(results);
}

describe("without globals of Node.js, results are those of Node.js", () => {
  test.each(Object.keys(scenarios))("%s on the platform browser", async (name) => {
    await expectSameResults([name], "browser");
  });

  test.each(["worker", "edge runtime", "workerd"] as const)(
    "all of them on the platform %s",
    async (platform) => {
      await expectSameResults(Object.keys(scenarios), platform);
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
