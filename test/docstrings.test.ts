/** Runs every example of every docstring and checks the results it shows. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { assertShownResults, docExamplesOf } from "./support/example-code.ts";
import { runModule } from "./support/examples.ts";

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

/** Names of the packages's public entries that an example may use beside its own file's. */
const entries = [
  "edgeproof",
  "edgeproof/tokens",
  "edgeproof/analysis",
  "edgeproof/brand",
  "edgeproof/brand/names",
  "edgeproof/images",
  "edgeproof/proxy",
  "edgeproof/testing",
  "edgeproof/world",
  "edgeproof/queues/memory",
];

async function namesOf(module: string): Promise<readonly string[]> {
  return Object.keys((await import(/* @vite-ignore */ module)) as object);
}

/** Their examples need a database or a broker, or a test runner around them. */
const needMore =
  /^(store\/sql\/|queue\/(postgres\/|jetstream\/jetstream-queue\.ts)|testing\/contract\/(store|queue\/queue)-contract\.ts)/;

const examples = files
  .filter((file) => !needMore.test(file))
  .flatMap((file) => docExamplesOf(readFileSync(`src/${file}`, "utf8"), file));

test("there are examples", () => {
  expect(examples.length).toBeGreaterThan(20);
});

describe("every example shows its result, and that is what it gives", () => {
  test.each(examples)("$place", async ({ place, code }) => {
    const { code: body, assertions } = assertShownResults(code);
    expect(assertions, "an example shows a result: `expression; // => result`").toBeGreaterThan(0);
    const own = `../src/${place.split(":")[0]}`;
    const used = new Set(code.match(/[A-Za-z_$][\w$]*/g));
    const imports: string[] = [];
    const taken = new Set(code.match(/(?<=(?:const|let) )\w+/g) ?? []);
    for (const module of [own, ...entries]) {
      const names = (await namesOf(module)).filter((n) => used.has(n) && !taken.has(n));
      for (const name of names) taken.add(name);
      const from = module === own ? `${process.cwd()}/src/${place.split(":")[0]}` : module;
      if (names.length > 0) imports.push(`import { ${names.join(", ")} } from "${from}";`);
    }
    await runModule(place, `${imports.join("\n")}\n${body}`);
  });
});
