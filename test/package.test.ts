/** The files of the package, and the container image that runs it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { publishWarnings } from "../scripts/check-publish.ts";

interface Manifest {
  readonly files: readonly string[];
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;

let packed: readonly string[] | undefined;

/** The files that `npm pack` would put into the package; `dist` is there after a build only. */
function packedFiles(): readonly string[] {
  packed ??= listPackedFiles();
  return packed;
}

function listPackedFiles(): readonly string[] {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    encoding: "utf8",
  });
  const [{ files }] = Object.values(JSON.parse(output)) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  return files.map(({ path }) => path).filter((path) => !path.startsWith("dist/"));
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

test("the package has the documents with their pictures, the examples and the schemas, and nothing else", () => {
  const documents = filesUnder("docs").filter((path) => !/^docs\/(?:properties\.md|recipes\/)/.test(path));
  const expected = [
    ...documents.filter((path) => path.endsWith(".md") || path.startsWith("docs/pictures/")),
    ...filesUnder("examples"),
    ...filesUnder("schemas"),
    ...[
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "docs/edgeproof.1",
      "docs/renamed.csv",
      "README.md",
      "SECURITY.md",
      "package.json",
    ],
  ];
  expect([...packedFiles()].sort()).toEqual(expected.sort());
  expect(manifest.files).toContain("dist");
});

test("every relative link in a packed Markdown file leads to a packed file, or to a folder of such", () => {
  const files = packedFiles();
  const isPacked = (target: string) =>
    files.some((path) => path === target || path.startsWith(target.replace(/\/?$/, "/")));
  const links = files
    .filter((path) => path.endsWith(".md"))
    .flatMap((file) => {
      const prose = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
      const found = prose.matchAll(/\]\((?![a-z]+:|#)([^)#?\s]+)/g);
      return [...found].map(([, link = ""]) => ({ file, link }));
    });
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ file, link }) => !isPacked(join(dirname(file), link)))).toEqual([]);
});

test("the check of publishing reports what npm corrects in a manifest, without a registry", {
  timeout: 60_000,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), "edgeproof-publish-"));
  const write = (manifest: object) => writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  try {
    write({ name: "edgeproof-sample", version: "1.0.0" });
    expect(publishWarnings(folder)).toEqual([]);
    write({ name: "edgeproof-sample", version: "1.0.0", man: ["page.1"], bin: "./main.js" });
    expect(publishWarnings(folder).join("\n")).toContain("auto-corrected");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("peer dependencies are optional, and none is a test runner", () => {
  const optional = Object.entries(manifest.peerDependenciesMeta).filter(([, { optional }]) => optional);
  expect(optional.map(([name]) => name).sort()).toEqual(Object.keys(manifest.peerDependencies).sort());
  expect(manifest.peerDependencies).not.toHaveProperty("vitest");
  expect(manifest.peerDependencies["kysely"]).toBe(">=0.28.0 <1");
});

test("the image is built in stages, runs as another user than root, and has a volume and a health check", () => {
  const [, build = "", image = ""] = readFileSync("Dockerfile", "utf8").split(/^FROM /m);
  expect(build).toMatch(/^node:\d+-slim AS build\n/);
  expect(image).toMatch(/^COPY --from=build \/app \/app$/m);
  expect(image).toMatch(/^RUN mkdir \/data && chown node:node \/data\nUSER node\nVOLUME \/data$/m);
  expect(image).toMatch(/^HEALTHCHECK .* CMD \["node", .*http:\/\/127\.0\.0\.1:8787\/readyz/m);
  for (const name of [
    "kysely",
    "libsql",
    "pg",
    "@nats-io/transport-node",
    "@nats-io/jetstream",
    "prom-client",
    "aws4fetch",
  ])
    expect(build).toContain(` ${name}@${manifest.devDependencies[name]}`);
});
