/** The modules that importing an entry point loads: its own area's packages and no other's. Follows static value imports. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)([^;]*?)from\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"/g;

/** Targets of imports that remain after types are erased. */
function loadedBy(file: string): readonly string[] {
  const code = readFileSync(join("src", file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  return [...code.matchAll(statement)].flatMap(([, names = "x", target, bare]) => {
    const listed = /\{([\s\S]*)\}/.exec(names)?.[1];
    const onlyTypes = listed?.split(",").every((name) => /^\s*(type\s|$)/.test(name));
    return onlyTypes ? [] : [(target ?? bare)!];
  });
}

/** The block hash of image-hash is a file of its own that loads nothing else. */
const light = "image-hash/lib/block-hash.js";

function packageOf(target: string): string {
  return target === light ? light : target.split("/", target.startsWith("@") ? 2 : 1).join("/");
}

const { imports: platforms } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly imports: Readonly<Record<string, { readonly default: string }>>;
};

/** The file that Node.js loads for a name of `imports` in package.json. */
function platformFile(name: string): string {
  const target = platforms[name]?.default;
  if (target === undefined) throw new Error(`package.json has no import ${name}`);
  return target.replace("./src/", "");
}

interface Loaded {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

/** The files and packages that importing a file loads. */
function allLoadedBy(entry: string): Loaded {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const target of loadedBy(file)) {
      if (target.startsWith("#")) visit(platformFile(target));
      else if (target.startsWith(".")) visit(join(dirname(file), target));
      else if (!target.startsWith("node:")) packages.add(packageOf(target));
    }
  };
  visit(entry);
  return { files: [...seen].sort(), packages: [...packages].sort() };
}

function packagesOf(entry: string): readonly string[] {
  return allLoadedBy(entry).packages;
}

const entries: Readonly<Record<string, readonly string[]>> = {
  "entries/tokens.ts": ["fast-levenshtein", "punycode"],
  "entries/analysis.ts": ["fast-levenshtein", "punycode"],
  "entries/brand.ts": ["fast-levenshtein", "punycode", "tldts", light],
  "entries/brand/names.ts": ["fast-levenshtein", "punycode", "tldts"],
  "entries/images.ts": ["color-string", "fast-levenshtein", "jsonpath-plus", "saxes"],
  "entries/proxy.ts": ["fast-levenshtein"],
  "entries/world.ts": ["fast-levenshtein", "jsonc-parser", "punycode", "tldts", "yaml", "zod"],
  "entries/http.ts": ["@hono/node-server", "fast-levenshtein", "hono", "zod"],
  "entries/stores/sqlite.ts": ["fast-levenshtein"],
  "entries/stores/postgres.ts": ["fast-levenshtein"],
  "entries/queues/memory.ts": ["fast-levenshtein"],
  "entries/queues/jetstream.ts": ["fast-levenshtein"],
  "entries/queues/postgres.ts": ["fast-levenshtein"],
  "entries/testing/queues.ts": ["fast-levenshtein"],
  "entries/workers.ts": ["fast-levenshtein", "punycode", "tldts", "zod", light],
  "entries/testing/tokens.ts": ["fast-levenshtein", "punycode"],
  "entries/testing/stores.ts": ["fast-levenshtein"],
  "entries/testing/arbitraries.ts": ["fast-levenshtein", "jsonpath-plus", "punycode", "saxes", "tldts"],
};

describe("an entry point loads at most", () => {
  test.each(Object.entries(entries))("%s: %j", (entry, allowed) => {
    expect(packagesOf(entry).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  test("the whole simulator: nothing native, no database, no test tools, no YAML", () => {
    const heavy = ["yaml", "sharp", "image-hash", "kysely", "libsql", "pg", "vitest", "fast-check"];
    expect(packagesOf("entries/index.ts").filter((name) => heavy.includes(name))).toEqual([]);
  });

  test("the executable: no engine and no schema, until a command is named", () => {
    // Its commands are loaded when one is named.
    const { files, packages } = allLoadedBy("cli/main.ts");
    expect(packages).toEqual([]);
    expect(
      files.filter((file) => !/^cli\/((declarations(\/first-steps)?|options)\/)?[a-z-]+\.ts$/.test(file)),
    ).toEqual([]);
  });

  test("the test toolkit: no test runner, since it works with any", () => {
    expect(packagesOf("entries/testing.ts")).not.toContain("vitest");
  });
});

test("the parts of the test toolkit export what the whole of it exports, under the same names", async () => {
  const whole: Record<string, unknown> = await import("edgeproof/testing");
  const parts: Record<string, unknown>[] = await Promise.all([
    import("edgeproof/testing/arbitraries"),
    import("edgeproof/testing/queues"),
    import("edgeproof/testing/stores"),
    import("edgeproof/testing/tokens"),
  ]);
  for (const part of parts)
    for (const [name, value] of Object.entries(part)) expect(whole[name], name).toBe(value);
  const rest = Object.keys(whole).filter((name) => !parts.some((part) => Object.hasOwn(part, name)));
  expect(rest.sort()).toEqual([
    "countingIds",
    "createTestClock",
    "createTestEdge",
    "lookAlikeKinds",
    "lookAlikes",
    "pictureMatchers",
    "testNow",
  ]);
});
