/** Bundles test files for a browser, with a small test runner in place of Vitest. */
import { type BuildOptions, build, type Plugin } from "esbuild";

/** The results of the tests of a page. */
export interface LawResult {
  readonly name: string;
  /** The message of a failed test. */
  readonly failure?: string;
}

/** Vitest's own expectations, and its tests as a list in `globalThis.laws`. */
const runner = `
import * as chai from "chai";
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";
for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
export const expect = (value, message) => chai.expect(value, message);
const laws = (globalThis.laws = []);
const path = [];
const print = (name, values) => values.reduce((text, value) => text.replace(/%[sj]/, String(value)), name);
const each = (define) => (table) => (name, run) => {
  for (const row of table) {
    const values = Array.isArray(row) ? row : [row];
    define(print(name, values), () => run(...values));
  }
};
export function test(name, run) {
  laws.push({ name: [...path, name].join(" > "), run });
}
export function describe(name, define) {
  path.push(name);
  define();
  path.pop();
}
test.each = each(test);
describe.each = each(describe);
`;

const withRunner: Plugin = {
  name: "runner",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vitest$/ }, () => ({ path: "vitest", namespace: "runner" }));
    onLoad({ filter: /.*/, namespace: "runner" }, () => ({ contents: runner, resolveDir: process.cwd() }));
  },
};

/** The files of a page that defines the tests of a file, by their paths; `/main.js` is the first. */
export async function lawPage(file: string): Promise<ReadonlyMap<string, string>> {
  const contents = `
    import { prepareRegularExpressions } from "edgeproof/tokens";
    await prepareRegularExpressions();
    await import("./${file}");
    globalThis.ready = true;`;
  // They also run on Node.js, more often.
  const env = { EDGEPROOF_RUNS: process.env["EDGEPROOF_RUNS"] ?? "5" };
  const options = {
    stdin: { contents, resolveDir: process.cwd() },
    define: { "process.env": JSON.stringify(env) },
    plugins: [withRunner],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    outdir: "/",
    entryNames: "main",
    write: false,
    logLevel: "silent",
  } as const satisfies BuildOptions;
  const { outputFiles } = await build(options);
  return new Map(outputFiles.map(({ path, text }) => [path, text]));
}
