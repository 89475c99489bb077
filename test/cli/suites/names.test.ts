/** Expectations with names of rules: a plan and the state after it, and names that are not those of one rule. */
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../../support/cli.ts";
import { bundleTests, runTests } from "../../support/generated-tests.ts";

const plan = "fixtures/own-configuration/plan-create.json";
const state = "fixtures/own-configuration/state-after-create.json";

let folder: string;
let suite: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-names-"));
  suite = join(folder, "suite.json");
  await edgeproof(["suite", "generate", "--world", plan, "--format", "json", "--out", suite]);
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const evaluate = (world: string, requests: string, ...words: readonly string[]) =>
  edgeproof(["eval", "--world", world, "--requests", requests, ...words]);

describe("the suite of a plan", () => {
  test("has no id that the plan does not know", async () => {
    const { err, out } = await edgeproof(["world", "from", plan]);
    const ids = [...`${out}${err}`.matchAll(/[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id);
    expect(ids.length).toBeGreaterThan(4);
    const text = await readFile(suite, "utf8");
    expect(ids.filter((id) => text.includes(`"${id}"`))).toEqual([]);
  });

  test("is green on the plan and on the state after it, and measures the same there", async () => {
    for (const world of [plan, state]) {
      const { code, out } = await evaluate(world, suite);
      expect([code, out]).toEqual([0, expect.not.stringContaining("FAIL")]);
    }
    const mutated = await edgeproof(["suite", "mutate", "--world", state, "--requests", suite]);
    expect([mutated.code, mutated.out]).toEqual([0, expect.stringContaining("0 survived")]);
  });

  test("is that of the state after it", async () => {
    const again = join(folder, "again.json");
    await edgeproof(["suite", "generate", "--world", state, "--format", "json", "--out", again]);
    expect(await readFile(again, "utf8")).toBe(await readFile(suite, "utf8"));
  });

  test("is red when a rule of the state has another action, title or ref", async () => {
    const text = await readFile(state, "utf8");
    const changes = [
      ['"managed_challenge"', '"block"'],
      ['"title": "Tokens"', '"title": "Guard"'],
      ['"ref": "admin"', '"ref": "admins"'],
      ['"Old paths"', '"Known client"'],
    ] as const;
    for (const [from, to] of changes) {
      expect(text).toContain(from);
      const { code, err } = await evaluate(await file("changed.json", text.replaceAll(from, to)), suite);
      expect([code, err]).toEqual([1, expect.stringMatching(/there is no|there are 2|got block by/)]);
    }
  });

  test("is kept by --only-changed although every id is another one", async () => {
    const words = ["suite", "generate", "--world", state, "--only-changed", plan, "--format", "json"];
    const { code, err } = await edgeproof(words);
    expect([code, err]).toEqual([0, expect.stringMatching(/: 29 kept, 0 left out /)]);
  });

  test("as a test file is green on the world of the state", { timeout: 60_000 }, async () => {
    const world = join(folder, "world.json");
    const tests = join(folder, "rules.mjs");
    await edgeproof(["world", "from", plan, "--out", world]);
    await edgeproof(["suite", "generate", "--world", world, "--format", "node", "--out", tests]);
    const path = await bundleTests(tests);
    await edgeproof(["world", "from", state, "--out", world]);
    expect(await runTests(path)).toMatch(/pass 29\b[\s\S]*fail 0\b/);
    await writeFile(
      world,
      (await readFile(world, "utf8")).replace('"Admin area"', '"Admins"').replace('"admin"', '"x"'),
    );
    expect(await runTests(path)).toMatch(/fail [1-9]/);
  });
});

describe("an expectation", () => {
  const rule = (id: string | undefined, more: object) => ({
    ...(id !== undefined && { id }),
    title: "Guard",
    action: "block",
    expression: 'http.request.method eq "GET"',
    selector: { include: [{ host: ["api.shop.example"] }] },
    ...more,
  });
  const a = "51231d16-01f1-48e3-93f8-91c99e81288e";
  const worldOf = (...rules: readonly object[]) =>
    file("world.json", { zones: [{ id: "z1", name: "shop.example", token_validation: { rules } }] });
  const post = (expect: unknown) =>
    file("requests.json", [{ method: "POST", url: "https://api.shop.example/", expect }]);

  test("names a rule without an id, or one by its id", async () => {
    const world = await worldOf(rule(undefined, {}));
    expect((await evaluate(world, await post({ action: "block", rule: { title: "Guard" } }))).code).toBe(0);
    expect((await evaluate(world, await post({ action: "block", rule: { position: 1 } }))).code).toBe(0);
    const withId = await worldOf(rule(a, {}));
    expect((await evaluate(withId, await post({ action: "block", rule: a }))).code).toBe(0);
  });

  test.each<[string, object, string]>([
    ["no rule", { title: "Guards" }, 'there is no rule title "Guards"'],
    ["several rules", { title: "Guard" }, 'there are 2 of the rule title "Guard"'],
  ])("that names %s is red, and says so", async (_what, name, problem) => {
    const world = await worldOf(rule(a, {}), rule(undefined, { enabled: false }));
    const { code, err } = await evaluate(world, await post({ action: "block", rule: name }));
    expect([code, err]).toEqual([1, expect.stringContaining(problem)]);
    const json = await evaluate(world, await post({ action: "block", rule: name }), "--json");
    expect([json.code, JSON.parse(json.out)[0].expected.rule]).toEqual([1, name]);
  });

  test("that names another rule than the one that decided is red", async () => {
    const world = await worldOf(rule(a, {}), rule(undefined, { title: "Other" }));
    const { code, err } = await evaluate(world, await post({ action: "block", rule: { title: "Other" } }));
    expect([code, err]).toEqual([1, expect.stringContaining("expected block by Other, got block by Guard")]);
  });

  test.each([[{}], [{ titel: "Guard" }], [{ position: 0 }]])(
    "with the name %j is rejected at its place",
    async (name) => {
      const { code, err } = await evaluate(
        await worldOf(rule(a, {})),
        await post({ action: "block", rule: name }),
      );
      expect([code, err]).toEqual([2, expect.stringMatching(/requests\.json:1:\d+/)]);
    },
  );
});
