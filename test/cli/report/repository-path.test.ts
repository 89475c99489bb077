/** Paths and URIs of reports. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryPaths, uriOf } from "../../../src/cli/output/report/repository-path.ts";
import { temporaryFolder } from "../../store/open.ts";

const folder = await temporaryFolder();
mkdirSync(join(folder, "repository", ".git"), { recursive: true });
mkdirSync(join(folder, "repository", "worlds"));

describe("repositoryPaths", () => {
  test("paths are relative to the innermost folder with a .git", () => {
    const pathOf = repositoryPaths({ GITHUB_WORKSPACE: folder }, join(folder, "repository", "worlds"));
    expect(pathOf("a.json")).toBe("worlds/a.json");
    expect(pathOf("../b.json")).toBe("b.json");
    expect(pathOf("..c.json")).toBe("worlds/..c.json");
    expect(pathOf(join(folder, "repository", "d e.json"))).toBe("d e.json");
  });

  test("paths outside of the repository are absolute, and `-` is stdin", () => {
    const pathOf = repositoryPaths({}, join(folder, "repository"));
    expect(pathOf("../a.json")).toBe(`${folder}/a.json`);
    expect(pathOf("-")).toBe("stdin");
  });

  test.each(["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])("without a .git they are relative to %s", (name) => {
    expect(repositoryPaths({ [name]: folder }, join(folder, "x"))("a.json")).toBe("x/a.json");
  });

  test("without all of these they are relative to the current folder", () => {
    expect(repositoryPaths({}, folder)("a.json")).toBe("a.json");
  });
});

test.each([
  ["a b/c#d%.json", "a%20b/c%23d%25.json"],
  ["/a b.json", "file:///a%20b.json"],
  ["\ud800.json", "%EF%BF%BD.json"],
])("the URI of %j is %s", (path, uri) => {
  expect(uriOf(path)).toBe(uri);
});
