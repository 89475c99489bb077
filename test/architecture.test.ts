/** Checks the rules of ARCHITECTURE.md: directions of imports, no cycles, no catch-all files, pure engines. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const src = join(root, "src");

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replaceAll("\\", "/"))
  .sort();

/** The pages in the browser. */
const web = join(root, "web", "src");
const webFiles = readdirSync(web, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replaceAll("\\", "/"))
  .sort();

interface Import {
  readonly file: string;
  readonly target: string;
}

const sources = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]));

const importsOf = (file: string): readonly string[] => importsIn(sources.get(file)!);

function importsIn(source: string): readonly string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const found = code.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import\s+"([^"]+)"/g,
  );
  return [...found].map((m) => (m[1] ?? m[2] ?? m[3])!);
}

const { imports: platforms } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const inner: Import[] = [];
const outer: Import[] = [];
for (const file of files) {
  for (const name of importsOf(file)) {
    if (name.startsWith(".")) inner.push({ file, target: relative(src, join(src, dirname(file), name)) });
    else if (name.startsWith("#")) for (const target of platformFiles(name)) inner.push({ file, target });
    else outer.push({ file, target: name });
  }
}

/** Imports between files of the workbench page, relative to their folder. */
const webImports = webFiles.flatMap((file) =>
  importsIn(readFileSync(join(web, file), "utf8"))
    .filter((name) => name.startsWith("."))
    .map((name) => ({ file, target: relative(web, join(web, dirname(file), name)) })),
);

/** The files of the first cycle of imports, the first one again at the end; undefined when there is none. */
function firstCycle(imports: readonly Import[]): string | undefined {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(" -> ");
    if (done.has(file)) return undefined;
    for (const target of targets.get(file) ?? []) {
      const found = visit(target, [...path, file]);
      if (found !== undefined) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const found = visit(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The files of a name of `imports` in package.json, one for each kind of platform. */
function platformFiles(name: string): readonly string[] {
  const targets = Object.values(platforms[name] ?? {});
  expect(targets, name).toContainEqual(expect.stringMatching(/^\.\/src\/.*(?<!\.browser)\.ts$/));
  return [...new Set(targets)].map((target) => target.replace("./src/", ""));
}

/** Each layer imports only itself and the layers before it. */
const layers = [
  /^(errors\.ts$|core\/)/,
  /^engine\//,
  /^editor\//,
  /^store\//,
  /^queue\//,
  /^schemas\//,
  /^service\//,
  /^threads\//,
  /^http\//,
  /^import\//,
  /^edge\.ts$/,
  /^testing\//,
  /^workbench\//,
  /^cli\//,
  /^entries\//,
];

function layerOf(file: string): number {
  const layer = layers.findIndex((pattern) => pattern.test(file));
  expect(layer, `${file} is in no layer`).toBeGreaterThanOrEqual(0);
  return layer;
}

/** Imports inside of layers that are not allowed: from, to, reason. */
const separated: readonly (readonly [from: RegExp, to: RegExp, why: string])[] = [
  [
    /^(?!edge\.ts|entries\/|testing\/|cli\/|store\/|queue\/postgres\/)/,
    /^store\/(memory|sql|transfer)\//,
    "only `createEdge`, the entries, the toolkit and the command line choose an adapter",
  ],
  [/^store\/(?!memory\/|sql\/|transfer\/)/, /^store\/(memory|sql|transfer)\//, "the port knows no adapter"],
  [/^store\/memory\//, /^store\/(sql|transfer)\//, "adapters do not know each other"],
  [/^store\/sql\//, /^store\/(memory|transfer)\//, "adapters do not know each other"],
  [/^service\/(?!services)[^/]*$/, /^service\/[^/]+\//, "areas build on the shared files of the services"],
  [/^(?!edge\.ts|threads\/)/, /^threads\//, "only `createEdge` chooses between this process and threads"],
  [/^http\/requests\//, /^http\/(endpoints|server|fetch)\//, "requests are read before an endpoint is known"],
  [/^cli\/(input|output)\//, /^cli\/(commands|demo)\//, "commands use input and output, not the reverse"],
];

/** The folders in which each outside package may be imported. */
const packages: Readonly<Record<string, RegExp>> = {
  jose: /^(engine\/tokens|testing)\//,
  sharp: /^engine\/(images|logo|picture)\//,
  "color-string": /^engine\/images\/transform\//,
  "image-hash": /^engine\/logo\//,
  "fast-levenshtein": /^(engine\/brand\/|core\/suggest\.ts)/,
  "jsonpath-plus": /^engine\/images\/metadata\//,
  punycode: /^core\/idna\//,
  re2js: /^engine\/tokens\/expression\//,
  saxes: /^(engine\/images\/svg|store\/sql\/blobs\/bucket)\//,
  tldts: /^engine\/brand\//,
  hono: /^http\//,
  "@hono/node-server": /^http\//,
  "@fastify/busboy": /^http\//,
  "jsonc-parser": /^core\/(json\/comments|text-tree\/json)\.ts$/,
  yaml: /^core\/(yaml\/(source|values|comments)|text-tree\/yaml)\.ts$/,
  zod: /^(schemas|http|service|cli)\//,
  aws4fetch: /^store\/sql\/blobs\/bucket\//,
  kysely: /^store\/sql\//,
  libsql: /^store\/sql\//,
  pg: /^(store\/sql|queue\/postgres)\//,
  "@nats-io/transport-node": /^queue\/jetstream\//,
  "@nats-io/jetstream": /^queue\/jetstream\//,
  piscina: /^threads\//,
  "vscode-languageserver": /^cli\/(lsp|commands\/service)\//,
  "vscode-languageserver-textdocument": /^cli\/(lsp|commands\/service)\//,
  "prom-client": /^cli\/metrics\//,
  "@modelcontextprotocol/sdk": /^cli\/commands\/agents\//,
  vitest: /^testing\//,
  "fast-check": /^testing\//,
};

function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}

test("the import reader finds imports", () => {
  expect(inner.length).toBeGreaterThan(50);
  expect(outer.map((i) => i.target)).toContain("hono");
});

describe("directions", () => {
  test("every import goes to the same layer or one before it", () => {
    const wrong = inner.filter(({ file, target }) => layerOf(target) > layerOf(file));
    expect(wrong).toEqual([]);
  });

  test("separated parts of a layer do not import each other", () => {
    const wrong = inner.flatMap(({ file, target }) =>
      separated.flatMap(([from, to, why]) =>
        from.test(file) && to.test(target) ? [`${file} imports ${target}: ${why}`] : [],
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("nothing imports an entry", () => {
    expect(inner.filter(({ target }) => target.startsWith("entries/"))).toEqual([]);
  });

  test("no engine area imports another, except `picture`, which two areas share", () => {
    const area = (file: string) => /^engine\/([^/]+)\//.exec(file)?.[1];
    const between = inner.filter((i) => area(i.file) && area(i.target) && area(i.file) !== area(i.target));
    const wrong = between.filter(({ target }) => area(target) !== "picture");
    expect(wrong).toEqual([]);
  });

  test("outside packages are imported only in the folders that are listed", () => {
    const wrong = outer.filter(({ file, target }) => {
      if (target.startsWith("node:")) return false;
      return !packages[packageOf(target)]?.test(file);
    });
    expect(wrong).toEqual([]);
  });

  test("there are no cycles, type imports included", () => {
    expect(firstCycle(inner)).toBeUndefined();
    expect(webImports.length).toBeGreaterThan(100);
    expect(firstCycle(webImports)).toBeUndefined();
    const toCycle = { a: "b", b: "c", c: "b" };
    const imports = Object.entries(toCycle).map(([file, target]) => ({ file, target }));
    expect(firstCycle(imports)).toBe("b -> c -> b");
  });
});

/** Promises that are kept by hand, by file and name: none of them is a value that a later caller asks for again. */
const keptByHand: Readonly<Record<string, string>> = {
  "core/work/keep-success.ts kept": "the mechanism",
  "http/server/connections.ts closed": "a server closes once",
  "queue/jetstream/broker.ts closing": "a connection closes once",
  "queue/postgres/postgres-queue.ts closing": "a pool closes once",
  "service/brand/lookback/lookback-runner.ts running": "the work of the background, which never fails",
  "service/images/delivery/renditions.ts inProgress": "removed when the rendering ends",
  "service/store/health.ts trial": "the outcome of a trial, which never fails",
  "http/server/connections.ts listening": "waited for once",
  "store/sql/engines/sqlite-readers.ts last": "the end of the read before",
  "store/sql/sql-store.ts closing": "a store closes once",
};

test("promises are kept by `keepSuccess`, which keeps no failure, and packages that servers load late by `require`", () => {
  const kept = files.flatMap((file) => {
    const code = sources.get(file)!;
    const declared = code.matchAll(
      /(?:let|const) (\w+)(?:: Promise<.*> \| undefined;| = new (?:Weak)?Map<.*, Promise<)/g,
    );
    const names = [...declared].map(([, name]) => `${file} ${name}`);
    return /\?\?= import\(/.test(code) ? [...names, `${file} import`] : names;
  });
  expect([...new Set(kept)].sort()).toEqual(Object.keys(keptByHand).sort());
  const loaders = files.filter((file) => /"sharp"\)/.test(sources.get(file)!));
  expect(loaders).toEqual(["engine/picture/sharp.ts"]);
});

test("the page imports of the sources only the engines that run in a browser, and types of messages", () => {
  const imported = webImports
    .map(({ target }) => join(web, target))
    .filter((path) => !path.startsWith(web))
    .map((path) => relative(src, path));
  expect(imported).toContain("engine/tokens/expression/parser.ts");
  const allowed =
    /^(core\/text\/run-command\.ts$|engine\/(tokens\/(expression|zone)|proxy)\/|editor\/expressions\/|engine\/images\/render\/variant\.ts$|workbench\/([a-z]+-)?messages\.ts$)/;
  expect(imported.filter((path) => !allowed.test(path))).toEqual([]);
});

describe("engines are pure", () => {
  const engine = files.filter((file) => file.startsWith("engine/"));
  // `node:module` loads the engine of regular expressions with the first one.
  const allowed = ["node:crypto", "node:url", "node:buffer", "node:zlib", "node:net", "node:module"];

  test("they import no module of node that does input or output", () => {
    const wrong = outer.filter(
      ({ file, target }) =>
        file.startsWith("engine/") && target.startsWith("node:") && !allowed.includes(target),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ["a clock", /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/],
    ["randomness", /\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bgetRandomValues\b/],
    ["the network", /(?<![.\w])fetch\(/],
    ["the process", /\bprocess\.(env|argv|exit|stdout|stderr)\b/],
  ])("they do not use %s", (_what, pattern) => {
    // Without comments and strings: a message may name a function that the caller must use.
    const code = (file: string) =>
      sources.get(file)!.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"/g, "");
    expect(engine.filter((file) => pattern.test(code(file)))).toEqual([]);
  });
});

describe("files are written by `core/files` only, so that each is whole at any time", () => {
  const writer =
    /\b(?:(?:append|copy|write)File|createWriteStream|cp|f?truncate|link|open|promises|rename|symlink|writev?)(?:Sync)?\b/g;
  /** The other files that write, with what they may import. */
  const exempt: Readonly<Record<string, readonly [names: string, why: string]>> = {
    "core/files/write-file.ts": ["link open rename", "the module"],
    "store/sql/blobs/folder.ts": [
      "open rename",
      "blobs have a protocol of their own, with rows of a database",
    ],
    "store/sql/engines/sqlite-file.ts": ["openSync", "creates the empty file that SQLite fills"],
    "cli/output/verdict-log.ts": ["openSync writeSync", "appends a line a verdict to a log"],
  };

  /** The names of functions that write, which a file imports from modules of the file system; `*` for a whole module. */
  function writersOf(code: string): string {
    const imports = code.matchAll(/(?:^|\n)import (?!type )([^;]*?) from "(?:node:)?fs(?:\/promises)?"/g);
    const found = [...imports].flatMap(([, names = ""]) =>
      names.startsWith("{") ? names.match(writer) : "*",
    );
    const loaded = /(?:import|require)\("(?:node:)?fs/.test(code);
    return [...found.filter((name) => name !== null), ...(loaded ? ["*"] : [])].sort().join(" ");
  }

  test("no other file imports a function that writes files", () => {
    const writers = files.map((file) => [file, writersOf(sources.get(file)!)]).filter(([, names]) => names);
    const allowed = Object.entries(exempt).map(([file, [names]]) => [file, names]);
    expect(Object.fromEntries(writers)).toEqual(Object.fromEntries(allowed));
  });

  test.each([
    ['import { readFile, writeFile } from "node:fs/promises";', "writeFile"],
    ['import { readFile, rm, stat } from "node:fs/promises";', ""],
    ['import { appendFileSync as add, cpSync } from "fs";', "appendFileSync cpSync"],
    ['import * as fs from "node:fs";', "*"],
    ['import fs from "node:fs";', "*"],
    ['const fs = await import("node:fs/promises");', "*"],
    ['import { promises } from "node:fs";', "promises"],
  ])("%s imports `%s`", (code, names) => {
    expect(writersOf(code)).toBe(names);
  });
});

describe("ARCHITECTURE.md", () => {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `src/"));
  const rooms = rows.flatMap((row) => [...row.matchAll(/`src\/([^`]*\/)`/g)].map(([, folder]) => folder!));
  const mainFiles = rows.map((row) => /`src\/([^`]*\.ts)` \|$/.exec(row)?.[1] ?? row);

  test("the map has a room for every file, except those of the entries and of the folder src itself", () => {
    const outside = files.filter((file) => !rooms.some((room) => file.startsWith(room)));
    expect(outside.filter((file) => file.includes("/") && !file.startsWith("entries/"))).toEqual([]);
  });

  test("every room has files, and its main file exists", () => {
    expect(rooms.filter((room) => !files.some((file) => file.startsWith(room)))).toEqual([]);
    expect(mainFiles.filter((file) => !files.includes(file))).toEqual([]);
    expect(rows.length).toBeGreaterThan(9);
  });

  test("is one page", () => {
    expect(page.split("\n").length).toBeLessThan(100);
  });
});

describe("names", () => {
  test("no file has a catch-all name", () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc)(\.ts|\/)/.test(file))).toEqual([]);
  });

  test("no folder has more than 30 files", () => {
    const folders = [...new Set(files.map((file) => dirname(file)))];
    const crowded = folders.filter((folder) => files.filter((file) => dirname(file) === folder).length > 30);
    expect(crowded).toEqual([]);
  });

  test("no folder has a single file, except those with a reason", () => {
    /** Folders whose one file is right, with the reason. */
    const exempt: Readonly<Record<string, string>> = {
      "src/entries/brand": "the path of a file is the public name of its module: `edgeproof/brand/names`",
    };
    const entries = ["src", "test"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter(
        // Tests write clients into `generated`.
        ({ name, parentPath }) => !/\/(?:node_modules|generated)\b/.test(`${parentPath}/${name}`),
      ),
    );
    const counts = new Map<string, number>();
    for (const { parentPath } of entries) {
      const folder = relative(root, parentPath).replaceAll("\\", "/");
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const single = [...counts].filter(([, count]) => count === 1).map(([folder]) => folder);
    expect(single.sort()).toEqual(Object.keys(exempt).sort());
  });

  test("every file begins with a comment about its purpose", () => {
    const silent = files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(sources.get(file)!));
    expect(silent).toEqual([]);
  });
});
