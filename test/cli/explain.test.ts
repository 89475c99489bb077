/** `edgeproof explain`: rules by their id and their code, for people and for programs. */
import { describe, expect, test } from "vitest";
import { allRules, type NamedRule } from "../../src/cli/output/results/rules.ts";
import { catalogue, noteCodes } from "../../src/errors.ts";
import { edgeproof } from "../support/cli.ts";

const json = async (name: string): Promise<readonly NamedRule[]> =>
  JSON.parse((await edgeproof(["explain", name, "--json"])).out);

describe("explain", () => {
  test("prints the situation, what to do, the name and the status of the code, and the page", async () => {
    expect(await edgeproof(["explain", "images-image-not-found"])).toMatchObject({
      code: 0,
      out: [
        "error 5404 images-image-not-found: Image not found.",
        "fix: Correct the address or the id in it, or create what it names.",
        "area: Rejected requests",
        "code: 5404 Image not found, status 404",
        "source: observed",
        "docs: docs/reference.md#error-codes",
        "",
      ].join("\n"),
    });
  });

  test("lists every rule of a code: that of the catalogue, and the checks that report it", async () => {
    const found = await json("11034");
    const own = allRules.filter(({ code }) => code === 11034);
    expect(found).toEqual(own);
    expect(found.length).toBeGreaterThan(1);
    for (const { status } of found) expect(status).toBe(catalogue[11034].status);
  });

  test("explains an id in every area that has it", async () => {
    const areas = (await json("undecided")).map(({ area }) => area);
    expect(areas).toEqual(expect.arrayContaining(["Token rules", "Imported files"]));
  });

  test.each([...Object.keys(catalogue), ...Object.values(noteCodes).map(String)])(
    "%s has a rule",
    async (code) => {
      expect((await json(code)).map((rule) => rule.code)).toContain(Number(code));
    },
  );

  test.each([
    ["always-ture", "unknown rule or word `always-ture`; did you mean `always-true`?"],
    ["99999", "unknown code `99999`; docs/rules.md lists the rules and codes"],
    [
      "constructor",
      "unknown rule or word `constructor`; docs/rules.md lists the rules and codes, docs/reference.md the words of expressions",
    ],
  ])("%s is rejected", async (name, message) => {
    const { code, out, err } = await edgeproof(["explain", name]);
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: `edgeproof: ${message}\n` });
  });
});
