/** `edgeproof explain`: rules by their id and their code, for people and for programs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { describe, expect, test } from "vitest";
import { allRules, type NamedRule } from "../../src/cli/output/results/rules.ts";
import { reasons } from "../../src/engine/tokens/model.ts";
import { customActionNames } from "../../src/engine/tokens/rulesets/actions.ts";
import { stepResults } from "../../src/engine/tokens/rulesets/run.ts";
import { outcomeNames, ruleOutcomes, verdictActions } from "../../src/engine/tokens/verdict/verdict.ts";
import { catalogue, noteCodes } from "../../src/errors.ts";
import { tokenStates } from "../../src/import/replay/tally.ts";
import { temporaryFolder } from "../store/open.ts";
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
    expect(areas).toEqual(expect.arrayContaining(["Incomplete input", "Imported files"]));
  });

  test("begins with the meanings of a word that is printed, and prints equal texts once", async () => {
    const { out } = await edgeproof(["explain", "undecided"]);
    expect(out).toMatch(/^action of a verdict: undecided\n/);
    const paragraphs = out.split("\n\n");
    const withoutArea = paragraphs.map((paragraph) => paragraph.replace(/^area: .*$/m, ""));
    expect(new Set(withoutArea).size).toBe(paragraphs.length);
    expect(out).toContain("area: Differences of worlds, Requests, Recorded traffic\n");
    expect((await json("undecided")).filter(({ area }) => area !== undefined)).toHaveLength(
      allRules.filter(({ id }) => id === "undecided").length,
    );
  });

  test.each([
    ...tokenStates.map((word) => ["recorded token", word]),
    ...["noticed", "survived", "equivalent", "undecided", "killed"].map((word) => [
      "result of a mutant",
      word,
    ]),
  ])("the %s %s is known", async (kind, word) => {
    const { code, out } = await edgeproof(["explain", word]);
    expect([code, out]).toEqual([0, expect.stringContaining(`${kind}: ${word}\n`)]);
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

  /** Members of a verdict whose values are words. */
  const members = /"(?:action|outcome|result|reason|kind)": "([a-z_]+)"/g;

  test("every word that a verdict prints is known", async () => {
    const folder = await temporaryFolder();
    const at = (name: string) => join(folder, name);
    await writeFile(at("world.json"), JSON.stringify(world));
    await writeFile(at("requests.json"), JSON.stringify(requests));
    const words = ["eval", "--world", at("world.json"), "--requests", at("requests.json"), "--partial"];
    const { out } = await edgeproof([...words, "--json"]);
    const printed = new Set([...out.matchAll(members)].map(([, word = ""]) => word));
    for (const word of ["bad_signature", "expired", "missing", "no_rule", "undecided", "managed_challenge"])
      expect(printed).toContain(word);
    const lists = [verdictActions, outcomeNames, ruleOutcomes, stepResults, reasons, customActionNames];
    for (const word of [...printed, ...lists.flat(), "not_a_zone"]) {
      const explained = await edgeproof(["explain", word]);
      expect([word, explained.code, explained.out]).toEqual([
        word,
        0,
        expect.stringContaining(" of a verdict: "),
      ]);
    }
  });
});

const { jwk } = await mintKey("ES256", "k1");
const idp = "51231d16-01f1-48e3-93f8-91c99e81288e";
const phase = "http_request_firewall_custom";
const custom = [
  { id: "r1", action: "managed_challenge", expression: 'http.request.uri.path eq "/challenge"' },
  { id: "r2", action: "log", expression: 'http.request.uri.path eq "/country" and ip.src.country eq "DE"' },
];
const world = {
  zones: [
    {
      id: "z1",
      name: "example.com",
      plan: "enterprise",
      token_validation: {
        configs: [
          {
            id: idp,
            title: "idp",
            token_type: "JWT",
            token_sources: ['http.request.headers["authorization"][0]'],
            credentials: { keys: [jwk] },
          },
        ],
        rules: [
          {
            title: "tokens",
            action: "block",
            expression: `is_jwt_valid("${idp}")`,
            selector: { include: [{ host: ["api.example.com"] }] },
          },
        ],
      },
      rulesets: [{ id: "s1", kind: "zone", phase, rules: custom }],
    },
    { id: "z2", name: "example.org" },
  ],
};
const states = ["valid", "expired", "not_yet_valid", "bad_signature", "unknown_key"] as const;
const url = "https://api.example.com/x";
const requests = [
  ...states.map((state) => ({ url, token: { config: { title: "idp" }, state } })),
  { url },
  { url: "https://api.example.com/challenge" },
  { url: "https://api.example.com/country" },
  { url: "https://example.org/" },
  { url: "https://example.net/" },
];
