/** `edgeproof brand match`: every source of names, every format, and the messages for bad input. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { Io } from "../../src/cli/command.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { edgeproof } from "../support/cli.ts";

let folder: string;
let names: string;
let world: string;

const text = [
  "paypal.com",
  "# a comment, and an empty line",
  "",
  "secure-paypal1.example.com\r",
  '{"domain":"micros0ft.com","first_seen":"2026-01-01T00:00:00Z"}',
  "unrelated.org",
].join("\n");

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  names = await file("names.txt", text);
  const query = (tag: string, pattern: string, change = {}) => {
    return { tag, string_matches: [{ pattern, max_edit_distance: 1 }], ...change };
  };
  const accounts = [
    {
      id: "a",
      brand: {
        queries: [query("ours", "paypal"), query("past", "microsoft", { max_time: "2026-01-01T00:00:00Z" })],
      },
    },
    { id: "b", brand: { mode: "label", queries: [query("label", "paypal")] } },
    { id: "c" },
  ];
  world = await file("world.json", JSON.stringify({ accounts }));
});

/** The domains of a JSON Lines output. */
function domains(out: string): string[] {
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).domain);
}

const patterns = ["--pattern", "paypal:0", "--pattern", "microsoft:1"];
const jsonl = ["brand", "match", ...patterns, "--format", "jsonl"];

describe("names come from", () => {
  const all = ["paypal.com", "secure-paypal1.example.com", "micros0ft.com"];

  test("a file, several files, standard input", async () => {
    expect(domains((await edgeproof([...jsonl, names])).out)).toEqual(all);
    expect(domains((await edgeproof([...jsonl, names, names])).out)).toEqual([...all, ...all]);
    expect(domains((await edgeproof(jsonl, text)).out)).toEqual(all);
    expect(domains((await edgeproof([...jsonl, "-", names], "paypal.fr")).out)).toEqual([
      "paypal.fr",
      ...all,
    ]);
  });

  test("gzip, whatever it is called, in one member or several", async () => {
    const zipped = gzipSync(text);
    expect(domains((await edgeproof([...jsonl, await file("names.bin", zipped)])).out)).toEqual(all);
    const two = Buffer.concat([gzipSync("paypal.fr\n"), zipped]);
    expect(domains((await edgeproof(jsonl, two)).out)).toEqual(["paypal.fr", ...all]);
  });

  test("chunks that are cut anywhere", async () => {
    const bytes = Buffer.from(`müller.example\n${text}`);
    const run = async (size: number) => {
      const chunks: string[] = [];
      const stdin = (async function* () {
        for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
      })();
      const sink = { isTerminal: false, write: () => {} };
      const stdout = { isTerminal: false, write: (t: string) => void chunks.push(t) };
      const io: Io = { stdin, stdout, stderr: sink, signal: new AbortController().signal };
      await runCommandLine([...jsonl, "--pattern", "müller:0"], io);
      return domains(chunks.join(""));
    };
    const whole = await run(bytes.length);
    expect(whole).toEqual(["müller.example", ...all]);
    for (const size of [1, 2, 3, 7, 50]) expect(await run(size)).toEqual(whole);
  });

  test("nothing at all", async () => {
    const { code, out, err } = await edgeproof(jsonl, "");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("0 matches in 0 of 0 names");
  });
});

describe("formats", () => {
  test("a table under a header", async () => {
    const { code, out, err } = await edgeproof(["brand", "match", ...patterns, names]);
    expect(code).toBe(0);
    expect(out).toMatch(/^domain +pattern +distance +technique +score +found +channel\n/);
    expect(out).toMatch(/^micros0ft\.com +microsoft +1 +homoglyph +0\.\d\d +micros0ft +plain$/m);
    expect(err).toContain("3 matches in 3 of 4 names");
  });

  test("JSON Lines with every member", async () => {
    const { out } = await edgeproof(
      ["brand", "match", "--pattern", "paypal:0", "--format", "jsonl"],
      " PayPal.com. ",
    );
    expect(JSON.parse(out)).toEqual({
      domain: "PayPal.com.",
      pattern: "paypal",
      distance: 0,
      technique: "exact",
      score: expect.any(Number),
      span: { start: 0, end: 6 },
      host: "paypal.com",
      channel: "plain",
      mode: "contains",
    });
  });

  test("CSV, with cells quoted where they must be", async () => {
    const { out } = await edgeproof(
      ["brand", "match", "--pattern", 'a"b,c:3', "--format", "csv"],
      "xabcx.com",
    );
    const [head, row] = out.split("\r\n");
    expect(head).toBe("domain,pattern,distance,technique,score,found,channel");
    expect(row).toMatch(/^xabcx\.com,"a""b,c",\d,/);
  });
});

test("the options decide what a match is", async () => {
  const input = "secure-paypal.com\npaypal.com\npapyal.com\npаypаl.com\npay-pal.com";
  const found = async (...options: string[]) => {
    const words = ["brand", "match", "--pattern", "paypal:1", "--format", "jsonl", ...options];
    return domains((await edgeproof(words, input)).out);
  };
  expect(await found()).toEqual(["secure-paypal.com", "paypal.com", "pay-pal.com"]);
  expect(await found("--label")).toEqual(["paypal.com", "pay-pal.com"]);
  expect(await found("--label", "--transpositions")).toContain("papyal.com");
  expect(await found("--label", "--confusables")).toContain("pаypаl.com");
  expect(await found("--token")).toEqual(["secure-paypal.com", "paypal.com"]);
  expect(await found("--mode", "token", "--transpositions")).toContain("papyal.com");
  expect(await found("--mode", "recommended")).toEqual([
    "secure-paypal.com",
    "paypal.com",
    "papyal.com",
    "pаypаl.com",
    "pay-pal.com",
  ]);
  for (const twice of [
    ["--label", "--token"],
    ["--mode", "label", "--token"],
  ]) {
    const rejected = await edgeproof(["brand", "match", "--pattern", "paypal", ...twice], input);
    expect([rejected.code, rejected.err]).toEqual([
      2,
      expect.stringContaining("--token means --mode token; found --mode label too"),
    ]);
  }
  const exact = ["brand", "match", "--pattern", "paypal:0", "--format", "jsonl"];
  expect(domains((await edgeproof(exact, "pay-pal.com")).out)).toEqual([]);
  expect(domains((await edgeproof([...exact, "--separators"], "pay-pal.com")).out)).toEqual(["pay-pal.com"]);
});

describe("--own", () => {
  const input = "paypal.com\nwww.PayPal.com.\npaypal.com.evil.net\nmy-paypal.com\nmicros0ft.com";
  const match = (...words: string[]) => edgeproof(["brand", "match", "--json", ...words], input);

  test("leaves out own domains and their subdomains, whatever the patterns are matched by", async () => {
    for (const pattern of ["paypal", "paypal:0", "paypal:1"]) {
      const { out } = await match("--pattern", pattern, "--own", "PAYPAL.com");
      expect(domains(out)).toEqual(["paypal.com.evil.net", "my-paypal.com"]);
    }
    const two = await match("--pattern", "paypal", "--own", "paypal.com", "--own", "evil.net");
    expect(domains(two.out)).toEqual(["my-paypal.com"]);
  });

  test("leaves them out with a world too, beside those of the account", async () => {
    const brand = {
      own: ["evil.net"],
      queries: [{ tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] }],
    };
    const path = await file("own.json", JSON.stringify({ accounts: [{ id: "a", brand }] }));
    expect(domains((await match("--world", path)).out)).toEqual([
      "paypal.com",
      "www.PayPal.com.",
      "my-paypal.com",
    ]);
    expect(domains((await match("--world", path, "--own", "paypal.com")).out)).toEqual(["my-paypal.com"]);
  });

  test.each([[["--pattern", "paypal"]], [["--world", "W"]]])(
    "rejects a domain that cannot be one: %j",
    async (words) => {
      const given = words.map((word) => (word === "W" ? world : word));
      const { code, out, err } = await match(...given, "--own", "com", "--own", "a b", "--own", "paypal.com");
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("--own: An own domain must not be a public suffix");
      expect(err).toContain("--own: A host name cannot contain ` `; found `a b`.");
    },
  );
});

describe("a pattern without an edit count", () => {
  const note = /^note: a pattern without an edit count is now matched by the recommended rules/m;
  // `tamozonite` is one edit from the pattern only inside a word, which the recommended rules leave out.
  const input = "login-arnazan.com\namazon.co.jp.example.com\ntamozonite.com\ngoogel.com\nxgooglx.com";
  const match = (...words: string[]) => edgeproof(["brand", "match", "--json", ...words], input);

  test("is matched by the recommended rules, with a note", async () => {
    const { out, err, code } = await match("--pattern", "amazon");
    expect([code, domains(out)]).toEqual([0, ["login-arnazan.com", "amazon.co.jp.example.com"]]);
    expect(err).toMatch(note);
    expect(out).toBe((await match("--pattern", "amazon", "--mode", "recommended")).out);
  });

  test("is matched so beside patterns that have one, which keep it", async () => {
    const { out, err } = await match("--pattern", "google", "--pattern", "amazon:1");
    expect(domains(out)).toEqual(["amazon.co.jp.example.com", "tamozonite.com", "googel.com"]);
    expect(err.match(new RegExp(note, "gm"))).toHaveLength(1);
  });

  test.each([
    [
      ["--pattern", "amazon:1"],
      ["amazon.co.jp.example.com", "tamozonite.com"],
    ],
    [
      ["--pattern", "amazon", "--mode", "contains"],
      ["amazon.co.jp.example.com", "tamozonite.com"],
    ],
  ])("has no note when its edits are known: %j", async (words, expected) => {
    const { out, err } = await match(...words);
    expect(domains(out)).toEqual(expected);
    expect(err).not.toMatch(note);
  });
});

describe("with a world", () => {
  test("names are checked against an account's queries, times and options", async () => {
    const run = (...words: string[]) =>
      edgeproof(["brand", "match", "--world", world, "--format", "jsonl", ...words], text);
    const a = (await run("--account", "a")).out;
    expect(domains(a)).toEqual(["paypal.com", "secure-paypal1.example.com", "micros0ft.com"]);
    expect(JSON.parse(a.split("\n")[0]!)).toMatchObject({ query_id: 1, query_tag: "ours" });
    expect(domains((await run("--account", "b")).out)).toEqual(["paypal.com"]);
    const late = await edgeproof(["brand", "match", "--world", world, "--account", "a"], "microsoft.com");
    expect(late.err).toContain("0 matches");
  });

  test.each([
    [["--world", "W"], /--account is missing.*accounts of the world: `a`, `b`, `c`/],
    [["--world", "W", "--account", "x"], /no account `x`.*`a`, `b`, `c`/],
    [["--world", "W", "--account", "c"], /`c` has no domain queries/],
    [["--world", "W", "--pattern", "paypal"], /either --pattern.*or --world/],
    [[], /either --pattern.*or --world/],
  ])("%j: exit code 2", async (words, message) => {
    const { code, err } = await edgeproof(["brand", "match", ...words.map((w) => (w === "W" ? world : w))]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe("invalid lines are counted and reported, and the other lines are matched", () => {
  test("for each kind of invalid line", async () => {
    const input = [
      "paypal.com",
      "pay pal.com",
      '{"domain":5}',
      "{oops",
      `${"x".repeat(200_000)}.com`,
      "paypal.fr",
    ];
    const { code, out, err } = await edgeproof(jsonl, input.join("\n"));
    expect([code, domains(out)]).toEqual([1, ["paypal.com", "paypal.fr"]]);
    expect(err).toContain("4 invalid lines:");
    for (const line of [2, 3, 4, 5]) expect(err).toContain(`- line ${line}: `);
  });

  test("for bytes that are not UTF-8, and a megabyte without a line end", async () => {
    const bytes = Buffer.alloc(1_000_000, 0xff);
    const { code, err } = await edgeproof(jsonl, Buffer.concat([bytes, Buffer.from("\npaypal.com\n")]));
    expect(code).toBe(1);
    expect(err).toMatch(/1 match in 1 of 1 name\n1 invalid line:/);
  });

  test("and only the first five of many are shown", async () => {
    const { err } = await edgeproof(jsonl, "no name\n".repeat(50));
    expect(err).toContain("50 invalid lines, the first 5:");
    expect(err.match(/line \d+:/g)).toHaveLength(5);
  });

  test("and the first ones are shown in the order of the input, whatever their problem", async () => {
    const { code, err } = await edgeproof(jsonl, "no name\n{\nno name\npaypal.com\n{\n{\nno name\n{\n");
    expect(code).toBe(1);
    expect(err).toContain("7 invalid lines, the first 5:");
    expect(err.match(/line \d+:/g)).toEqual([1, 2, 3, 5, 6].map((line) => `line ${line}:`));
  });
});

test.each([
  [["--pattern", "paypal:4"], /--pattern paypal:4: .*0 to 3/],
  [["--pattern", ":1"], /--pattern :1: /],
  [["--pattern", "paypal:-1"], /--pattern paypal:-1: .*0 to 3; found `-1`/],
  [["--pattern", "paypal:1.5"], /0 to 3; found `1\.5`/],
  [["--pattern", "paypal:"], /0 to 3; found ``/],
  [["--pattern", "paypal", "--format", "xml"], /must be `table`, `jsonl` or `csv`; found `xml`/],
  [["--pattern", "paypal", "nowhere.txt"], /nowhere\.txt: the file does not exist/],
  [["--pattern", "paypal", "."], /it is a folder/],
])("%j: exit code 2 and a clear message", async (words, message) => {
  const { code, out, err } = await edgeproof(["brand", "match", ...words]);
  expect([code, out, err]).toEqual([2, "", expect.stringMatching(message)]);
});

test("a truncated gzip file is reported", async () => {
  const { code, err } = await edgeproof(jsonl, gzipSync(text.repeat(100)).subarray(0, 100));
  expect([code, err]).toEqual([2, expect.stringContaining("cannot decompress standard input")]);
});

test("a short pattern with edits gets a note", async () => {
  expect((await edgeproof(["brand", "match", "--pattern", "ebay:1"], "")).err).toContain(
    "note: Very many names match with edits, because the pattern `ebay`",
  );
});

test("a pattern that no host name can contain gets a note", async () => {
  const words = ["brand", "match", "--pattern", "pay pal:1"];
  const { code, err } = await edgeproof(words, "paypal.com\n");
  expect(code).toBe(0);
  expect(err).toContain("note: No host name can contain ` `; found in the pattern `pay pal`.");
});

test("more than a hundred patterns", async () => {
  const many = Array.from({ length: 120 }, (_, i) => ["--pattern", `brand${i}x:0`]).flat();
  const { out } = await edgeproof(
    ["brand", "match", ...many, "--format", "jsonl"],
    "brand7x.com\nbrand119x.com",
  );
  expect(domains(out)).toEqual(["brand7x.com", "brand119x.com"]);
});

test("a person sees progress, and can stop", async () => {
  const stop = new AbortController();
  const shown: string[] = [];
  const stdin = (async function* () {
    for (let i = 0; ; i++) {
      yield Buffer.from(`${Array.from({ length: 5_000 }, (_, j) => `name${i}x${j}.com`).join("\n")}\n`);
      if (i === 20) stop.abort();
      await new Promise((resume) => setImmediate(resume));
    }
  })();
  const io: Io = {
    stdin,
    stdout: { isTerminal: true, write: () => {} },
    stderr: { isTerminal: true, write: (t) => shown.push(t) as never },
    signal: stop.signal,
  };
  expect(await runCommandLine(["brand", "match", "--pattern", "paypal"], io)).toBe(130);
  expect(shown.join("")).toMatch(/\r[\d,]+ names, 0 matches/);
  expect(shown.at(-1)).toMatch(/, stopped\n$/);
});

describe("names are found in what feeds have", () => {
  const run = async (input: string | Uint8Array, ...words: string[]) => {
    const { code, out, err } = await edgeproof(
      ["brand", "match", "--pattern", "paypal:0", "--json", ...words],
      input,
    );
    const lines = out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { code, err, lines, found: lines.map(({ domain }) => domain) };
  };

  test("URLs, ports and wildcards, with what was given", async () => {
    const { lines, found } = await run("https://Paypal.com:443/x\n*.paypal.net\npaypal.org.:8080\npaypal.io");
    expect(found).toEqual(["Paypal.com", "paypal.net", "paypal.org.", "paypal.io"]);
    expect(lines.map(({ given }) => given)).toEqual([
      "https://Paypal.com:443/x",
      "*.paypal.net",
      "paypal.org.:8080",
      undefined,
    ]);
    expect(lines[0].span).toEqual({ start: 0, end: 6 });
  });

  test("records of certificate transparency", async () => {
    const records = [
      {
        message_type: "certificate_update",
        data: { leaf_cert: { all_domains: ["paypal.a.com", "*.paypal.b.com", "c.com"] } },
      },
      { dns_names: ["paypal.d.com"] },
      { common_name: "x", name_value: "paypal.e.com\n*.paypal.e.com" },
    ];
    const { found } = await run(records.map((record) => JSON.stringify(record)).join("\n"));
    expect(found).toEqual(["paypal.a.com", "paypal.b.com", "paypal.d.com", "paypal.e.com", "paypal.e.com"]);
  });

  test("a column of comma-separated values, by name or by number", async () => {
    const table = 'id,"Domain",note\n1,paypal.com,"a, b"\n2,"https://paypal.net/",c\n3\n';
    const byName = await run(table, "--column", "domain");
    expect(byName.found).toEqual(["paypal.com", "paypal.net"]);
    expect(byName.err).toContain("line 4: The line must have the column 2; found 1 column.");
    expect((await run("1;paypal.com\n2;paypal.net", "--column", "2")).found).toEqual([
      "paypal.com",
      "paypal.net",
    ]);
    const unknown = await run(table, "--column", "host");
    expect([unknown.code, unknown.err]).toEqual([
      2,
      expect.stringContaining("--column must be a column of the header (`id`, `Domain`, `note`)"),
    ]);
  });

  test("UTF-16 of either byte order, with or without a mark", async () => {
    const little = Buffer.from("paypal.com\r\npäypal.paypal.net\r\n", "utf16le");
    const big = Buffer.from(little).swap16();
    const marked = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])] as const;
    for (const bytes of [little, big, Buffer.concat([marked[0], little]), Buffer.concat([marked[1], big])])
      expect((await run(bytes)).found).toEqual(["paypal.com", "päypal.paypal.net"]);
  });

  test("a file whose every line is invalid exits with 2, also beside a valid one", async () => {
    const bad = await file("bad.txt", "no name\n{\n");
    const good = await file("good.txt", "paypal.com\n");
    const both = await run("", bad, good);
    expect([both.code, both.found]).toEqual([2, ["paypal.com"]]);
    expect(both.err).toContain("no line is a host name");
    expect((await run("", await file("empty.txt", "# nothing\n"))).code).toBe(1);
  });

  test("--new-since leaves out names that an earlier run had", async () => {
    const input = "paypal.com\npaypal.net\nPayPal.org.\n";
    for (const format of ["jsonl", "csv", "table"]) {
      const earlier = await edgeproof(
        ["brand", "match", "--pattern", "paypal:0", "--format", format],
        "paypal.net\npaypal.org",
      );
      const path = await file(`earlier.${format}`, earlier.out);
      const { found, err } = await run(input, "--new-since", path);
      expect(found).toEqual(["paypal.com"]);
      expect(err).toContain("2 names of an earlier run left out");
    }
  });
});

describe("--tune", () => {
  const sample = "paypal.com\npapal.org\nmy-paipai.net\nno name\nunrelated.org\n";

  test("prints for each pattern what each setting finds", async () => {
    const { code, out, err } = await edgeproof(["brand", "match", "--tune", "--pattern", "paypal"], sample);
    expect(code).toBe(1);
    expect(out).toMatch(/^paypal\nmode +edits +confusables +names found +per 10,000 +examples\n/);
    expect(out).toMatch(/^token +2 +no +3 +7500\.0 +my-paipai\.net$/m);
    expect(out).toMatch(/^recommended +own +yes +2 /m);
    expect(err).toMatch(/^4 names\n1 invalid line:\n {2}- line 4: A host name cannot contain ` `.*\n$/);
    const clean = await edgeproof(["brand", "match", "--tune", "--pattern", "paypal"], "paypal.com\n");
    expect([clean.code, clean.err]).toEqual([0, "1 name\n"]);
    expect((await edgeproof(["brand", "match", "--tune", "--pattern", "paypal"], "no name\n{\n")).code).toBe(
      2,
    );
  });

  test("prints JSON Lines, and rejects a world and a missing pattern", async () => {
    const { out } = await edgeproof(["brand", "match", "--tune", "--json", "--pattern", "paypal"], sample);
    expect(JSON.parse(out.split("\n")[0]!)).toMatchObject({
      pattern: "paypal",
      names: 4,
      mode: "contains",
      maxEdits: 0,
      alarms: 1,
    });
    for (const words of [[], ["--pattern", "paypal", "--world", world]]) {
      const { code, err } = await edgeproof(["brand", "match", "--tune", ...words], sample);
      expect([code, err]).toEqual([2, expect.stringContaining("--tune needs --pattern")]);
    }
  });
});

test.each(["--label", "--own=example.com", "--transpositions", "--new-since=earlier.txt"])(
  "--tune rejects %s, which its table could not apply",
  async (option) => {
    const { code, out, err } = await edgeproof(
      ["brand", "match", "--tune", "--pattern", "paypal", option],
      "a.com\n",
    );
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Leave it out, or leave out --tune to print matches");
  },
);

test.each([
  ["matches", []],
  ["a table of settings", ["--tune"]],
])("%s of no name are nothing-evaluated", async (_, options) => {
  const empty = await file("empty.txt", "# only a comment\n\n");
  const words = ["brand", "match", "--pattern", "paypal:1", ...options];
  const nothing = "  Nothing was evaluated. The input has no name.";
  const run = await edgeproof([...words, empty]);
  expect([run.code, run.err]).toEqual([
    1,
    expect.stringContaining(`${empty}:1:1: error nothing-evaluated at /\n${nothing}`),
  ]);
  expect((await edgeproof(words, "")).code).toBe(1);
  const allowed = await edgeproof([...words, "--allow-empty"], "");
  expect([allowed.code, allowed.err]).toEqual([
    0,
    expect.stringContaining(`\nnote nothing-evaluated\n${nothing}`),
  ]);
  expect((await edgeproof(words, "unrelated.org\n")).code).toBe(0);
});
