/** `edgeproof eval --coverage`: text, JSON, HTML and lcov, with the places of rules in the world file. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";
import { hostileStrings } from "./report/hostile-report.ts";

const [a, b, off] = ["1", "2", "3"].map((digit) => `${digit}1231d16-01f1-48e3-93f8-91c99e81288e`);
const { jwk } = await mintKey("ES256", "key-1");
const config = (id: string | undefined) => ({
  id,
  title: "Users",
  token_sources: ['http.request.headers["authorization"][0]'],
  credentials: { keys: [jwk] },
});
const selector = { include: [{ host: ["api.example.com"] }] };
const rule = (id: string | undefined, expression: string, more: object = {}) => {
  return { id, title: "Guard", action: "block", expression, selector, ...more };
};
const operations = [
  { operation_id: "list", method: "GET", host: "api.example.com", endpoint: "/orders" },
  { operation_id: "add", method: "POST", host: "api.example.com", endpoint: "/orders" },
];
const zone = (id: string, name: string, token_validation: object) => ({ id, name, token_validation });
const worldOf = (...zones: readonly object[]) => ({ zones });

const plain = zone("z1", "example.com", {
  configs: [config(a), config(b)],
  rules: [
    rule(a, `is_jwt_valid("${b}") or http.request.method eq "GET"`),
    rule(b, 'http.host ne "x"', { action: "log" }),
    rule(off, 'http.host eq "y"', { enabled: false }),
  ],
  operations,
});
const other = zone("z2", "example.org", {
  configs: [],
  rules: [rule(a, 'http.host eq "a.example.org"', { selector: { include: [{ host: ["a.example.org"] }] } })],
});
const orders = "https://api.example.com/orders";
const requests = [{ url: orders }, { method: "POST", url: orders, token: { config: b, state: "expired" } }];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-coverage-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

async function measured(world: unknown, list: unknown, format: string, ...more: readonly string[]) {
  const [worldPath, path] = [await file("world.json", world), await file("requests.json", list)];
  const words = ["eval", "--world", worldPath, "--requests", path, "--coverage", format, ...more];
  return edgeproof(words);
}

describe("text and JSON", () => {
  test("text follows the verdicts, with totals and what is missing", async () => {
    const { code, out } = await measured(worldOf(plain), requests, "text");
    expect(code).toBe(0);
    const [verdicts, coverage = ""] = out.split("\ncoverage of ");
    expect(verdicts).toContain("POST");
    expect(coverage).toMatch(
      /^zone z1: rules 75 % \(3 of 4\), conditions 66 % \(4 of 6\), reasons 50 % \(2 of 4\), operations 100 % \(2 of 2\)\n/,
    );
    expect(coverage).toContain(`  rule \`Guard\` (\`${a}\`): fired 1, passed 1\n`);
    expect(coverage).toContain(`  - rule \`Guard\` (\`${b}\`) never fired\n`);
    expect(coverage).not.toContain(`- rule \`Guard\` (\`${off}\`)`);
  });

  test("JSON takes the place of the verdicts, and has a zone without requests", async () => {
    const { code, out } = await measured(worldOf(plain, other), requests, "json");
    expect(code).toBe(0);
    const zones = JSON.parse(out);
    expect(
      zones.map((covered: { zone: string; verdicts: number }) => [covered.zone, covered.verdicts]),
    ).toEqual([
      ["z1", 2],
      ["z2", 0],
    ]);
    expect(zones[0].rules[0]).toMatchObject({
      id: a,
      fired: 1,
      passed: 1,
      atoms: [
        { text: `is_jwt_valid("${b}")`, true: 0, false: 1 },
        { text: 'http.request.method eq "GET"', true: 1, false: 1 },
      ],
    });
    expect(zones[0].configs).toMatchObject([
      { id: a, isChecked: false },
      { id: b, isChecked: true, reasons: { expired: 1 } },
    ]);
  });

  test("--zone leaves out zones without requests", async () => {
    const { out } = await measured(worldOf(plain, other), requests, "json", "--zone", "z1");
    expect(JSON.parse(out)).toHaveLength(1);
  });

  test("rules without ids are counted", async () => {
    const [first] = plain.token_validation["rules" as never] as unknown as [object];
    const world = worldOf(
      zone("z1", "example.com", { configs: [config(b)], rules: [{ ...first, id: undefined }] }),
    );
    const { out } = await measured(world, requests, "json");
    expect(JSON.parse(out)[0].rules).toMatchObject([{ fired: 1, passed: 1 }]);
  });

  test("an empty suite covers nothing, which is exit code 1, and an empty world has no zones", async () => {
    const [nothing] = JSON.parse((await measured(worldOf(plain), [], "json")).out);
    expect(nothing.totals).toEqual({
      rules: { covered: 0, total: 4 },
      conditions: { covered: 0, total: 6 },
      custom: { covered: 0, total: 0 },
      reasons: { covered: 0, total: 4 },
      operations: { covered: 0, total: 2 },
    });
    expect((await measured({}, [], "text")).out).toContain("coverage: no zone has rules");
    for (const format of ["html", "lcov"]) expect((await measured({}, [], format)).code).toBe(1);
  });

  test("the exit code is that of the verdicts, which standard error names", async () => {
    const { code, err } = await measured(worldOf(plain), requests, "json", "--expect", "allow");
    expect([code, err]).toEqual([1, `expected allow, got block: POST ${orders}\n`]);
  });
});

describe("custom rules", () => {
  const phase = "http_request_firewall_custom";
  const block = (id: string, expression: string) => ({
    id,
    action: "block",
    description: `<${id}>`,
    expression,
  });
  const entry = (kind: string, ...rules: readonly object[]) => ({ kind, phase, rules });
  const world = {
    accounts: [{ id: "a1", rulesets: [entry("root", block("low", "cf.bot_management.score lt 30"))] }],
    zones: [
      {
        id: "z3",
        name: "example.com",
        rulesets: [entry("zone", block("country", 'ip.src.country eq "FR" and http.host ne "x"'))],
      },
    ],
  };
  const list = [
    { url: orders, fields: { "cf.bot_management.score": 50, "ip.src.country": "FR" } },
    { url: orders, fields: { "cf.bot_management.score": 50, "ip.src.country": "DE" } },
  ];

  test("of a zone without token validation are measured, with those of the account", async () => {
    const { code, out } = await measured(world, list, "json");
    const [{ totals, custom }] = JSON.parse(out);
    expect(code).toBe(0);
    expect(totals.custom).toEqual({ covered: 3, total: 4 });
    expect(totals.conditions).toEqual({ covered: 4, total: 6 });
    expect(custom.map(({ id, atoms }: { id: string; atoms: object }) => [id, atoms])).toEqual([
      ["low", [{ text: "cf.bot_management.score lt 30", true: 0, false: 2 }]],
      [
        "country",
        [
          { text: 'ip.src.country eq "FR"', true: 1, false: 1 },
          { text: 'http.host ne "x"', true: 1, false: 0 },
        ],
      ],
    ]);
  });

  test("have lines and branches in lcov, at their places in the world file", async () => {
    const { out } = await measured(world, list, "lcov");
    const lines = JSON.stringify(world, null, 2).split("\n");
    const branches = [...out.matchAll(/^BRDA:(\d+),\d+,\d+,(.+)$/gm)].map(([, line, count]) => {
      return `${lines[Number(line) - 1]?.trim()} ${count}`;
    });
    const line = '"expression": "ip.src.country eq \\"FR\\" and http.host ne \\"x\\""';
    const counts = ["1", "1", "1", "0"].map((count) => `${line} ${count}`);
    expect(branches.filter((branch) => branch.includes("and http.host"))).toEqual(counts);
    expect(branches).toHaveLength(10);
  });

  test("have their conditions in color on the page", async () => {
    const { out } = await measured(world, list, "html");
    expect(out).toContain(
      '<mark class="part" title="decided as true 1 times, false 0 times">http.host ne &quot;x&quot;</mark>',
    );
    expect(out).toContain("<h3>&lt;country&gt; <small>block, country of ruleset");
    expect(out).toContain("world.json line ");
  });
});

describe("options", () => {
  test("--coverage-out writes the file, and the verdicts are printed in their format", async () => {
    const out = join(folder, "coverage.json");
    const result = await measured(worldOf(plain), requests, "json", "--json", "--coverage-out", out);
    expect(JSON.parse(result.out)).toMatchObject([{ url: orders }, { method: "POST" }]);
    expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject([{ zone: "z1" }]);
  });

  test.each<[string, readonly string[], string]>([
    [
      "an unknown format",
      ["--coverage", "htlm"],
      "--coverage must be `text`, `json`, `html` or `lcov`; found `htlm`; did you mean `html`?",
    ],
    [
      "a file without a format",
      ["--coverage-out", "x.html"],
      "--coverage-out needs --coverage with a format: `text`, `json`, `html`, `lcov`",
    ],
    [
      "two results on standard output",
      ["--coverage", "json", "--format", "junit"],
      "--coverage needs a file in --coverage-out when --format is `junit`: both would be written to standard output",
    ],
    [
      "a file in a folder that does not exist",
      ["--coverage", "html", "--coverage-out", "/no/such/folder/x.html"],
      "cannot write /no/such/folder/x.html: the folder does not exist",
    ],
  ])("%s is rejected", async (_title, words, message) => {
    const [world, path] = [await file("w.json", worldOf(plain)), await file("r.json", requests)];
    const { code, err } = await edgeproof(["eval", "--world", world, "--requests", path, ...words]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

/** A record of lcov: the counts of a file. */
interface LcovRecord {
  readonly file: string;
  readonly lines: Map<number, number>;
  /** The counts of branches by line and block; undefined for `-`. */
  readonly branches: Map<number, (number | undefined)[][]>;
}

/** Parses the format of geninfo(1) strictly; throws on everything else. */
function parseLcov(text: string): LcovRecord[] {
  const records: LcovRecord[] = [];
  let record: LcovRecord | undefined;
  let totals: Record<string, number> = {};
  const current = () => {
    if (record === undefined) throw new Error("no SF");
    return record;
  };
  if (!text.endsWith("\n")) throw new Error("no line end");
  for (const line of text.slice(0, -1).split("\n")) {
    const [, key = "", value = ""] = /^([A-Z]+):([^\r\n]*)$/.exec(line) ?? ["", line];
    if (key === "TN") expect(value).toMatch(/^\w*$/);
    else if (key === "SF") [record, totals] = [{ file: value, lines: new Map(), branches: new Map() }, {}];
    else if (key === "DA") {
      const [number = "", hits = "", ...rest] = value.split(",");
      expect([number, hits, rest]).toEqual([
        expect.stringMatching(/^[1-9]\d*$/),
        expect.stringMatching(/^\d+$/),
        [],
      ]);
      expect(current().lines.has(Number(number))).toBe(false);
      current().lines.set(Number(number), Number(hits));
    } else if (key === "BRDA") {
      expect(value).toMatch(/^[1-9]\d*,\d+,\d+,(?:\d+|-)$/);
      const [number = 0, block = 0, branch = 0] = value.split(",").map(Number);
      const blocks = current().branches.get(number) ?? [];
      current().branches.set(number, blocks);
      blocks[block] ??= [];
      expect(blocks[block]).toHaveLength(branch);
      blocks[block].push(value.endsWith("-") ? undefined : Number(value.split(",")[3]));
    } else if (/^(?:LF|LH|BRF|BRH)$/.test(key)) totals[key] = Number(value);
    else if (key === "end_of_record") {
      const { lines, branches } = current();
      const taken = [...branches.values()].flat(2);
      expect(totals).toEqual({
        LF: lines.size,
        LH: [...lines.values()].filter((hits) => hits > 0).length,
        BRF: taken.length,
        BRH: taken.filter((count) => (count ?? 0) > 0).length,
      });
      records.push(current());
      record = undefined;
    } else throw new Error(`unknown line: ${line}`);
  }
  if (record !== undefined) throw new Error("no end_of_record");
  return records;
}

describe("lcov", () => {
  test("lines are those of rules, expressions, configurations and operations in the world file", async () => {
    const { out } = await measured(worldOf(plain), requests, "lcov");
    const [record, ...more] = parseLcov(out);
    expect(more).toEqual([]);
    expect(record?.file).toBe(join(folder, "world.json"));
    const text = (await readFile(join(folder, "world.json"), "utf8")).split("\n");
    const counted = [...(record?.lines ?? [])].map(([number, hits]) => [text[number - 1]?.trim(), hits]);
    expect(counted).toEqual([
      ["{", 2],
      ["{", 2],
      [`"expression": ${JSON.stringify(`is_jwt_valid("${b}") or http.request.method eq "GET"`)},`, 2],
      ["{", 1],
      ['"expression": "http.host ne \\"x\\"",', 1],
      ["{", 1],
      ["{", 1],
    ]);
    expect([...(record?.branches.values() ?? [])]).toEqual([
      // The configuration: missing, bad_signature, expired, valid.
      [[1, 0, 1, 0]],
      // The first rule: fired, passed; then its conditions as true and as false.
      [[1, 1]],
      [
        [0, 1],
        [1, 1],
      ],
      [[0, 1]],
      [[1, 0]],
    ]);
  });

  test("a rule that was not evaluated has branches without counts", async () => {
    const [record] = parseLcov((await measured(worldOf(plain), [], "lcov")).out);
    expect([...(record?.lines.values() ?? [])].every((hits) => hits === 0)).toBe(true);
    expect([...(record?.branches.values() ?? [])].flat(2).every((count) => count === undefined)).toBe(true);
  });

  test("a file without line ends has one line with every branch", async () => {
    const { out } = await measured(JSON.stringify(worldOf(plain, other)), requests, "lcov");
    const [record] = parseLcov(out);
    expect([...(record?.lines.keys() ?? [])]).toEqual([1]);
    expect(record?.branches.get(1)?.map((block) => block.length)).toEqual([2, 2, 2, 2, 2, 4, 2, 2]);
  });

  test("no name can add a line", async () => {
    const titles = hostileStrings.filter((text) => text.length > 0 && text.length <= 50);
    const rules = titles.map((title) => rule(undefined, 'http.host eq "x"', { title }));
    const hostile = zone("z1", "example.com", { rules, operations });
    const world = await file("a\nend_of_record\nSF:b.json", worldOf(hostile));
    const path = await file("none.json", []);
    const { out } = await edgeproof(["eval", "--world", world, "--requests", path, "--coverage", "lcov"]);
    expect(parseLcov(out)).toHaveLength(1);
    expect(out).toContain("a\\nend_of_record\\nSF:b.json");
  });
});

/** An element of a page. */
interface HtmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly inner: HtmlElement[];
  /** With that of inner elements. */
  text: string;
}

const piece =
  /<!doctype html>|<(?<end>\/?)(?<name>[a-z]\w*)(?<attributes>(?: [a-z-]+="[^"<>]*")*)>|(?<text>[^<>]+)/y;
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#58": ":",
  "#35": "#",
};

/** Parses pages that close every element, and throws for any other. Returns all elements. */
function parseHtml(html: string): HtmlElement[] {
  const all: HtmlElement[] = [];
  const open: HtmlElement[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < html.length) {
    const at = piece.lastIndex;
    const found = piece.exec(html);
    if (found === null) throw new Error(`not HTML: ${html.slice(at, at + 50)}`);
    const { name, end, attributes = "", text } = found.groups ?? {};
    if (text !== undefined) for (const element of open) element.text += decode(text);
    else if (end === "/") expect(open.pop()?.name).toBe(name);
    else if (name !== undefined) {
      const pairs = [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)];
      const map = new Map(pairs.map(([, key = "", value = ""]) => [key, decode(value)]));
      const element: HtmlElement = { name, attributes: map, inner: [], text: "" };
      all.push(element);
      for (const outer of open) outer.inner.push(element);
      if (name !== "meta") open.push(element);
    }
  }
  expect(open).toEqual([]);
  return all;
}

function decode(text: string): string {
  return text.replace(/&(?:(\w+|#\d+);)?/g, (whole, entity: string | undefined) => {
    const character = entities[entity ?? ""];
    if (character === undefined) throw new Error(`not an entity: ${whole}`);
    return character;
  });
}

const usedElements =
  "html head meta title style body h1 h2 h3 p mark table tbody tr th td section small pre code ul li";

describe("html", () => {
  test("conditions of an expression are colored by their outcomes, in the place where they are", async () => {
    const { out } = await measured(worldOf(plain), requests, "html");
    const page = parseHtml(out);
    const pre = page.filter(({ name }) => name === "pre");
    expect(pre.map(({ text }) => text)).toEqual([
      `is_jwt_valid("${b}") or http.request.method eq "GET"`,
      'http.host ne "x"',
      'http.host eq "y"',
    ]);
    const marks = pre.map((element) =>
      element.inner
        .filter(({ name }) => name === "mark")
        .map((mark) => [mark.text, mark.attributes.get("class")]),
    );
    expect(marks).toEqual([
      [
        [`is_jwt_valid("${b}")`, "part"],
        ['http.request.method eq "GET"', "full"],
      ],
      [['http.host ne "x"', "part"]],
      [],
    ]);
    const sections = page.filter(({ name }) => name === "section");
    expect(sections.map((section) => section.attributes.get("class"))).toEqual(["part", "part", ""]);
  });

  test("reasons that a suite should have are colored", async () => {
    const { out } = await measured(worldOf(plain), requests, "html");
    const cells = parseHtml(out).filter(({ name }) => name === "tr");
    const row = cells.find(({ text }) => text.startsWith(b ?? "?"));
    const [, ...counts] = (row?.inner ?? []).map(({ attributes }) => attributes.get("class"));
    const [bare, none, full] = ["count", "count none", "count full"];
    expect(counts).toEqual([full, bare, bare, bare, bare, none, full, bare, none]);
  });

  test("the page loads nothing and runs nothing, whatever titles and expressions are", async () => {
    const titles = hostileStrings.filter((text) => text.length > 0 && text.length <= 50);
    const rules = titles.map((title) =>
      rule(undefined, `http.host eq ${JSON.stringify("</code><script>alert(1)</script>")}`, { title }),
    );
    const hostile = zone("z1", "example.com", { rules, operations });
    const { code, out, err } = await measured(worldOf(hostile), [{ url: orders }], "html");
    expect([code, err]).toEqual([0, ""]);
    const page = parseHtml(out);
    expect(page.map(({ name }) => name).filter((name) => !usedElements.split(" ").includes(name))).toEqual(
      [],
    );
    expect(page.filter(({ name }) => name === "section")).toHaveLength(titles.length);
    const names = new Set(page.flatMap(({ attributes }) => [...attributes.keys()]));
    expect([...names].filter((name) => /^on|src|href|style/.test(name))).toEqual([]);
    expect(out).toContain(
      "content-security-policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"",
    );
    expect(out).not.toMatch(/url\(|@import/);
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(out).toContain("prefers-color-scheme: dark");
  });
});
