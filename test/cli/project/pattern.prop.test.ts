/** Laws of patterns of paths. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filesOfPattern, matchesName } from "../../../src/cli/input/paths/pattern.ts";
import { runs } from "../../support/runs.ts";
import { projectFolder } from "./folder.ts";

const name = fc.stringMatching(/^[ab.]{1,8}$/);
const pattern = fc.stringMatching(/^[ab.*?]{1,8}$/);

/** The plain twin: a regular expression. */
function matchesPlainly(text: string, glob: string): boolean {
  if (text.startsWith(".") && !glob.startsWith(".")) return false;
  const source = glob.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
  return new RegExp(`^${source}$`).test(text);
}

describe("matchesName", () => {
  test("is the regular expression of the pattern", () => {
    fc.assert(
      fc.property(name, pattern, (text, glob) => {
        expect(matchesName(text, glob)).toBe(matchesPlainly(text, glob));
      }),
      { numRuns: runs(200) },
    );
  });

  test("needs no more steps than the product of the lengths", () => {
    expect(matchesName("a".repeat(4_000), `${"*a".repeat(2_000)}b`)).toBe(false);
  });
});

test("patterns of paths", async () => {
  const folder = await projectFolder();
  await folder.write({
    "a/x.json": 1,
    "a/b/y.json": 1,
    "a/b/c/z.json": 1,
    "a/.c/w.json": 1,
    "node_modules/v.json": 1,
  });
  const found = async (glob: string) =>
    (await filesOfPattern(`${folder.path}/${glob}`)).map((path) => path.slice(folder.path.length + 1));
  expect(await found("a/*.json")).toEqual(["a/x.json"]);
  expect(await found("**/*.json")).toEqual(["a/b/c/z.json", "a/b/y.json", "a/x.json"]);
  expect(await found("a/**/y.*")).toEqual(["a/b/y.json"]);
  expect(await found("a/*/../x.json")).toEqual(["a/x.json"]);
  expect(await found("a/?/y.json")).toEqual(["a/b/y.json"]);
  expect(await found("none/*")).toEqual([]);
});
