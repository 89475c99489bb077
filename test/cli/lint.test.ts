/** `edgeproof check` of applications in this process: text, JSON, SARIF, fixes, and wrong input. */
import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { checks } from "../../src/engine/proxy/checks/catalogue.ts";
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
    const { code, out } = await edgeproof(["check", "--only", "proxy", await file("good.json", good)]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^not evaluated for lack of `hostnames` \(in a world file: `zones\[\]\.proxy\.hostnames`\): 16001 hostname-other-zone; 1 application$/m,
    );
    expect(out).toMatch(/1 application: 0 errors, 0 warnings, 0 notes\n$/);
  });

  test("an invalid application exits with 1 and reports code, pointer, line and fix", async () => {
    const path = await file("bad.json", unbracketed);
    const { code, out } = await edgeproof(["check", "--only", "proxy", path]);
    expect(code).toBe(1);
    expect(out).toContain(`${path}:8:5: error 11002 origin-brackets at /origin_direct/0`);
    expect(out).toContain("  fix: Put the IPv6 address in brackets. (applied by --fix)\n");
  });

  test("several files and files with several applications are reported together", async () => {
    const both = await file("both.json", [good, unbracketed]);
    const { code, out } = await edgeproof(["check", "--only", "proxy", await file("good.json", good), both]);
    expect(code).toBe(1);
    expect(out).toContain("at /1/origin_direct/0");
    expect(out).toContain("3 applications: 1 error, 0 warnings, 1 note");
  });

  test("a world file contains the facts", async () => {
    const world = await file("world.json", {
      accounts: [{ id: "a", proxy: { plan: "pay-as-you-go" } }],
      zones: [{ id: "z", name: "example.com", account_id: "a" }],
    });
    const path = await file("tls.json", { ...good, tls: "off" });
    expect((await edgeproof(["check", "--only", "proxy", path])).code).toBe(0);
    const { code, out } = await edgeproof(["check", "--only", "proxy", path, "--world", world]);
    expect([code, out]).toEqual([1, expect.stringMatching(/10012 .* at \/tls/)]);
    expect(
      (await edgeproof(["check", "--only", "proxy", path, "--world", world, "--zone", "y"])).err,
    ).toMatch(/no zone `y`.*`z`/);
  });

  test("JSON contains positions and the checks that were not evaluated", async () => {
    const { out } = await edgeproof([
      "check",
      "--only",
      "proxy",
      await file("bad.json", unbracketed),
      "--format",
      "json",
    ]);
    expect(JSON.parse(out)).toMatchObject({
      diagnostics: [{ code: 11002, rule: "origin-brackets", start: { line: 8, column: 5 } }],
      cases: [{ status: "failed", unchecked: expect.any(Array) }],
    });
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
    expect((await edgeproof(["check", "--only", "proxy", "-"], JSON.stringify(good))).code).toBe(0);
    const empty = await edgeproof(["check", "--only", "proxy", "-"], "[]");
    expect([empty.code, empty.out]).toEqual([1, expect.stringContaining("error nothing-evaluated")]);
    expect((await edgeproof(["check", "--only", "proxy", "-"], "5")).code).toBe(1);
  });
});

describe("--fix", () => {
  test("applies the fixes, and a second run changes nothing", async () => {
    const path = await file("fix.json", [unbracketed, { ...good, tls: "OFF" }]);
    const first = await edgeproof(["check", "--only", "proxy", path, "--fix"]);
    expect([first.code, first.err]).toEqual([0, `fixed ${path}\n`]);
    const fixed = await readFile(path, "utf8");
    expect(JSON.parse(fixed)).toEqual([
      { ...unbracketed, origin_direct: ["tcp://[2001:db8::1]:443"] },
      { ...good, tls: "off" },
    ]);
    expect(await edgeproof(["check", "--only", "proxy", path, "--fix"])).toMatchObject({ code: 0, err: "" });
    expect(await readFile(path, "utf8")).toBe(fixed);
  });

  test("applies every fix in one run", async () => {
    const origin_direct = Array.from({ length: 50 }, (_, i) => `tcp://2001:db8::${i + 1}:22`);
    const path = await file("many.json", { ...good, origin_direct, tls: "OFF" });
    expect((await edgeproof(["check", "--only", "proxy", path, "--fix"])).code).toBe(0);
    const fixed = JSON.parse(await readFile(path, "utf8"));
    expect(fixed.origin_direct).toEqual(
      origin_direct.map((text) => text.replace(/\/(2001:db8::\d+):/, "/[$1]:")),
    );
    expect(fixed.tls).toBe("off");
  });

  test("leaves files unchanged that are valid or have no unambiguous fix", async () => {
    const text = `${JSON.stringify(good)}   \n`;
    const path = await file("right.json", text);
    await edgeproof(["check", "--only", "proxy", path, "--fix"]);
    expect(await readFile(path, "utf8")).toBe(text);
    const unfixable = await file("unfixable.json", { ...good, protocol: "tcp/99999" });
    expect((await edgeproof(["check", "--only", "proxy", unfixable, "--fix"])).code).toBe(1);
  });
});

describe("--fix keeps what was written", () => {
  const rename = good.origin_direct[0];
  const written = `\ufeff{\r\n\t"id": 12345678901234567890, "protocol":"ssh",\r\n\t"orgin_direct" : [ "${rename}" ],\r\n\t"dns": {"name": "ssh.example.com", "extra": 1.50}\r\n}`;

  test("a misspelled member is renamed, and every other byte stays, also a byte order mark", async () => {
    const path = await file("orgin.json", written);
    const { code, err, out } = await edgeproof(["check", "--only", "proxy", path, "--fix"]);
    expect([code, err]).toEqual([0, `fixed ${path}\n`]);
    expect(await readFile(path, "utf8")).toBe(written.replace("orgin_direct", "origin_direct"));
    expect(out).toMatch(
      /warning 10401 member-ignored at \/dns\/extra \[\w{16}:1\]\n {2}The member `dns.extra` is ignored\.\n {2}fix: /,
    );
  });

  test("comments and trailing commas of a .jsonc file stay", async () => {
    const text = `// applications\n[\n  {\n    "protocol": "ssh", // port 22\n    "dns": { "name": "ssh.example.com" },\n    /* tls */ "tls": "Full",\n    "origin_direct": ["tcp://192.0.2.1:22",],\n  },\n]\n`;
    const path = await file("apps.jsonc", text);
    expect((await edgeproof(["check", "--only", "proxy", path])).out).toContain(
      `${path}:6:22: error 10400 member-value at /0/tls`,
    );
    expect((await edgeproof(["check", "--only", "proxy", path, "--fix"])).code).toBe(0);
    expect(await readFile(path, "utf8")).toBe(text.replace('"Full"', '"full"'));
  });

  test("the mode stays, and no other file is left in the folder", async () => {
    const apart = await mkdtemp(join(tmpdir(), "edgeproof-"));
    const path = join(apart, "app.json");
    await writeFile(path, JSON.stringify({ ...good, tls: "Off" }));
    await chmod(path, 0o640);
    expect((await edgeproof(["check", "--only", "proxy", path, "--fix"])).code).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await readdir(apart)).toEqual(["app.json"]);
  });

  test("members of the add-on, unknown members and a contradicting dns.type are reported, and the file stays", async () => {
    const world = await file("pay.json", {
      accounts: [{ id: "a", proxy: { plan: "pay-as-you-go" } }],
      zones: [{ id: "z", name: "example.com", account_id: "a" }],
    });
    for (const [body, words] of [
      [{ ...good, tls: "strict" }, ["--world", world]],
      [{ ...good, comment: "mine" }, ["--world", world]],
      [{ ...good, dns: { ...good.dns, type: "ADDRESS" } }, []],
      [{ ...good, origin_port: "0" }, []],
    ] as const) {
      const path = await file("kept.json", body);
      const before = await readFile(path, "utf8");
      const { code, err, out } = await edgeproof(["check", "--only", "proxy", path, "--fix", ...words]);
      expect([code, err]).toEqual([1, ""]);
      expect(out).toMatch(/\n {2}fix: .*\n/);
      expect(out).not.toContain("applied by --fix");
      expect(await readFile(path, "utf8")).toBe(before);
    }
  });

  test("a file that repeats the member of a fix stays, and standard error says so", async () => {
    const text = `{"protocol":"ssh","dns":{"name":"a.example.com"},"orgin_direct":1,"orgin_direct":["${rename}"]}`;
    const path = await file("twice.json", text);
    const { code, err } = await edgeproof(["check", "--only", "proxy", path, "--fix"]);
    expect([code, err]).toEqual([1, `not fixed: ${path} repeats a member of the application at /\n`]);
    expect(await readFile(path, "utf8")).toBe(text);
  });

  test("YAML is rejected before any file is changed, also without an extension", async () => {
    const json = await file("first.json", { ...good, tls: "Off" });
    const before = await readFile(json, "utf8");
    for (const name of ["app.yaml", "app"]) {
      const path = await file(name, "protocol: ssh\ntls: Off\n");
      const { code, err } = await edgeproof(["check", "--only", "proxy", json, path, "--fix"]);
      expect([code, err]).toEqual([2, expect.stringContaining(`it cannot fix the YAML file ${path}.`)]);
    }
    expect(await readFile(json, "utf8")).toBe(before);
  });
});

describe("the applications of one call", () => {
  const at = (port: number, name = "ssh.example.com", more = {}) => ({
    protocol: `tcp/${port}`,
    dns: { type: "CNAME", name },
    origin_direct: [`tcp://192.0.2.1:${port}`],
    ...more,
  });

  test("are validated as if they were created in order, over all files", async () => {
    const world = await file("limits.json", {
      accounts: [{ id: "a", proxy: { plan: "pay-as-you-go" } }],
      zones: [
        { id: "z1", name: "example.com", account_id: "a", proxy: { ipv4_quota: 2 } },
        {
          id: "z2",
          name: "example.net",
          account_id: "a",
          proxy: { applications: [at(25, "mail.example.net")], hostnames: ["taken.example.com"] },
        },
      ],
    });
    const first = await file("one.json", [at(22), at(25), at(80, "taken.example.com")]);
    const second = await file("two.json", [
      at(22, "b.example.com"),
      at(443, "b.example.com"),
      at(53, "c.example.com"),
    ]);
    const { code, out } = await edgeproof([
      "lint",
      first,
      second,
      "--world",
      world,
      "--zone",
      "z1",
      "--json",
    ]);
    expect(code).toBe(1);
    const { diagnostics, cases } = JSON.parse(out) as {
      diagnostics: { code: number; level: string }[];
      cases: { status: string }[];
    };
    expect(diagnostics.filter(({ level }) => level === "error").map(({ code }) => code)).toEqual([
      11034, 16001, 11034, 12005,
    ]);
    expect(cases.map(({ status }) => status)).toEqual([
      "passed",
      "failed",
      "failed",
      "failed",
      "passed",
      "failed",
    ]);
  });

  test("without a world, edge ports that overlap on a host name are a note", async () => {
    const path = await file("ports.json", [at(22), at(22, "b.example.com"), at(22)]);
    const { code, out } = await edgeproof(["check", "--only", "proxy", path]);
    expect(code).toBe(0);
    expect(out.match(/note 10402 hostname-ports-overlap at (\S+)/)?.[1]).toBe("/2/protocol");
    expect(out.match(/note 10402/g)).toHaveLength(1);
  });

  test("a rejected application is not seen by the later ones", async () => {
    const path = await file("rejected.json", [at(22, "ssh.example.com", { tls: "on" }), at(22)]);
    expect((await edgeproof(["check", "--only", "proxy", path])).out).not.toContain("note 10402");
  });
});

describe("a saved response of an application", () => {
  const response = {
    id: "f68579455bd947efb65ffa1bcf33b52c",
    ...good,
    argo_smart_routing: true,
    created_on: "2026-11-28T17:34:41.024000Z",
    modified_on: "2026-11-28T17:34:41.024000Z",
  };

  test("is checked with its other names and without a finding, alone and in a world file", async () => {
    const world = await file("response-world.json", {
      accounts: [{ id: "a", proxy: { features: { smart_routing: false } } }],
      zones: [{ id: "z", name: "example.com", account_id: "a", proxy: { applications: [response] } }],
    });
    const alone = await edgeproof(["check", "--only", "proxy", await file("response.json", response)]);
    expect([alone.code, alone.out]).toEqual([0, expect.stringContaining("0 errors, 0 warnings, 0 notes")]);
    expect(alone.out).toContain("11026 smart-routing-feature; 1 application");
    const { code, out } = await edgeproof(["check", "--only", "proxy", world]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /error 11026 smart-routing-feature at \/zones\/0\/proxy\/applications\/0\/argo_smart_routing/,
    );
    expect(out).toContain("  `argo_smart_routing` ");
    expect(out).toContain("1 error, 0 warnings, 0 notes");
  });

  test("has findings at the members as they are written, and keeps them with --fix", async () => {
    const path = await file("response-fix.json", { ...response, argo_smart_routing: "yes", tls: "OFF" });
    const { code, out } = await edgeproof(["check", "--only", "proxy", path, "--fix"]);
    expect([code, out]).toEqual([1, expect.stringContaining("at /argo_smart_routing")]);
    expect(out).not.toMatch(/`smart_routing`/);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
      ...response,
      argo_smart_routing: "yes",
      tls: "off",
    });
  });

  test("that has both names of a member counts with that of the interface; the other is reported", async () => {
    const path = await file("both-names.json", { ...response, smart_routing: false });
    const { out } = await edgeproof(["check", "--only", "proxy", path]);
    expect(out).toMatch(/warning 10401 member-ignored at \/argo_smart_routing/);
  });
});

describe("missing facts", () => {
  test("are one line each, with the place in a world file, whatever the number of applications and files", async () => {
    const first = await file("facts-1.json", [good, { ...good, protocol: "tcp/23" }]);
    const second = await file("facts-2.json", good);
    const { out } = await edgeproof(["check", "--only", "proxy", first, second]);
    const lines = out.split("\n").filter((line) => line.startsWith("not evaluated"));
    expect(new Set(lines.map((line) => line.split("`")[1])).size).toBe(lines.length);
    expect(lines).toContain(
      "not evaluated for lack of `protocols.allowed` (in a world file: `accounts[].proxy.protocols.allowed`): 13002 protocol-outside-plan; 3 applications",
    );
  });

  test("are data in JSON, SARIF and JUnit, and a table in Markdown", async () => {
    const path = await file("facts.json", [good, good]);
    const print = async (format: string) =>
      (await edgeproof(["check", "--only", "proxy", path, "--format", format])).out;
    const fact = {
      fact: "protocols.allowed",
      place: "accounts[].proxy.protocols.allowed",
      checks: [{ rule: "protocol-outside-plan", code: 13002 }],
      cases: 2,
    };
    const json = JSON.parse(await print("json"));
    expect(json.missingFacts).toContainEqual(fact);
    const check = { rule: "protocol-outside-plan", code: 13002, needs: ["protocols.allowed"] };
    for (const sample of json.cases) expect(sample.unchecked).toContainEqual(check);
    const [{ invocations }] = JSON.parse(await print("sarif")).runs;
    expect(invocations[0].toolExecutionNotifications).toContainEqual(
      expect.objectContaining({ level: "note", properties: fact }),
    );
    expect((await print("junit")).match(/for lack of .*protocols\.allowed/g)).toHaveLength(2);
    expect(await print("markdown")).toMatch(/\| not evaluated \|\n\| --- \|\n(?:\|.*\n)*\|.*13002/);
  });
});

describe("restrictions of the real service", () => {
  const udp = { ...good, protocol: "udp/22", origin_direct: ["udp://192.0.2.1:22"], ip_firewall: true };

  test("are warnings in profile spec, and violations in profile provider", async () => {
    const path = await file("udp.json", udp);
    const spec = await edgeproof(["check", "--only", "proxy", path]);
    expect([spec.code, spec.out]).toEqual([
      0,
      expect.stringMatching(/warning 10400 udp-ip-firewall at \/ip_firewall/),
    ]);
    const provider = await edgeproof(["check", "--only", "proxy", path, "--profile", "provider"]);
    expect([provider.code, provider.out]).toEqual([1, expect.stringMatching(/error 10400 udp-ip-firewall/)]);
    const world = await file("provider.json", {
      profile: "provider",
      zones: [{ id: "z", name: "example.com" }],
    });
    expect((await edgeproof(["check", "--only", "proxy", path, "--world", world])).code).toBe(1);
  });

  test("SARIF results have the level, and their rules the address of their documentation", async () => {
    const { out } = await edgeproof([
      "check",
      "--only",
      "proxy",
      await file("udp.json", udp),
      "--format",
      "sarif",
    ]);
    const [run] = JSON.parse(out).runs;
    const [result] = run.results;
    expect(result).toMatchObject({ ruleId: "udp-ip-firewall", level: "warning" });
    const page = await readFile(new URL("../../docs/proxy-codes.md", import.meta.url), "utf8");
    for (const { id, helpUri, properties } of run.tool.driver.rules) {
      if (!checks.some((check) => check.id === id)) continue;
      expect([helpUri, properties.docs]).toEqual([undefined, `docs/proxy-codes.md#${id}`]);
      expect(page).toContain(`<a id="${id}"></a>`);
    }
  });
});

describe("wrong input: exit code 2", () => {
  test.each<[string[], string, RegExp]>([
    [[], "", /`file` is missing/],
    [["nowhere.json"], "", /nowhere\.json: the file does not exist/],
    [["-"], "{", /standard input:1:2: /],
    [["-", "--fix"], "{}", /--fix writes files/],
    [["-", "--format", "xml"], "{}", /must be `text`, `json`, .* or `markdown`; found `xml`/],
    [["-", "--world", "nowhere.json"], "{}", /nowhere\.json/],
  ])("lint %j", async (words, input, message) => {
    const { code, err } = await edgeproof(["check", "--only", "proxy", ...words], input);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
