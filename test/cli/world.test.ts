/** `edgeproof world from`: world files from Terraform and saved responses. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { entry, rule, stateFile, zone } from "../import/terraform/documents.ts";
import { edgeproof } from "../support/cli.ts";

const fixture = (name: string) => `fixtures/own-configuration/${name}`;
const zoneName = "0da42c8d2132a9ddaf714f9e7c920711=example.com";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

describe("world", () => {
  test("a state becomes a world of the profile `provider`, on standard output", async () => {
    const { code, out, err } = await edgeproof(["world", "from", "--from", fixture("show-state-v5.json")]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ profile: "provider", zones: [{ name: "example.com" }] });
    expect(err).toContain(
      "accepted from fixtures/own-configuration/show-state-v5.json (Terraform state): 1 zone, 3 operations, 2 token configurations, 2 token rules\n",
    );
    expect(err).toContain(
      'show-state-v5.json:176:25: module.api["shop"].cloudflare_token_validation_rules.enforce: derived: Terraform does not store the order of rules',
    );
  });

  test("saved responses in several files become one world file", async () => {
    const out = join(folder, "world.json");
    const names = [
      "zone",
      "token-configs",
      "token-rules",
      "operations-page1",
      "operations-page2",
      "image-variants",
      "image-keys",
    ];
    const files = names.map((name) => fixture(`api-${name}.json`));
    const result = await edgeproof(["world", "from", "--from", ...files, "--out", out]);
    expect([result.code, result.out]).toEqual([0, ""]);
    const text = await readFile(out, "utf8");
    expect(JSON.parse(text).zones[0].token_validation.rules).toHaveLength(2);
    expect(text).not.toContain("0123456789abcdefEXAMPLE");
    expect(result.err).toContain("A signing key is a secret");
    const asked = await edgeproof(["world", "from", "--from", ...files, "--with-secrets"]);
    expect(asked.out).toContain("0123456789abcdefEXAMPLE");
  });

  test("values that no world can have are reported at their places, and nothing is written", async () => {
    const broken = join(folder, "broken.json");
    const out = join(folder, "none.json");
    await writeFile(
      broken,
      stateFile(entry("zone", "main", zone), entry("rule", "a", { ...rule, action: "deny" })).text,
    );
    const { code, err } = await edgeproof(["world", "from", "--from", broken, "--out", out]);
    expect(code).toBe(1);
    expect(err).toMatch(
      /broken\.json:\d+:\d+: cloudflare_token_validation_rules\.a: .*must be `log` or `block`/,
    );
    await expect(readFile(out)).rejects.toThrow("ENOENT");
  });

  test("a file that is given twice is a usage error", async () => {
    const state = fixture("show-state-v5.json");
    const { code, err } = await edgeproof(["world", "from", "--from", state, state]);
    expect([code, err]).toEqual([2, expect.stringContaining(`the file ${state} is given twice`)]);
  });

  test("identical files make identical output", async () => {
    const line = ["world", "from", "--from", fixture("terraform-test.ndjson"), "--json"];
    expect(await edgeproof(line)).toEqual(await edgeproof(line));
  });

  test("a world with an undecided rule is written only with --partial, and lists it", async () => {
    const out = join(folder, "partial.json");
    const line = [
      "world",
      "from",
      "--from",
      fixture("plan-v5-modules.json"),
      "--zone-name",
      zoneName,
      "--out",
      out,
    ];
    const { code, err } = await edgeproof(line);
    expect(code).toBe(1);
    expect(err).toContain(
      "  A rule is left out: `expression` is not known; computed from `local.any_present`.\n",
    );
    expect(err).toContain("  run: npx edgeproof world from --terraform-mock > edgeproof.tftest.hcl");
    expect(err).toContain("no world was written; --partial writes it");
    await expect(readFile(out)).rejects.toThrow("ENOENT");
    const partial = await edgeproof([...line, "--partial"]);
    expect(partial.code).toBe(0);
    expect(JSON.parse(await readFile(out, "utf8")).undecided).toContainEqual({
      about: "rule",
      zone: "0da42c8d2132a9ddaf714f9e7c920711",
      message: "A rule is left out: `expression` is not known; computed from `local.any_present`.",
      run: expect.stringContaining("terraform test -json"),
      effect: { hosts: expect.any(Array) },
      at: {
        file: fixture("plan-v5-modules.json"),
        line: expect.any(Number),
        column: expect.any(Number),
        pointer: expect.stringContaining("cloudflare_token_validation_rules."),
      },
    });
  });

  test("--json keeps its report when no world is written", async () => {
    const line = ["world", "from", "--from", fixture("plan-v5-modules.json"), "--json"];
    const { code, out } = await edgeproof(line);
    expect([code, Object.keys(JSON.parse(out))]).toEqual([1, ["report"]]);
    const partial = await edgeproof([...line, "--partial"]);
    const { world, report } = JSON.parse(partial.out);
    expect([partial.code, world.undecided.length]).toEqual([0, report.undecided.length]);
  });

  test.each<[string, string | object, RegExp]>([
    [
      "an error of the interface",
      { success: false, errors: [], result: null },
      /:1:1: \/: The response is an error/,
    ],
    [
      "an error without a result",
      { success: false, errors: [{ code: 1, message: "no" }] },
      /`1` `no`. Save it again/,
    ],
    ["an error page", "<html></html>", /:1:1: The file is a page of HTML/],
    ["nothing", "", /the text is empty/],
  ])(
    "a response with %s ends with exit code 2 in every command, and nothing is written",
    async (_n, body, message) => {
      const saved = join(folder, "saved.json");
      const out = join(folder, "never.json");
      await writeFile(saved, typeof body === "string" ? body : JSON.stringify(body));
      const made = await edgeproof([
        "world",
        "--from",
        fixture("api-zone.json"),
        saved,
        "--out",
        out,
        "--partial",
      ]);
      expect([made.code, made.err]).toEqual([2, expect.stringMatching(message)]);
      await expect(readFile(out)).rejects.toThrow("ENOENT");
      for (const words of [
        ["check", saved],
        ["diff", saved, saved],
      ])
        expect(await edgeproof(words)).toMatchObject({ code: 2, out: "" });
    },
  );

  test("files of which nothing is accepted make no world, unless --allow-empty is given", async () => {
    const bucket = join(folder, "bucket.json");
    await writeFile(bucket, stateFile(["aws_s3_bucket", "b", {}]).text);
    const { code, out, err } = await edgeproof(["world", "from", "--from", bucket]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("A world holds no resources of other providers (1 resource).");
    expect(err).toContain("Nothing was evaluated. The world would have nothing of");
    const allowed = await edgeproof(["world", "from", "--from", bucket, "--allow-empty"]);
    expect([allowed.code, JSON.parse(allowed.out)]).toEqual([0, { profile: "provider" }]);
  });

  test("the domain of a zone that only has an id is asked for", async () => {
    const line = ["world", "from", "--from", fixture("raw-state.tfstate")];
    const without = await edgeproof(line);
    expect([without.code, without.err]).toEqual([
      1,
      expect.stringContaining(
        `run: npx edgeproof world from --from ${fixture("raw-state.tfstate")} --zone-name '0da42c8d2132a9ddaf714f9e7c920711=<domain>'`,
      ),
    ]);
    const given = await edgeproof([...line, "--zone-name", zoneName]);
    expect([given.code, JSON.parse(given.out).zones[0].name]).toEqual([0, "example.com"]);
  });

  test("files of no known format are rejected, all at once, with their position", async () => {
    const [cut, other] = [join(folder, "cut.json"), join(folder, "other.json")];
    await writeFile(cut, '{"format_version": "1.0",\n');
    await writeFile(other, '{"a": 1}');
    const { code, err } = await edgeproof(["world", "from", "--from", cut, other]);
    expect(code).toBe(2);
    expect(err).toContain("cut.json:2:1: The file has no known format");
    expect(err).toContain("other.json:1:1: The file has no known format");
  });

  test.each([
    [["world", "from"], "expected at least 1 file; found 0"],
    [["world", "from", "--from", "-", "-"], "standard input is one file"],
    [["world", "from", "--terraform-mock", "--out", "a.tftest.hcl"], "found --out a.tftest.hcl: `npx"],
    [
      ["world", "from", "--terraform-mock", "plan.json"],
      "reads no file and prints to standard output; found",
    ],
    [
      ["world", "from", "--from", fixture("api-zone.json"), "--zone-name", "z1"],
      "--zone-name must be `<id>=<domain>`",
    ],
    [
      ["world", "from", "--from", fixture("api-zone.json"), "--zone-name", "z1=shop"],
      "--zone-name needs a domain with a dot, such as `z1=example.com`; found `z1=shop`",
    ],
  ])("%j is rejected: %s", async (line, message) => {
    const { code, err } = await edgeproof(line);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test("--terraform-mock prints the test file, and its traps on standard error", async () => {
    const { code, out, err } = await edgeproof(["world", "from", "--terraform-mock"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^mock_provider "cloudflare" \{\}\n\nrun "world" \{\n {2}command = apply\n\}\n$/m);
    expect(err).toMatch(/^1\. Provisioners run.*\n2\. A provider that is not mocked/);
    for (const trap of err.trim().split("\n")) expect(out).toContain(`# ${trap}\n`);
  });
});
