/** `edgeproof lint` in this process: text, JSON, SARIF, fixes, and wrong input. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

const good = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
};
const unbracketed = { ...good, protocol: "tcp/443", origin_direct: ["tcp://2001:db8::1:443"] };

describe("the report", () => {
  test("a valid application exits with 0 and lists the checks that were not evaluated", async () => {
    const { code, out } = await edgeproof(["lint", await file("good.json", good)]);
    expect(code).toBe(0);
    expect(out).toMatch(/not evaluated: 16001 .*hostnames/);
    expect(out).toMatch(/1 application, 0 with violations\n$/);
  });

  test("an invalid application exits with 1 and reports code, pointer, line and fix", async () => {
    const path = await file("bad.json", unbracketed);
    const { code, out } = await edgeproof(["lint", path]);
    expect(code).toBe(1);
    expect(out).toContain(`${path}:8:5: error 11002 origin-brackets at /origin_direct/0`);
    expect(out).toContain("  fix: Put the IPv6 address in brackets. (applied by --fix)\n");
  });

  test("several files and files with several applications are reported together", async () => {
    const both = await file("both.json", [good, unbracketed]);
    const { code, out } = await edgeproof(["lint", await file("good.json", good), both]);
    expect(code).toBe(1);
    expect(out).toContain("at /1/origin_direct/0");
    expect(out).toContain("3 applications, 1 with violations");
  });

  test("a world file contains the facts", async () => {
    const world = await file("world.json", {
      accounts: [{ id: "a", proxy: { plan: "pay-as-you-go" } }],
      zones: [{ id: "z", name: "example.com", account_id: "a" }],
    });
    const path = await file("tls.json", { ...good, tls: "off" });
    expect((await edgeproof(["lint", path])).code).toBe(0);
    const { code, out } = await edgeproof(["lint", path, "--world", world]);
    expect([code, out]).toEqual([1, expect.stringMatching(/10012 .* at \/tls/)]);
    expect((await edgeproof(["lint", path, "--world", world, "--zone", "y"])).err).toMatch(
      /no zone `y`.*`z`/,
    );
  });

  test("JSON contains positions and the checks that were not evaluated", async () => {
    const { out } = await edgeproof(["lint", await file("bad.json", unbracketed), "--format", "json"]);
    expect(JSON.parse(out)).toMatchObject([
      {
        valid: false,
        violations: [{ code: 11002, check: "origin-brackets", line: 8, column: 5 }],
        not_evaluated: expect.any(Array),
      },
    ]);
  });

  test("SARIF contains the rule, the file and the line", async () => {
    const { code, out } = await edgeproof([
      "lint",
      await file("bad one.json", unbracketed),
      "--format",
      "sarif",
    ]);
    const report = JSON.parse(out);
    expect([code, report.version]).toEqual([1, "2.1.0"]);
    const [result] = report.runs[0].results;
    expect(report.runs[0].tool.driver.rules[result.ruleIndex].id).toBe("origin-brackets");
    expect(result.locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: expect.stringMatching(/bad%20one\.json$/) },
      region: { startLine: 8, startColumn: 5 },
    });
  });

  test("`-` reads standard input", async () => {
    expect((await edgeproof(["lint", "-"], JSON.stringify(good))).code).toBe(0);
    expect((await edgeproof(["lint", "-"], "[]")).out).toBe("0 applications, 0 with violations\n");
    expect((await edgeproof(["lint", "-"], "5")).code).toBe(1);
  });
});

describe("--fix", () => {
  test("applies the fixes, and a second run changes nothing", async () => {
    const path = await file("fix.json", [unbracketed, { ...good, dns: { ...good.dns, type: "ADDRESS" } }]);
    const first = await edgeproof(["lint", path, "--fix"]);
    expect([first.code, first.err]).toEqual([0, `fixed ${path}\n`]);
    const fixed = await readFile(path, "utf8");
    expect(JSON.parse(fixed)).toEqual([{ ...unbracketed, origin_direct: ["tcp://[2001:db8::1]:443"] }, good]);
    expect(await edgeproof(["lint", path, "--fix"])).toMatchObject({ code: 0, err: "" });
    expect(await readFile(path, "utf8")).toBe(fixed);
  });

  test("applies every fix in one run", async () => {
    const origin_direct = Array.from({ length: 50 }, (_, i) => `tcp://2001:db8::${i + 1}:22`);
    const path = await file("many.json", { ...good, origin_direct, tls: "OFF" });
    expect((await edgeproof(["lint", path, "--fix"])).code).toBe(0);
    const fixed = JSON.parse(await readFile(path, "utf8"));
    expect(fixed.origin_direct).toEqual(
      origin_direct.map((text) => text.replace(/\/(2001:db8::\d+):/, "/[$1]:")),
    );
    expect(fixed.tls).toBe("off");
  });

  test("leaves files unchanged that are valid or have no unambiguous fix", async () => {
    const text = `${JSON.stringify(good)}   \n`;
    const path = await file("right.json", text);
    await edgeproof(["lint", path, "--fix"]);
    expect(await readFile(path, "utf8")).toBe(text);
    const unfixable = await file("unfixable.json", { ...good, protocol: "tcp/99999" });
    expect((await edgeproof(["lint", unfixable, "--fix"])).code).toBe(1);
  });
});

describe("wrong input: exit code 2", () => {
  test.each<[string[], string, RegExp]>([
    [[], "", /`file` is missing/],
    [["nowhere.json"], "", /nowhere\.json: the file does not exist/],
    [["-"], "{", /line 1, column 2/],
    [["-", "--fix"], "{}", /--fix writes files/],
    [["-", "--format", "xml"], "{}", /must be `text`, `json`, .* or `markdown`; found `xml`/],
    [["-", "--world", "nowhere.json"], "{}", /nowhere\.json/],
  ])("lint %j", async (words, input, message) => {
    const { code, err } = await edgeproof(["lint", ...words], input);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
