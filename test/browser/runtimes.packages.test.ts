/** The entries for workers in workerd and in Deno: bundled, and in Deno also as an installed package. The results are those of Node.js. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundlePackage, folder, installPackage, platforms, removePackage } from "./package-bundle.ts";
import { resultOnNode, scenarioModule, scenarioNames } from "./results-on-node.ts";
import { type RunningWorker, startWorker } from "./runtimes/workerd.ts";
import { type ScenarioInput, scenarioInput } from "./scenario-input.ts";

let input: ScenarioInput;
beforeAll(async () => {
  await installPackage("all");
  input = await scenarioInput();
});
afterAll(removePackage);

async function resultsOnNode(names: readonly string[]): Promise<unknown> {
  const results = [];
  for (const name of names) results.push(await resultOnNode(name, input));
  return results;
}

describe("workerd", () => {
  let worker: RunningWorker | undefined;
  afterEach(() => worker?.stop());

  /** The answer of a worker to a request with the input; `respond` is the body of its handler. */
  async function answerOf(name: string, module: string, respond: string): Promise<string> {
    const handler = `export default { async fetch(request) { ${respond} } };`;
    const bundle = await bundlePackage(`workerd-${name}`, `${module}\n${handler}`, platforms.workerd);
    worker = await startWorker(bundle);
    const answer = await fetch(worker.url, { method: "POST", body: JSON.stringify(input) });
    return answer.text();
  }

  test("evaluates tokens, validates applications and reads worlds in a request", async () => {
    const names = ["tokens", "proxy", "world"];
    const module = scenarioModule(names);
    const answer = await answerOf(
      "requests",
      module,
      "return Response.json(await run(await request.json()));",
    );
    expect(JSON.parse(answer)).toEqual(await resultsOnNode(names));
  });

  test("matches names in a request when queries were compiled at the start", async () => {
    const module = `import { compileQueries } from "edgeproof/brand/names"; compileQueries([]);\n${scenarioModule(["names"])}`;
    const answer = await answerOf("names", module, "return Response.json(await run());");
    expect(JSON.parse(answer)).toEqual(await resultsOnNode(["names"]));
  });

  test("otherwise an error says that queries must be compiled at the start", async () => {
    const respond = "return new Response(await run().catch(String));";
    const answer = await answerOf("names-late", scenarioModule(["names"]), respond);
    expect(answer).toMatch(
      /^TypeError: .*workerd must compile queries when it starts, outside of its handlers/,
    );
  });
});

describe("Deno", () => {
  const executable = resolve("test/browser/runtimes/node_modules/deno/bin.cjs");

  /** The results of a module on Deno, which may read files and, for `yaml`, the environment. */
  async function resultsOf(module: string): Promise<unknown> {
    const [main, file] = [join(folder, "deno.mjs"), join(folder, "input.json")];
    writeFileSync(file, JSON.stringify(input));
    writeFileSync(
      main,
      `import { run } from ${JSON.stringify(module)};
console.log(JSON.stringify(await run(JSON.parse(Deno.readTextFileSync(${JSON.stringify(file)})))));`,
    );
    const words = [executable, "run", "--no-remote", "--no-prompt", "--allow-read", "--allow-env", main];
    const env = { ...process.env, DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, env });
    return JSON.parse(stdout);
  }

  test("runs the installed package", async () => {
    const stdin = { contents: scenarioModule(scenarioNames), resolveDir: folder, loader: "ts" } as const;
    const outfile = join(folder, "all.mjs");
    await build({ stdin, outfile, bundle: true, packages: "external", format: "esm", tsconfigRaw: "{}" });
    expect(await resultsOf(outfile)).toEqual(await resultsOnNode(scenarioNames));
  });

  test("runs a bundle for workers", async () => {
    const { main } = await bundlePackage("deno-bundle", scenarioModule(scenarioNames), platforms.worker);
    expect(await resultsOf(main)).toEqual(await resultsOnNode(scenarioNames));
  });
});

test("the guide names the versions that run", () => {
  const { dependencies } = JSON.parse(readFileSync("test/browser/runtimes/package.json", "utf8"));
  const guide = readFileSync("docs/testing.md", "utf8");
  expect(guide).toContain(`workerd ${dependencies.workerd} and Deno ${dependencies.deno}`);
});
